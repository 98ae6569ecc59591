/** The operator's retry plan: the service itself retries plan payments that were declined softly. Chapter 10 §9.2, chapter 50 §5. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { newSchedule, recurring, startChain } from '../chains.ts'
import { expiring, told } from '../payments.ts'
import { planPayments } from '../plans.ts'
import { openShop } from '../shop.ts'
import { advanceTo } from '../time-of-day.ts'

const shop = await openShop({ PLAN_RETRY_HOURS: '24,72' })
before(() => advanceTo(shop, 12))
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const hour = 3_600_000
const day = 24 * hour

/** The one payment of a plan on a chain of the card with this expiry, already declined. */
async function declined(expiry: string): Promise<string> {
  const schedule_id = await newSchedule(shop, { interval_unit: 'day', payments_count: '1' })
  const { recurring_token } = await startChain(shop, { schedule_id, ...expiring(expiry) })
  await shop.advance(day)
  const [payment] = await planPayments(shop, recurring_token)
  assert.equal(payment?.status, 'DECLINED')
  return payment.transId
}

const declines = (count: number): readonly string[] => Array(count).fill('DECLINED DECLINED')
const events = (transId: string) => told(shop, transId, 'RECURRING_SALE')

test('01/2039: the first retry comes after its hours and succeeds, and no other follows', async () => {
  const transId = await declined('01/2039')
  await shop.advance(day - 60_000)
  assert.deepEqual(await events(transId), declines(1))
  await shop.advance(60_000)
  assert.deepEqual(await events(transId), [...declines(1), 'SUCCESS SETTLED'])
  await shop.advance(10 * day)
  assert.equal((await events(transId)).length, 2)
})

test('03/2039: every retry of the plan is made, and then no more', async () => {
  const transId = await declined('03/2039')
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
  const transId = await declined('02/2039')
  await shop.advance(5 * day)
  assert.deepEqual(await events(transId), declines(1))
})

test("a retry of the merchant's takes the place of the one that was due", async () => {
  const transId = await declined('03/2039')
  await shop.advance(hour)
  assert.equal((await shop.followUp('RETRY', transId)).body.result, 'ACCEPTED')
  await shop.advance(day)
  assert.deepEqual(await events(transId), declines(2), 'the next is due 72 hours after the last')
  await shop.advance(2 * day)
  assert.deepEqual(await events(transId), declines(3))
})

test('a charge that the merchant asked for is not retried by itself', async () => {
  const { body } = await recurring(shop, await startChain(shop, expiring('03/2039')))
  await shop.advance(5 * day)
  assert.deepEqual(await events(body.trans_id), declines(1))
})
