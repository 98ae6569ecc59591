/** Recurring chains and schedules as a merchant uses them. Chapter 10 §7.6, §7.7, §7.11 to §7.15. */
import assert from 'node:assert/strict'
import { cardFormulas } from '#domain/signature/signature.ts'
import type { Answer, As, RequestFields, Shop, SignedBy } from './shop.ts'

/** The init pair, as RECURRING_* names it. */
export interface Pair {
  readonly recurring_init_trans_id: string
  readonly recurring_token: string
}

/** A successful first payment, which starts a chain; `over` makes it a DEBIT or puts it on a schedule. */
export async function startChain(shop: Shop, over: RequestFields = {}, as: As = {}): Promise<Pair> {
  const { body } = await shop.sale({ recurring_init: 'Y', ...over }, as)
  assert.equal(body?.result, 'SUCCESS', JSON.stringify(body))
  return pairOf(body)
}

export const pairOf = (body: { trans_id: string; recurring_token: string }): Pair => ({
  recurring_init_trans_id: body.trans_id,
  recurring_token: body.recurring_token,
})

let charges = 0

/** RECURRING_SALE, unless `over` changes it, signed by Formula 1 with the first payment's e-mail and card. */
export function chargeChain(
  shop: Shop,
  pair: Pair,
  over: RequestFields = {},
  as: As & { signedBy?: SignedBy } = {},
): Promise<Answer> {
  charges += 1
  const { key, password } = signerOf(shop, as)
  const values = { email: 'doe@example.com', pan10: '4111111111', ...as.signedBy }
  return shop.raw(
    {
      action: 'RECURRING_SALE',
      client_key: key,
      order_id: `CHARGE-${charges}`,
      order_amount: '8.00',
      order_description: 'Month-2',
      ...pair,
      hash: shop.sign(cardFormulas.start, values, password, as.digest),
      ...over,
    },
    as,
  )
}

export function createSchedule(shop: Shop, over: RequestFields = {}, as: As = {}): Promise<Answer> {
  const { key, password } = signerOf(shop, as)
  return shop.raw(
    {
      action: 'CREATE_SCHEDULE',
      client_key: key,
      name: 'Monthly',
      interval_length: '1',
      interval_unit: 'month',
      payments_count: '12',
      hash: shop.sign(cardFormulas.createSchedule, {}, password, as.digest),
      ...over,
    },
    as,
  )
}

/** Creates a schedule and returns its id. */
export async function newSchedule(shop: Shop, over: RequestFields = {}, as: As = {}): Promise<string> {
  const { body } = await createSchedule(shop, over, as)
  assert.equal(body?.result, 'SUCCESS', JSON.stringify(body))
  return body.schedule_id
}

interface ScheduleOptions {
  /** Fields to add or to replace after signing. */
  readonly over?: RequestFields | undefined
  readonly as?: As
}

/** Any action that names a schedule, signed by Formula 4. */
export function onSchedule(shop: Shop, action: string, id: string, options: ScheduleOptions = {}): Promise<Answer> {
  return shop.raw(scheduleFields(shop, action, id, options), options.as)
}

export function scheduleFields(shop: Shop, action: string, id: string, options: ScheduleOptions = {}): RequestFields {
  const { over = {}, as = {} } = options
  const { key, password } = signerOf(shop, as)
  const hash = shop.sign(cardFormulas.schedule, { schedule_id: id }, password, as.digest)
  return { action, client_key: key, schedule_id: id, hash, ...over }
}

export function signerOf(shop: Shop, { merchant = 'demo', mode = 'live' }: As): { key: string; password: string } {
  const { key, test_key, password } = shop.merchant(merchant)
  return { key: mode === 'live' ? key : test_key, password }
}
