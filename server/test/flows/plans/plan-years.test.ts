/**
 * Ten years of a plan on the 31st, with short months, leap years, pauses, a crash and a worker that was down: every due date has exactly
 * one payment, and no other day has one. Chapter 10 §9.3, §9.5, chapter 50 §5.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { daysInMonth } from '#domain/schedule/day.ts'
import { newSchedule, onSchedule, type Pair, startChain } from '../../chains.ts'
import { orphan, withoutOutcome } from '../../crash.ts'
import { moveTo, planEnd, planPayments } from '../../plans.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

/** The plan begins on the last day of next year, so its first payment is in the following January. */
const firstYear = shop.base.clock.now().getUTCFullYear() + 2

/** The last day of a month, counted from the first January of the plan. */
const monthEnd = (index: number): string => {
  const year = firstYear + Math.floor(index / 12)
  const month = (((index % 12) + 12) % 12) + 1
  return `${year}-${String(month).padStart(2, '0')}-${daysInMonth(year, month)}`
}
const monthEnds = (from: number, count: number) => Array.from({ length: count }, (_, index) => monthEnd(from + index))

let scheduleId = ''
let chain: Pair = { recurring_init_trans_id: '', recurring_token: '' }
const payments = () => planPayments(shop, chain.recurring_token)

before(async () => {
  await moveTo(shop, monthEnd(-1))
  scheduleId = await newSchedule(shop, { payments_count: '120' })
  chain = await startChain(shop, { schedule_id: scheduleId })
})

test('the first year, month by month: each payment on its day', async () => {
  for (const date of monthEnds(0, 12)) await moveTo(shop, date, '13:00:00')
  assert.deepEqual(
    (await payments()).map(({ date, madeOn }) => [date, madeOn]),
    monthEnds(0, 12).map((date) => [date, date]),
  )
})

test('a pause of three months moves the remaining payments and drops none', async () => {
  await moveTo(shop, `${firstYear + 1}-01-10`)
  await onSchedule(shop, 'PAUSE', scheduleId)
  await moveTo(shop, `${firstYear + 1}-04-10`)
  await onSchedule(shop, 'RUN', scheduleId)
  await moveTo(shop, monthEnd(15), '13:00:00')
  assert.deepEqual((await payments()).map(({ date }) => date).slice(12), monthEnds(15, 1))
})

test('after a worker died during a payment, the next worker continues', async () => {
  await withoutOutcome(shop, () => moveTo(shop, monthEnd(16), '13:00:00'))
  await orphan(shop)
  await shop.service.awaitIdle()
  await moveTo(shop, monthEnd(17), '13:00:00')
  assert.deepEqual((await payments()).map(({ date }) => date).slice(13), monthEnds(16, 2))
})

test('a worker that was down for years makes all missed payments, and the plan ends with its 120th payment', async () => {
  await moveTo(shop, `${firstYear + 4}-01-01`)
  await moveTo(shop, `${firstYear + 13}-01-01`)
  const all = await payments()
  assert.deepEqual(
    all.map(({ date }) => date),
    [...monthEnds(0, 12), ...monthEnds(15, 108)],
  )
  assert.ok(all.every(({ status }) => status === 'SETTLED'))
  assert.equal(await planEnd(shop, chain.recurring_token), 'completed')
})

test('the acquirer executed each of them once', async () => {
  const reply = await fetch(`${shop.sandbox.url}/ledger`)
  const { entries } = (await reply.json()) as { entries: { payment_id: string; amount: string }[] }
  const taken = entries.map(({ payment_id }) => payment_id).toSorted()
  const ours = [chain.recurring_init_trans_id, ...(await payments()).map(({ transId }) => transId)].toSorted()
  assert.deepEqual(taken, ours)
})
