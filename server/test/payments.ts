/** Payments in a known status, and common assertions about them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cardFormulas, type Digest } from '#domain/signature/signature.ts'
import type { Answer, As, Fields, Shop } from './shop.ts'

/** The test card with the expiry that determines its outcome, such as `10/2039`. Chapter 10 §12. */
export function expiryFields(expiry: string): Fields {
  const [month = '', year = ''] = expiry.split('/')
  return { card_exp_month: month, card_exp_year: year }
}

/** Statuses of a payment and how it gets there; each returns the trans_id. */
export const waysInto: Readonly<Record<string, (shop: Shop) => Promise<string>>> = {
  PREPARE: (shop) => makeSale(shop, expiryFields('04/2038')),
  '3DS': (shop) => makeSale(shop, expiryFields('05/2038')),
  REDIRECT: (shop) => makeSale(shop, expiryFields('12/2038')),
  PENDING: (shop) => makeSale(shop, { auth: 'Y' }),
  SETTLED: (shop) => makeSale(shop),
  REVERSAL: (shop) => makeFollowUp(shop, 'CREDITVOID', { auth: 'Y' }),
  REFUND: (shop) => makeFollowUp(shop, 'CREDITVOID'),
  VOID: (shop) => makeFollowUp(shop, 'VOID'),
  DECLINED: (shop) => makeSale(shop, expiryFields('02/2038')),
}

/** A payment in the status, which is verified. */
export async function paymentIn(shop: Shop, status: string): Promise<string> {
  const way = waysInto[status]
  if (!way) throw new Error(`No way into ${status} is known.`)
  const transId = await way(shop)
  assert.equal(await statusOf(shop, transId), status)
  return transId
}

export async function statusOf(shop: Shop, transId: string, as: As = {}): Promise<string> {
  const { body } = await shop.followUp('GET_TRANS_STATUS', transId, {}, as)
  return body.status
}

async function makeSale(shop: Shop, over: Fields = {}): Promise<string> {
  const { body } = await shop.sale(over)
  return body.trans_id
}

async function makeFollowUp(shop: Shop, action: string, over: Fields = {}): Promise<string> {
  const transId = await makeSale(shop, over)
  await shop.followUp(action, transId)
  return transId
}

/** HTTP 400 and the whole error body, byte for byte. Chapter 10 §10.1. */
export function assertRefused(answer: Answer, code: number, message: string): void {
  const body = { result: 'ERROR', error_code: code, error_message: message, errors: [] }
  assert.deepEqual([answer.http, answer.text], [400, JSON.stringify(body)])
}

/** One violation of step 7 or a wrong hash: `amount: This value is not valid.` */
export function assertInvalid(answer: Answer, violation: string): void {
  const body = {
    result: 'ERROR',
    error_code: 100000,
    error_message: 'Request data is invalid.',
    errors: [{ error_code: 100000, error_message: violation }],
  }
  assert.deepEqual([answer.http, answer.text], [400, JSON.stringify(body)])
}

/** Formula 2, by which callbacks are signed. */
export function callbackHash(
  shop: Shop,
  transId: string,
  {
    pan10 = '4111111111',
    merchant = 'demo',
    digest = 'md5',
  }: { pan10?: string; merchant?: string; digest?: Digest } = {},
): string {
  const values = { email: 'doe@example.com', trans_id: transId, pan10 }
  return shop.sign(cardFormulas.followUp, values, shop.merchant(merchant).password, digest)
}

/** The callbacks of one action, as `result status`, in the order of their arrival. */
export async function readCallbacks(shop: Shop, transId: string, action: string): Promise<readonly string[]> {
  const callbacks = await shop.callbacks(transId)
  return callbacks
    .filter(({ fields }) => fields['action'] === action)
    .map(({ fields }) => `${fields['result']} ${fields['status']}`)
}

/** Values that name no payment of this caller: an unknown one, another merchant's, and one of the other mode. Chapter 10 §10.4. */
export async function foreignTransIds(shop: Shop): Promise<readonly (readonly [what: string, transId: string])[]> {
  const foreign = await shop.sale({}, { merchant: 'demo-no-moto' })
  const test = await shop.sale({}, { mode: 'test' })
  return [
    ['an identifier that nothing has', randomUUID()],
    ['a text that is no identifier', 'ORDER-1'],
    ['a payment of another merchant', foreign.body.trans_id],
    ['a payment of the test side', test.body.trans_id],
  ]
}

/** What the sandbox acquirer executed for a payment, such as `capture 750`. */
export async function readEffects(shop: Shop, transId: string): Promise<readonly string[]> {
  return (await shop.readExecuted(transId)).map(({ type, amount }) => `${type} ${amount}`)
}

/** Requests that the sandbox acquirer received repeatedly; a gateway that only queries the status never makes one. */
export async function countRepeatedRequests(shop: Shop): Promise<number> {
  const reply = await fetch(`${shop.sandbox.url}/ledger/summary`)
  const { repeated_requests } = (await reply.json()) as { repeated_requests: number }
  return repeated_requests
}
