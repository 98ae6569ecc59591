/**
 * The steps of every request of a merchant's server, in the order of precedence of their errors. Chapter 10 §1.3, chapter 20 §1.1,
 * chapter 30 §1.4.
 *
 *   1 body · 2 action · 3 merchant and key · 4 mapping · 5 caller's address · 6 rate · 7 parameters · 8 named entity · 9 hash · 10 rules
 *
 * Between 7 and 8, before the database is asked anything, a request waits for its merchant's turn or is refused (`overload/gate.ts`).
 *
 * Step 8 precedes step 9 because a follow-up's hash covers data of the original payment. Only a request with a good hash may use an
 * idempotency key, so that another caller can neither occupy nor read a merchant's keys.
 */
import { errors, violations } from '#domain/errors.ts'
import { defaultMapping } from '#domain/mapping.ts'
import type { Protocol } from '#domain/merchant.ts'
import type { VerifyingKeys } from '#domain/signature/signature.ts'
import type { Idempotency } from '../../contracts/ports.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import type { RequestNotes } from '../../observe/requests.ts'
import type { Gate } from '../../overload/gate.ts'
import type { Operations } from '../../payments/index.ts'
import { admit, countFailure, goodPasswords, type KnownMerchant, merchantWithKey, ticketOf } from './admission.ts'
import type { ValueTree } from './bodies/value-tree.ts'
import { onceOnly } from './idempotency.ts'
import { merchantReading, type ReadingParts } from './merchant-reading.ts'
import type { Answer, BaseCaller, NotedAnswer, PreparedRequest, RequestKind } from './prepared.ts'
import type { RequestLimiter } from './rate-limit.ts'
import type { Reply } from './reply.ts'
import { readParams } from './values/params.ts'
import { soundValue } from './values/read.ts'
import type { Wire } from './values/reading.ts'
import { type SentValue, sentIn } from './values/sent.ts'

export interface Kit extends ReadingParts {
  readonly operations: Operations
  readonly idempotency: Idempotency
  readonly limiter: RequestLimiter
  readonly gate: Gate
}

export interface MerchantRequest {
  readonly method: 'POST' | 'GET'
  /** For a GET, its query string. */
  readonly body: Buffer
  readonly contentType: string | undefined
  readonly address: string
  readonly path: string
  readonly requestId: string | undefined
  readonly idempotencyKey: string | undefined
}

/** The kind of a request, and the protocol whose mapping applies to it. */
export interface ResolvedAction<Caller, Signed> {
  readonly protocol: Protocol
  readonly action: RequestKind<Caller, Signed>
}

/** The parts in which protocols differ. */
export interface Dialect<Caller extends BaseCaller, Signed> {
  readonly wire: Wire
  /** The parameter with the merchant's key. */
  readonly keyName: string
  /** Throws the refusal of a body that cannot be read. */
  readonly readBody: (request: MerchantRequest) => ValueTree
  readonly callerOf: (caller: BaseCaller, request: MerchantRequest) => Caller
  readonly verifies: (hash: SentValue, signed: Signed, keys: VerifyingKeys) => boolean
  /** The bytes that must be equal when an idempotency key is used again. */
  readonly repeatable: (request: MerchantRequest) => Buffer
  readonly errorBody: (error: RefusedError) => string
  readonly notesOf: (answer: Answer) => RequestNotes
}

/** A protocol and its dependencies. */
interface ServedProtocol<Caller extends BaseCaller, Signed> {
  readonly kit: Kit
  readonly dialect: Dialect<Caller, Signed>
  /** Finds the kind of the request; throws the refusal of an unknown action. */
  readonly resolveAction: (tree: ValueTree, request: MerchantRequest) => ResolvedAction<Caller, Signed>
}

type Note = (notes: RequestNotes) => void

/** How metrics and log lines name the protocol. */
export const label: Readonly<Record<Protocol, string>> = {
  S2S_CARD: 's2s-card',
  S2S_APM: 's2s-apm',
  CHECKOUT: 'checkout',
}

export async function serve<Caller extends BaseCaller, Signed>(
  { kit, dialect, resolveAction }: ServedProtocol<Caller, Signed>,
  request: MerchantRequest,
  note: Note,
): Promise<Reply> {
  const { wire, keyName } = dialect
  const tree = dialect.readBody(request)
  const { action, protocol } = resolveAction(tree, request)
  note({ protocol: label[protocol], action: action.name })
  const known = merchantOf(kit, tree, keyName)
  if (known) note({ merchantId: known.merchant.id })
  const mapping = known
    ? kit.configuration.mapping(known.merchant.id, protocol)
    : { ...defaultMapping(protocol), merchantId: '' }
  if (!mapping) throw new RefusedError(errors.protocolMappingNotFound)
  if (known) admit(kit.limiter, known, request.address)

  const mode = known?.mode ?? 'test'
  const reading = merchantReading(kit, known?.merchant ?? null, { tree, wire, mapping, mode })
  const input = soundValue(readParams(action.params, tree, reading))
  // A blank key is a violation of step 7, so that no unknown caller gets past it.
  if (!known) throw invalid({ param: keyName, text: violations.blank })

  const { address, requestId } = request
  const caller = dialect.callerOf({ ...known, mapping, address, requestId, operations: kit.operations }, request)
  return kit.gate.pass(ticketOf(known, action.params), async () => {
    const prepared = await action.prepare(input, caller)
    if (prepared.kind === 'unknown') {
      countFailure(kit.limiter, caller, address)
      throw new RefusedError(prepared.refusal)
    }
    await checkHash({ kit, dialect }, caller, prepared.signed, sentIn(tree, 'hash'))
    return answer({ kit, dialect, request, note }, caller, prepared)
  })
}

/** Null when no key was sent at all, which is reported together with the other missing parameters. */
function merchantOf({ configuration }: Kit, tree: ValueTree, keyName: string): KnownMerchant | null {
  const key = sentIn(tree, keyName)
  if (key === undefined) return null
  const known = typeof key === 'string' ? merchantWithKey(configuration, key) : null
  if (!known) throw invalid({ param: keyName, text: violations.notCorrect })
  return known
}

async function checkHash<Caller extends BaseCaller, Signed>(
  { kit, dialect }: Pick<ServedProtocol<Caller, Signed>, 'kit' | 'dialect'>,
  caller: Caller,
  signed: Signed,
  hash: SentValue,
): Promise<void> {
  const passwords = await goodPasswords(kit, caller.merchant.id)
  if (dialect.verifies(hash, signed, { passwords, digest: caller.mapping.digest })) return
  countFailure(kit.limiter, caller, caller.address)
  throw invalid({ param: 'hash', text: violations.hash })
}

interface AnswerContext<Caller extends BaseCaller, Signed>
  extends Pick<ServedProtocol<Caller, Signed>, 'kit' | 'dialect'> {
  readonly request: MerchantRequest
  readonly note: Note
}

async function answer<Caller extends BaseCaller, Signed>(
  { kit, dialect, request, note }: AnswerContext<Caller, Signed>,
  { merchant, mode }: Caller,
  prepared: PreparedRequest<Signed>,
): Promise<Reply> {
  const reply = ({ answer: content, paymentId }: NotedAnswer): Reply => {
    note({ ...dialect.notesOf(content), ...(paymentId === undefined ? {} : { transId: paymentId }) })
    return { http: 200, body: JSON.stringify(content) }
  }
  const run = async (useId: string | null): Promise<Reply> => reply(await prepared.run(useId))
  const { idempotencyKey: key } = request
  if (key === undefined) return run(null)
  const { errorBody } = dialect
  const body = dialect.repeatable(request)
  return onceOnly(kit.idempotency, { merchantId: merchant.id, mode, key, body, errorBody }, run, async (useId) => {
    const recalled = await prepared.recall(useId)
    return recalled && reply(recalled)
  })
}
