/**
 * The steps of every request of a merchant's server, in the order of precedence of their errors. Chapter 10 §1.3, chapter 20 §1.1,
 * chapter 30 §1.4.
 *
 *   1 body · 2 action · 3 merchant and key · 4 mapping · 5 caller's address · 6 rate · 7 parameters · 8 named entity · 9 hash, signature · 10 rules
 *
 * Between 7 and 8, before the database is asked anything, a request waits for its merchant's turn or is refused (`overload/gate.ts`).
 *
 * Where an address takes an action under two protocols, the first one that the merchant has a mapping for reads the request, and the next
 * one looks for an entity that the first does not know.
 *
 * Step 8 precedes step 9 because a follow-up's hash covers data of the original payment. Only a request with a good hash may use an
 * idempotency key, so that another caller can neither occupy nor read a merchant's keys.
 */
import { errors, violations } from '#domain/errors.ts'
import { defaultMapping, type ProtocolMapping } from '#domain/mapping.ts'
import type { Protocol } from '#domain/merchant.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import type { RequestNotes } from '../../observe/request-line.ts'
import {
  admit,
  checkHash,
  checkSignature,
  countFailure,
  type KnownMerchant,
  merchantWithKey,
  ticketOf,
} from './admission.ts'
import type { ValueTree } from './bodies/value-tree.ts'
import type { Dialect, Kit, MerchantRequest, ResolvedAction } from './dialect.ts'
import { runOnlyOnce } from './idempotency.ts'
import { noteMalformedToken } from './malformed-token.ts'
import { merchantReading } from './merchant-reading.ts'
import type { BaseCaller, NotedAnswer, PreparedRequest } from './prepared.ts'
import { beginTrace, type CheckTrace, recordRefusal } from './refusals/check-trace.ts'
import type { Reply } from './reply.ts'
import { readParams } from './values/params.ts'
import { soundValue } from './values/read.ts'
import { sentIn } from './values/sent.ts'

/** A protocol and its dependencies. */
interface ServedProtocol<Caller extends BaseCaller, Signed> {
  readonly kit: Kit
  readonly dialect: Dialect<Caller, Signed>
  /** Finds the kinds that the request may be, the preferred one first; throws the refusal of an unknown action. */
  readonly resolveAction: (tree: ValueTree, request: MerchantRequest) => readonly ResolvedAction<Caller, Signed>[]
}

interface MappedAction<Caller, Signed> extends ResolvedAction<Caller, Signed> {
  readonly mapping: ProtocolMapping
}

type Note = (notes: RequestNotes) => void

/** How metrics and log lines name the protocol. */
export const label: Readonly<Record<Protocol, string>> = {
  S2S_CARD: 's2s-card',
  S2S_APM: 's2s-apm',
  CHECKOUT: 'checkout',
}

export async function serve<Caller extends BaseCaller, Signed>(
  served: ServedProtocol<Caller, Signed>,
  request: MerchantRequest,
  note: Note,
): Promise<Reply> {
  const trace = beginTrace()
  try {
    return await checkAndAnswer(served, request, note, trace)
  } catch (error) {
    const { kit, dialect } = served
    if (error instanceof RefusedError) {
      recordRefusal({ kit, caller: dialect.keyName, requestId: request.requestId }, trace, error)
    }
    throw error
  }
}

async function checkAndAnswer<Caller extends BaseCaller, Signed>(
  { kit, dialect, resolveAction }: ServedProtocol<Caller, Signed>,
  request: MerchantRequest,
  note: Note,
  trace: CheckTrace,
): Promise<Reply> {
  const { format, keyName } = dialect
  const tree = dialect.readBody(request)
  trace.tree = tree
  trace.step = 'action'
  const resolved = resolveAction(tree, request)
  const noteAction = ({ action, protocol }: ResolvedAction<Caller, Signed>) => {
    trace.action = action.name
    trace.protocol = protocol
    note({ protocol: label[protocol], action: action.name })
  }
  const [preferred] = resolved
  if (preferred) noteAction(preferred)
  trace.step = 'key'
  const known = merchantOf(kit, tree, keyName)
  if (known) note({ merchantId: known.merchant.id })
  trace.step = 'mapping'
  const [first, ...others] = resolved.flatMap((one) => withMapping(kit, one, known))
  if (!first) throw new RefusedError(errors.protocolMappingNotFound)
  trace.step = 'address'
  if (known) admit(kit.limiter, known, request.address)
  trace.step = 'parameters'

  const mode = known?.mode ?? 'test'
  const readingOf = (mapping: ProtocolMapping) =>
    merchantReading(kit, known?.merchant ?? null, { tree, format, mapping, mode })
  const read = ({ action, mapping }: MappedAction<Caller, Signed>) =>
    readParams(action.params, tree, readingOf(mapping))
  const callerAs = (merchant: KnownMerchant, mapping: ProtocolMapping) => {
    const { address, requestId } = request
    return dialect.callerOf({ ...merchant, mapping, address, requestId, operations: kit.operations }, request)
  }
  const values = read(first)
  if (!values.ok && known) {
    const { action, mapping } = first
    await noteMalformedToken({ kit, dialect, action }, callerAs(known, mapping), readingOf(mapping))
  }
  const input = soundValue(values)
  // A blank key is a violation of step 7, so that no unknown caller gets past it.
  if (!known) throw invalid({ param: keyName, text: violations.blank })

  const prepare = async (one: MappedAction<Caller, Signed>, sent = soundValue(read(one))) => {
    const caller = callerAs(known, one.mapping)
    noteAction(one)
    trace.step = 'entity'
    return { caller, prepared: await one.action.prepare(sent, caller) }
  }
  return kit.gate.pass(ticketOf(known, first.action.params), async () => {
    let { caller, prepared } = await prepare(first, input)
    for (const other of prepared.kind === 'unknown' ? others : []) {
      const found = await prepare(other)
      if (found.prepared.kind === 'prepared') ({ caller, prepared } = found)
    }
    if (prepared.kind === 'unknown') {
      countFailure(kit.limiter, caller, request.address)
      throw new RefusedError(prepared.refusal)
    }
    trace.step = 'hash'
    await checkHash({ kit, dialect, trace }, caller, prepared.signed, sentIn(tree, 'hash'))
    trace.step = 'signature'
    await checkSignature(kit, caller, request.signature, { rule: caller.mapping.requestSignature, trace })
    trace.step = 'rules'
    return answer({ kit, dialect, request, note }, caller, prepared)
  })
}

/** Empty if the merchant may not use the protocol. Without a key the defaults apply, so that all missing parameters are reported. */
function withMapping<Caller, Signed>(
  { configuration }: Kit,
  resolved: ResolvedAction<Caller, Signed>,
  known: KnownMerchant | null,
): readonly MappedAction<Caller, Signed>[] {
  const { protocol } = resolved
  const mapping = known
    ? configuration.mapping(known.merchant.id, protocol)
    : { ...defaultMapping(protocol), merchantId: '' }
  return mapping ? [{ ...resolved, mapping }] : []
}

/** Null when no key was sent at all, which is reported together with the other missing parameters. */
function merchantOf({ configuration }: Kit, tree: ValueTree, keyName: string): KnownMerchant | null {
  const key = sentIn(tree, keyName)
  if (key === undefined) return null
  const known = typeof key === 'string' ? merchantWithKey(configuration, key) : null
  if (!known) throw invalid({ param: keyName, text: violations.notCorrect })
  return known
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
  return runOnlyOnce(kit.idempotency, { merchantId: merchant.id, mode, key, body, errorBody }, run, async (useId) => {
    const recalled = await prepared.recall(useId)
    return recalled && reply(recalled)
  })
}
