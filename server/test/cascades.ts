/** Cascades in tests: the attempts of an order, and the merchant's callbacks about them. Chapter 10 §6.2. */
import assert from 'node:assert/strict'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { saveBrand } from '#server/setup/brands.ts'
import { holdAnswers } from './hosts/held-answers.ts'
import type { Answer, RequestFields, Shop } from './shop.ts'

interface AttemptRow {
  readonly id: string
  readonly attempt: number
  readonly cascade_id: string | null
  readonly cascading: string | null
  readonly status: string
  readonly mid: string
}

/** In the order in which they were made. */
export async function attemptsOf({ base }: Shop, orderId: string): Promise<readonly AttemptRow[]> {
  const { rows } = await base.pool.query<AttemptRow>(
    `select payments.id, attempt, cascade_id, cascading, status, regexp_replace(mids.name, '^.*-', '') as mid
     from payments join mids on mids.id = mid_id where order_id = $1 order by attempt`,
    [orderId],
  )
  return rows
}

/** `1 DECLINED`: the number of the account's MID and the result of the attempt there. */
export const attemptPath = async (shop: Shop, orderId: string): Promise<readonly string[]> =>
  (await attemptsOf(shop, orderId)).map(({ mid, status }) => `${mid} ${status}`)

/** `2 SUCCESS`: the number of the attempt and the result of each callback, after all were delivered. */
export async function resultsCalledBack(shop: Shop, orderId: string): Promise<readonly string[]> {
  await shop.service.awaitIdle()
  const attempts = new Map((await attemptsOf(shop, orderId)).map(({ id, attempt }) => [id, attempt]))
  return shop.receiver.received
    .filter(({ fields }) => fields['order_id'] === orderId)
    .map(({ fields }) => `${attempts.get(fields['trans_id'] ?? '')} ${fields['result']}`)
}

/** Makes the MIDs with these numbers decline softly, or be down. */
export async function setFaults(shop: Shop, merchant: string, mids: Readonly<Record<number, object>>): Promise<void> {
  for (const [number, faults] of Object.entries(mids)) await shop.scenario({ mid: `${merchant}-${number}`, ...faults })
}

export const softDeclines = { decline_soft: { count: 1, of: 1 } }
export const outage = { down: true }

interface Meanwhile {
  readonly merchant: string
  readonly sent: RequestFields
  /** Runs after the acquirer of the first MID has executed the request and before it answers. */
  readonly meanwhile: () => Promise<unknown>
}

/** A SALE whose first attempt gets its answer only after something else has happened. */
export async function saleWhileAnswerIsHeld(shop: Shop, { merchant, sent, meanwhile }: Meanwhile): Promise<Answer> {
  await using held = await holdAnswers(shop, `${merchant}-1`)
  const sale = shop.sale(sent, { merchant })
  await Promise.race([held.reached, sale])
  await meanwhile()
  held.release()
  return await sale
}

/** Switches cascading of a brand on or off. */
export async function withCascade({ base, service }: Shop, code: string, cascade: boolean): Promise<void> {
  const brand = service.configuration.brand(code)
  assert.ok(brand)
  const context = { pool: base.pool, clock: base.clock, by: 'test' }
  assert.equal((await saveBrand(context, { ...writtenBrand(brand), cascade })).kind, 'saved')
  await service.configuration.refresh()
}
