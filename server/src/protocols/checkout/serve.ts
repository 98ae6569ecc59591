/**
 * The steps of every endpoint, in the order of precedence of their errors. Chapter 30 §1.4.
 *
 *   body · merchant and key · mapping · caller's address · rate · parameters · named entity · hash · rules
 *
 * Only a request with a good hash may use an idempotency key, so that nobody else can occupy or read a merchant's keys.
 */

import { errors, type Refusal, violations } from '#domain/errors.ts'
import { defaultMapping } from '#domain/mapping.ts'
import { verifiesCheckout } from '#domain/signature/signature.ts'
import type { Clock, Configuration, Idempotency, Ids, Log } from '../../contracts/ports.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import type { SessionTokens } from '../../contracts/session-ports.ts'
import type { RequestNotes } from '../../observe/requests.ts'
import type { Gate } from '../../overload/gate.ts'
import type { Operations } from '../../payments/index.ts'
import { admit, countFailure, goodPasswords, type Known, merchantWithKey, ticketOf } from '../kit/admission.ts'
import { readJsonBody } from '../kit/bodies/json-body.ts'
import type { ValueTree } from '../kit/bodies/value-tree.ts'
import { onceOnly } from '../kit/idempotency.ts'
import { merchantReading } from '../kit/merchant-reading.ts'
import type { PageUrl } from '../kit/page-url.ts'
import type { RequestLimiter } from '../kit/rate-limit.ts'
import type { Reply } from '../kit/reply.ts'
import { readParams } from '../kit/values/params.ts'
import { soundValue } from '../kit/values/read.ts'
import { jsonWire } from '../kit/values/reading.ts'
import { sentIn } from '../kit/values/sent.ts'
import type { Answered, Caller, Endpoint, PreparedEndpoint, Signed } from './endpoint.ts'
import { errorBody } from './error-body.ts'

export interface Kit {
  readonly configuration: Configuration
  readonly operations: Operations
  readonly idempotency: Idempotency
  readonly limiter: RequestLimiter
  readonly gate: Gate
  readonly clock: Clock
  readonly sandbox: boolean
  readonly tokens: SessionTokens
  readonly pageUrl: PageUrl
  readonly ids: Ids
  readonly log: Log
  /** Whether the merchant has an approved form of this name. */
  readonly hasForm: (merchantId: string, formId: string) => Promise<boolean>
}

export interface JsonRequest {
  readonly body: Buffer
  readonly address: string
  readonly requestId: string
  readonly idempotencyKey: string | undefined
}

type Note = (notes: RequestNotes) => void

export async function serve(kit: Kit, endpoint: Endpoint, request: JsonRequest, note: Note): Promise<Reply> {
  note({ protocol: 'checkout', action: endpoint.name })
  const body = bodyOf(request.body)
  const known = merchantOf(kit, body)
  if (known) note({ merchantId: known.merchant.id })
  const mapping = known
    ? kit.configuration.mapping(known.merchant.id, 'CHECKOUT')
    : { ...defaultMapping('CHECKOUT'), merchantId: '' }
  if (!mapping) throw new RefusedError(errors.protocolMappingNotFound)
  if (known) admit(kit.limiter, known, request.address)

  const mode = known?.mode ?? 'test'
  const reading = merchantReading(kit, known?.merchant ?? null, { tree: body, wire: jsonWire, mapping, mode })
  const input = soundValue(readParams(endpoint.params, body, reading))
  // A blank merchant_key is a violation of the table, so that nobody unknown gets past it.
  if (!known) throw invalid({ param: 'merchant_key', text: violations.blank })

  const { operations, tokens, ids, log } = kit
  const { address, requestId } = request
  const caller: Caller = {
    ...known,
    mapping,
    address,
    requestId,
    operations,
    crypto: kit.configuration.cryptoCurrencies(),
    tokens,
    ids,
    log,
    pageUrl: kit.pageUrl(known.merchant, mapping),
    hasForm: (formId) => kit.hasForm(known.merchant.id, formId),
  }
  return kit.gate.pass(ticketOf(known, endpoint.params), async () => {
    const prepared = await entity(kit, endpoint, input, caller)
    await checkHash(kit, caller, prepared.signed, sentIn(body, 'hash'))
    return answer(kit, endpoint, caller, prepared, request, note)
  })
}

/** Members whose content belongs to the merchant: no key inside them is touched. */
const merchantsOwn = ['custom_data', 'parameters']

export function bodyOf(body: Buffer): ValueTree {
  const reading = readJsonBody(body, merchantsOwn)
  if (reading.ok) return reading.tree
  if (reading.fault === 'too-large') throw new RefusedError(errors.requestTooLarge)
  throw invalid({ param: 'body', text: violations.notJson })
}

/** Null when no key was sent at all, which is reported together with the other missing parameters. */
function merchantOf({ configuration }: Kit, body: ValueTree): Known | null {
  const key = sentIn(body, 'merchant_key')
  if (key === undefined) return null
  const known = typeof key === 'string' ? merchantWithKey(configuration, key) : null
  if (!known) throw invalid({ param: 'merchant_key', text: violations.notCorrect })
  return known
}

async function entity(
  kit: Kit,
  endpoint: Endpoint,
  input: Parameters<Endpoint['prepare']>[0],
  caller: Caller,
): Promise<PreparedEndpoint> {
  const prepared = await endpoint.prepare(input, caller)
  if (!isRefusal(prepared)) return prepared
  countFailure(kit.limiter, caller, caller.address)
  throw new RefusedError(prepared)
}

const isRefusal = (value: PreparedEndpoint | Refusal): value is Refusal => 'code' in value

async function checkHash(kit: Kit, caller: Caller, { names, values }: Signed, given: unknown): Promise<void> {
  const passwords = await goodPasswords(kit, caller.merchant.id)
  if (verifiesCheckout(given, names, values, { passwords, digest: caller.mapping.digest })) return
  countFailure(kit.limiter, caller, caller.address)
  throw invalid({ param: 'hash', text: violations.hash })
}

async function answer(
  kit: Kit,
  { path }: Endpoint,
  caller: Caller,
  prepared: PreparedEndpoint,
  request: JsonRequest,
  note: Note,
): Promise<Reply> {
  const run = async (useId: string | null): Promise<Reply> => replyOf(await prepared.run(useId), note)
  const { idempotencyKey: key } = request
  if (key === undefined) return run(null)
  // Two endpoints may take the same members: the address is part of what was asked.
  const body = Buffer.concat([Buffer.from(`${path}\n`), request.body])
  const owner = { merchantId: caller.merchant.id, mode: caller.mode }
  return onceOnly(kit.idempotency, { ...owner, key, body, errorBody }, run, async (useId) => {
    const recalled = await prepared.recall(useId)
    return recalled && replyOf(recalled, note)
  })
}

function replyOf({ answer: told, paymentId }: Answered, note: Note): Reply {
  if (paymentId !== undefined) note({ transId: paymentId })
  return { http: 200, body: JSON.stringify(told) }
}
