/** The operator's retry plan: the service itself retries plan payments that were declined softly. Chapter 10 §9.2, chapter 50 §5. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { consentStore } from '#server/store/plans/consents.ts'
import { chargeChain, newSchedule, onSchedule, startChain } from '../../chains.ts'
import { expiryFields, readCallbacks } from '../../payments.ts'
import { planPayments } from '../../plans.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop({ PLAN_RETRY_HOURS: '24,72' })
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const hour = 3_600_000
const day = 24 * hour

interface UnpaidPlan {
  readonly transId: string
  readonly scheduleId: string
  readonly token: string
}

/** The first payment of a plan on a chain with this card expiry, already declined. */
async function declineFirst(expiry: string, days = 30, payments = 12): Promise<UnpaidPlan> {
  const rule = { interval_unit: 'day', interval_length: String(days), payments_count: String(payments) }
  const scheduleId = await newSchedule(shop, rule)
  const { recurring_token: token } = await startChain(shop, { schedule_id: scheduleId, ...expiryFields(expiry) })
  await shop.advance(days * day)
  const [payment] = await planPayments(shop, token)
  assert.equal(payment?.status, 'DECLINED')
  return { transId: payment.transId, scheduleId, token }
}

/** The same for a plan without other payments. */
const declinedPayment = async (expiry: string): Promise<string> => (await declineFirst(expiry, 1, 1)).transId

const declines = (count: number): readonly string[] => Array(count).fill('DECLINED DECLINED')
const events = (transId: string) => readCallbacks(shop, transId, 'RECURRING_SALE')

test('01/2039: the first retry is made after its hours and succeeds, and no other follows', async () => {
  const transId = await declinedPayment('01/2039')
  await shop.advance(day - 60_000)
  assert.deepEqual(await events(transId), declines(1))
  await shop.advance(60_000)
  assert.deepEqual(await events(transId), [...declines(1), 'SUCCESS SETTLED'])
  await shop.advance(10 * day)
  assert.equal((await events(transId)).length, 2)
})

test('03/2039: every retry of the plan is made, and then no more', async () => {
  const transId = await declinedPayment('03/2039')
  await shop.advance(day)
  assert.deepEqual(await events(transId), declines(2))
  await shop.advance(2 * day)
  assert.deepEqual(await events(transId), declines(2))
  await shop.advance(day)
  assert.deepEqual(await events(transId), declines(3))
  await shop.advance(30 * day)
  assert.deepEqual(await events(transId), declines(3))
})

test('02/2039: a hard decline is not retried', async () => {
  const transId = await declinedPayment('02/2039')
  await shop.advance(5 * day)
  assert.deepEqual(await events(transId), declines(1))
})

test('a retry by the merchant replaces the one that was due', async () => {
  const transId = await declinedPayment('03/2039')
  await shop.advance(hour)
  assert.equal((await shop.followUp('RETRY', transId)).body.result, 'ACCEPTED')
  await shop.advance(day)
  assert.deepEqual(await events(transId), declines(2), 'the next is due 72 hours after the last')
  await shop.advance(2 * day)
  assert.deepEqual(await events(transId), declines(3))
})

test('a charge requested by the merchant is not retried automatically', async () => {
  const { body } = await chargeChain(shop, await startChain(shop, expiryFields('03/2039')))
  await shop.advance(5 * day)
  assert.deepEqual(await events(body.trans_id), declines(1))
})

// biome-ignore format: a table is read in columns.
const stops: readonly (readonly [what: string, stop: (plan: UnpaidPlan) => Promise<unknown>])[] = [
  ['was descheduled',                 ({ scheduleId, token }) => onSchedule(shop, 'DESCHEDULE', scheduleId, { over: { recurring_token: token } })],
  ['ended with its schedule',         ({ scheduleId }) => onSchedule(shop, 'DELETE_SCHEDULE', scheduleId)],
  ['ended by the payer’s withdrawal', ({ token }) => consentStore(shop.base.pool).withdraw(merchantId(), token, shop.base.clock.now())],
]

function merchantId(): string {
  const found = shop.service.configuration.byKey(shop.merchant().key)
  assert.ok(found)
  return found.merchant.id
}

for (const [what, stop] of stops) {
  test(`a plan that ${what} charges nothing more, not even by a retry`, async () => {
    const plan = await declineFirst('01/2039')
    await stop(plan)
    await shop.advance(5 * day)
    assert.deepEqual(await events(plan.transId), declines(1))
  })
}

test('nothing is retried while the schedule is paused; the retry follows when it runs again', async () => {
  const plan = await declineFirst('01/2039')
  await onSchedule(shop, 'PAUSE_SCHEDULE', plan.scheduleId)
  await shop.advance(2 * day)
  assert.deepEqual(await events(plan.transId), declines(1))
  await onSchedule(shop, 'RUN_SCHEDULE', plan.scheduleId)
  await shop.advance(hour)
  assert.deepEqual(await events(plan.transId), [...declines(1), 'SUCCESS SETTLED'])
})

test('nothing is retried while the merchant is blocked; the retry follows afterwards', async () => {
  const transId = await declinedPayment('01/2039')
  const put = (status: string) => shop.configure("update merchants set status = $1 where name = 'demo'", [status])
  await put('blocked')
  await shop.advance(2 * day)
  await put('active')
  assert.deepEqual(await events(transId), declines(1))
  await shop.advance(hour)
  assert.deepEqual(await events(transId), [...declines(1), 'SUCCESS SETTLED'])
})

test('a retry that could not be made for two weeks is dropped', async () => {
  const { transId, scheduleId } = await declineFirst('01/2039')
  await onSchedule(shop, 'PAUSE_SCHEDULE', scheduleId)
  for (const days of [10, 10]) await shop.advance(days * day)
  await onSchedule(shop, 'RUN_SCHEDULE', scheduleId)
  await shop.advance(hour)
  assert.deepEqual(await events(transId), declines(1))
})

test('a retry without an available MID is made when one becomes available', async () => {
  const transId = await declinedPayment('01/2039')
  const limited = async (count: number | null) =>
    shop.configure("update mids set day_limit_count = $1 where side = 'live'", [count])
  await limited(0)
  await shop.advance(day)
  assert.deepEqual(await events(transId), declines(1))
  await limited(null)
  await shop.advance(hour)
  assert.deepEqual(await events(transId), [...declines(1), 'SUCCESS SETTLED'])
})
