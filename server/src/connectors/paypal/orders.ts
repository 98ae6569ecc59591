/** First steps at PayPal: an order is created, approved by the payer where that is needed, and captured or authorised. */
import type { Answer, Order, Outcome, PayerReturn, StatusQuery } from '../connector.ts'
import { merchantReference } from '../merchant-reference.ts'
import { notExecuted } from '../outcome.ts'
import { jsonBody, type Wire, type WireReply } from '../wire.ts'
import { issueOf, unknown } from './answer.ts'
import type { PaypalCredentials } from './credentials.ts'
import { cancelledByPayer, expiredOrder, type FirstStep, type OrderReading, readOrder } from './order-answer.ts'
import { fromOrder, headersOf } from './request.ts'
import type { PaypalOrder } from './resources.ts'

export type PaypalWire = Wire<PaypalCredentials>

/** PayPal charges a card at once, unless the payer has to be authenticated first. */
export async function begin(step: FirstStep, order: Order, wire: PaypalWire): Promise<Outcome> {
  const request = fromOrder(step === 'sale' ? 'CAPTURE' : 'AUTHORIZE', order, wire.credentials)
  if (!request.ok) return notExecuted(request.reason)
  const { transactionId } = order
  const reply = await wire.post('/v2/checkout/orders', jsonBody(request.body), { headers: headersOf(transactionId) })
  return finish(readOrder(reply, step, merchantReference(order)), { step, ids: order, wire })
}

/** The payer is back. PayPal is asked what happened, since the browser may say anything. */
export async function complete(payer: PayerReturn, wire: PaypalWire): Promise<Outcome> {
  const step = firstStepOf(payer)
  if (step === null || payer.reference === null) return unknown('The order of the acquirer is not known.')
  const reading = await ask(payer.reference, step, payer, wire)
  // An order that is not captured moves no money, and it is never captured after this.
  if (reading.kind === 'outcome' && reading.outcome.result === 'payer-step') return cancelledByPayer
  return finish(reading, { step, ids: payer, wire })
}

/** An order that the payer approved is captured by `complete`; a question must not do that. */
export async function askOrder(query: StatusQuery, step: FirstStep, wire: PaypalWire): Promise<Answer> {
  if (query.reference === null) return { result: 'cannot-be-asked' }
  const reading = await ask(query.reference, step, query, wire)
  return reading.kind === 'outcome' ? reading.outcome : { result: 'cannot-be-asked' }
}

interface Ids {
  readonly transactionId: string
  readonly paymentId: string
}

async function ask(orderId: string, step: FirstStep, ids: Ids, wire: PaypalWire): Promise<OrderReading> {
  const reply = await wire.get(`/v2/checkout/orders/${encodeURIComponent(orderId)}`)
  if (reply.status === 200) return readOrder(reply, step, merchantReference(ids))
  // PayPal forgets orders that the payer has not approved in time.
  const outcome = isForgotten(reply) ? expiredOrder : unknown(`The acquirer answered ${reply.status}.`)
  return { kind: 'outcome', outcome }
}

const isForgotten = (reply: WireReply): boolean =>
  reply.status === 404 && ['INVALID_RESOURCE_ID', 'RESOURCE_NOT_FOUND'].includes(issueOf(reply) ?? '')

interface Completion {
  readonly step: FirstStep
  readonly ids: Ids
  readonly wire: PaypalWire
}

/** Under a key of its own: the transaction's id was the key of the order. */
async function finish(reading: OrderReading, { step, ids, wire }: Completion): Promise<Outcome> {
  if (reading.kind === 'outcome') return reading.outcome
  const { order } = reading
  if (!isAuthenticated(order)) {
    const facts = { reference: order.id }
    return { result: 'declined', reason: 'Authentication failed', declineClass: 'hard', facts }
  }
  const path = `/v2/checkout/orders/${encodeURIComponent(order.id)}/${step === 'sale' ? 'capture' : 'authorize'}`
  const reply = await wire.post(path, jsonBody({}), { headers: headersOf(`${ids.transactionId}-complete`) })
  const done = readOrder(reply, step, merchantReference(ids))
  const outcome = done.kind === 'outcome' ? done.outcome : unknown('The acquirer has not decided yet.')
  // PayPal has the order whatever it answered, so that it can be asked about it.
  return outcome.result === 'unknown' ? { ...outcome, facts: { reference: order.id, ...outcome.facts } } : outcome
}

/**
 * By PayPal's table of 3-D Secure results: the liability shifts, or the issuer does not take part in the authentication. Without a result no
 * authentication was wanted.
 */
function isAuthenticated({ payment_source }: PaypalOrder): boolean {
  const result = payment_source?.card?.authentication_result
  if (!result) return true
  const { liability_shift: shift, three_d_secure: threeDs } = result
  if (shift === 'POSSIBLE' || shift === 'YES') return true
  return shift === 'NO' && ['N', 'U', 'B'].includes(threeDs?.enrollment_status ?? '')
}

export const firstStepOf = ({ operation }: Pick<StatusQuery, 'operation'>): FirstStep | null =>
  operation === 'sale' || operation === 'authorize' ? operation : null
