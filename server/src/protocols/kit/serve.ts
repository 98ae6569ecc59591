/**
 * The steps of every form action, in the order of precedence of their errors. Chapter 10 §1.3, chapter 20 §1.1.
 *
 *   1 body · 2 action · 3 merchant and key · 4 mapping · 5 caller's address · 6 rate · 7 parameters · 8 named entity · 9 hash · 10 rules
 *
 * Between 7 and 8, before the database is asked anything, a request waits for its merchant's turn or is refused (`overload/gate.ts`).
 *
 * Step 8 precedes step 9 because a follow-up's hash covers data of the original payment. Only a request with a good hash may use an
 * idempotency key, so that nobody else can occupy or read a merchant's keys.
 */
import { errors, type Refusal, violations } from '#domain/errors.ts'
import { defaultMapping } from '#domain/mapping.ts'
import type { Protocol } from '#domain/merchant.ts'
import { verifies } from '#domain/signature/signature.ts'
import type { Clock, Configuration, Idempotency } from '../../contracts/ports.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import type { RequestNotes } from '../../observe/requests.ts'
import type { Gate } from '../../overload/gate.ts'
import type { Operations } from '../../payments/index.ts'
import type { Action, Answered, Caller, PreparedAction, Signed } from './action.ts'
import { admit, countFailure, goodPasswords, type Known, merchantWithKey, ticketOf } from './admission.ts'
import { readForm } from './bodies/form.ts'
import type { ValueTree } from './bodies/value-tree.ts'
import { errorBody } from './error-body.ts'
import { onceOnly } from './idempotency.ts'
import { merchantReading } from './merchant-reading.ts'
import type { RequestLimiter } from './rate-limit.ts'
import type { Reply } from './reply.ts'
import { readParams, type Values } from './values/params.ts'
import { soundValue } from './values/read.ts'
import { formWire } from './values/reading.ts'
import { sentIn, textIn } from './values/sent.ts'

/** Actions at an address, and the protocol whose mapping and signatures they follow. */
export interface Offer {
  readonly protocol: Protocol
  readonly actions: readonly Action[]
}

export interface Kit {
  readonly configuration: Configuration
  readonly operations: Operations
  readonly idempotency: Idempotency
  readonly limiter: RequestLimiter
  readonly gate: Gate
  readonly clock: Clock
  readonly sandbox: boolean
}

export interface FormRequest {
  readonly method: 'POST' | 'GET'
  /** Of a GET its query string. */
  readonly body: Buffer
  readonly contentType: string | undefined
  readonly address: string
  readonly path: string
  readonly requestId?: string | undefined
  readonly idempotencyKey: string | undefined
}

/** What the log line and the metrics of the request may name. */
export type Notes = RequestNotes
type Note = (notes: Notes) => void

export async function serve(kit: Kit, offers: readonly Offer[], request: FormRequest, note: Note): Promise<Reply> {
  // What cannot be read, or asks for nothing that is known, counts as of the protocol that has the address.
  const [main] = offers
  if (main) note({ protocol: label[main.protocol] })
  const tree = readBody(request)
  const { action, protocol } = actionOf(offers, tree, request.method)
  note({ protocol: label[protocol], action: action.names[0] ?? '' })
  const known = merchantOf(kit, tree)
  if (known) note({ merchantId: known.merchant.id })
  const mapping = known
    ? kit.configuration.mapping(known.merchant.id, protocol)
    : { ...defaultMapping(protocol), merchantId: '' }
  if (!mapping) throw new RefusedError(errors.protocolMappingNotFound)
  if (known) admit(kit.limiter, known, request.address)

  const mode = known?.mode ?? 'test'
  const reading = merchantReading(kit, known?.merchant ?? null, { tree, wire: formWire, mapping, mode })
  const input = soundValue(readParams(action.params, tree, reading))
  // A blank client_key is a violation of step 7, so that nobody unknown gets past it.
  if (!known) throw invalid({ param: 'client_key', text: violations.blank })

  const { operations } = kit
  const { address, path, requestId } = request
  const brand = (name: string) => kit.configuration.brand(name)
  const caller: Caller = { ...known, mapping, address, requestId, operations, brand, path }
  return kit.gate.pass(ticketOf(known, action.params), async () => {
    const prepared = await entity(kit, action, input, caller)
    await checkHash(kit, caller, prepared.signed, textIn(tree, 'hash'))
    return answer(kit, caller, prepared, request, note)
  })
}

function readBody({ body, contentType }: FormRequest): ValueTree {
  const reading = readForm(body, contentType)
  if (reading.ok) return reading.tree
  throw new RefusedError(reading.fault === 'too-large' ? errors.requestTooLarge : errors.requestInvalid)
}

/** A wrong method is answered like an unknown action. Chapter 10 §1.1. */
function actionOf(
  offers: readonly Offer[],
  tree: ValueTree,
  method: FormRequest['method'],
): { readonly action: Action; readonly protocol: Protocol } {
  const name = textIn(tree, 'action')
  for (const { protocol, actions } of offers) {
    const offered = actions.filter(({ byGet }) => method === 'POST' || byGet)
    const action = offered.find(({ names }) => name !== undefined && names.includes(name))
    if (action) return { action, protocol }
  }
  throw new RefusedError(errors.routeNotSupported)
}

/** How metrics and log lines name the protocol. */
const label: Readonly<Record<Protocol, string>> = { S2S_CARD: 's2s-card', S2S_APM: 's2s-apm', CHECKOUT: 'checkout' }

/** Null when no key was sent at all, which is reported together with the other missing parameters. */
function merchantOf({ configuration }: Kit, tree: ValueTree): Known | null {
  const key = sentIn(tree, 'client_key')
  if (key === undefined) return null
  const known = typeof key === 'string' ? merchantWithKey(configuration, key) : null
  if (!known) throw invalid({ param: 'client_key', text: violations.notCorrect })
  return known
}

async function entity(
  kit: Kit,
  action: Action,
  input: Values<Action['params']>,
  caller: Caller,
): Promise<PreparedAction> {
  const prepared = await action.prepare(input, caller)
  if (!isRefusal(prepared)) return prepared
  countFailure(kit.limiter, caller, caller.address)
  throw new RefusedError(prepared)
}

const isRefusal = (value: PreparedAction | Refusal): value is Refusal => 'code' in value

async function checkHash(
  kit: Kit,
  caller: Caller,
  { formula, orElse = [], values }: Signed,
  given: string | undefined,
): Promise<void> {
  const passwords = await goodPasswords(kit, caller.merchant.id)
  const keys = { passwords, digest: caller.mapping.digest }
  if ([formula, ...orElse].some((one) => verifies(given, one, values, keys))) return
  countFailure(kit.limiter, caller, caller.address)
  throw invalid({ param: 'hash', text: violations.hash })
}

async function answer(
  kit: Kit,
  caller: Caller,
  prepared: PreparedAction,
  request: FormRequest,
  note: Note,
): Promise<Reply> {
  const run = async (useId: string | null): Promise<Reply> => replyOf(await prepared.run(useId), note)
  const { idempotencyKey: key, body } = request
  if (key === undefined) return run(null)
  const owner = { merchantId: caller.merchant.id, mode: caller.mode }
  return onceOnly(kit.idempotency, { ...owner, key, body, errorBody }, run, async (useId) => {
    const recalled = await prepared.recall(useId)
    return recalled && replyOf(recalled, note)
  })
}

function replyOf({ fields, paymentId }: Answered, note: Note): Reply {
  note({ result: String(fields['result']), ...(paymentId === undefined ? {} : { transId: paymentId }) })
  return { http: 200, body: JSON.stringify(fields) }
}
