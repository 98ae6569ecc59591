/**
 * The worker of plans: what a plan payment is, what ends a plan, and one payment per date whatever happens. Chapter 10 §9.2, chapter 50 §5.
 */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { addDays } from '#domain/schedule/day.ts'
import { openProcessContext } from '#server/assembly/process-context.ts'
import { wireService } from '#server/wiring.ts'
import { openAccount } from '../../account.ts'
import { chargeChain, newSchedule, onSchedule, type Pair, startChain } from '../../chains.ts'
import { orphan, withoutOutcome, withRefusedRows } from '../../crash.ts'
import {
  callbackHash,
  countRepeatedRequests,
  expiryFields,
  readCallbacks,
  readEffects,
  statusOf,
} from '../../payments.ts'
import { planDates, planEnd, planPayments } from '../../plans.ts'
import { type As, openShop, type RequestFields } from '../../shop.ts'
import { advanceTo } from '../../time-of-day.ts'

const shop = await openShop({}, ['chargebacks'])
afterEach(async () => {
  await shop.clearScenario()
  await shop.choose({})
  // Each test starts without the plans of the others.
  await shop.base.pool.query("update subscriptions set state = 'ended', next_at = null where state = 'running'")
})
after(() => shop[Symbol.asyncDispose]())

const hour = 3_600_000
const day = 24 * hour
const today = (): string => shop.base.clock.now().toISOString().slice(0, 10)
const days = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => addDays(today(), index + 1))

interface Plan extends Pair {
  readonly scheduleId: string
}

/** A chain on its own schedule, one payment a day. */
async function startDailyPlan(count: number, over: RequestFields = {}, as: As = {}): Promise<Plan> {
  const schedule = { interval_unit: 'day', payments_count: String(count) }
  const scheduleId = await newSchedule(shop, schedule, as)
  return { ...(await startChain(shop, { schedule_id: scheduleId, ...over }, as)), scheduleId }
}

const datesOf = ({ recurring_token }: Pair) => planDates(shop, recurring_token)
const paymentsOf = ({ recurring_token }: Pair) => planPayments(shop, recurring_token)
const endOf = ({ recurring_token }: Pair) => planEnd(shop, recurring_token)

async function firstOf(plan: Pair): Promise<string> {
  const [payment] = await paymentsOf(plan)
  assert.ok(payment, 'a plan payment was made')
  return payment.transId
}

test('chapter 10 §13.7: a plan payment is called back as RECURRING_SALE with order and custom_data of the payment that started the plan', async () => {
  const plan = await startDailyPlan(1, {
    order_id: 'ORDER-1008',
    payment_schedule_amount: '9.99',
    'custom_data[cart]': '778',
  })
  await shop.advance(day)
  const transId = await firstOf(plan)
  const [callback, ...more] = await shop.callbacks(transId)
  assert.equal(more.length, 0)
  const { trans_date, ...fields } = callback?.fields ?? {}
  assert.match(trans_date, /^\d{4}-\d\d-\d\d 12:\d\d:\d\d$/)
  assert.deepEqual(fields, {
    action: 'RECURRING_SALE',
    result: 'SUCCESS',
    status: 'SETTLED',
    order_id: 'ORDER-1008',
    trans_id: transId,
    hash: callbackHash(shop, transId),
    descriptor: 'TEST',
    amount: '9.99',
    currency: 'EUR',
    card: '411111******1111',
    card_expiration_date: '01/2038',
    recurring_init_trans_id: plan.recurring_init_trans_id,
    recurring_token: plan.recurring_token,
    schedule_id: plan.scheduleId,
    'custom_data[cart]': '778',
  })
  assert.deepEqual(await readEffects(shop, transId), ['sale 999'])
  const { body } = await shop.followUp('GET_TRANS_STATUS', transId)
  assert.equal(Object.keys(body).join(' '), 'action result status order_id trans_id schedule_id')
})

test('without payment_schedule_amount the amount is that of the payment that started the plan', async () => {
  const plan = await startDailyPlan(1, { order_currency: 'JPY', order_amount: '500.00' })
  await shop.advance(day)
  const [callback] = await shop.callbacks(await firstOf(plan))
  assert.deepEqual([callback?.fields['amount'], callback?.fields['currency']], ['500.00', 'JPY'])
})

test('a chain of debits makes RECURRING_DEBIT', async () => {
  const plan = await startDailyPlan(1, { action: 'DEBIT' })
  await shop.advance(day)
  const transId = await firstOf(plan)
  assert.deepEqual(await readCallbacks(shop, transId, 'RECURRING_DEBIT'), ['SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, transId), ['debit 1000'])
})

test('its source is the schedule', async () => {
  await shop.choose({ addToCallback: ['initiator', 'sequence', 'source'] })
  const plan = await startDailyPlan(1)
  await shop.advance(day)
  const fields = (await shop.callbacks(await firstOf(plan))).at(-1)?.fields ?? {}
  assert.deepEqual([fields['initiator'], fields['sequence'], fields['source']], ['merchant', 'subsequent', 'schedule'])
})

test('callback_url of the payment that started the plan also receives callbacks of its payments', async () => {
  const plan = await startDailyPlan(1, { callback_url: `${shop.receiver.url}/plan` })
  await shop.advance(day)
  const [callback] = await shop.callbacks(await firstOf(plan))
  assert.equal(callback?.path, '/notify/plan')
})

test('without callback_url they go to the notification URL of that time', async () => {
  const merchant = await openAccount(shop)
  const plan = await startDailyPlan(1, {}, { merchant })
  await shop.configure('update merchants set notification_url = $1 where name = $2', [
    `${shop.receiver.url}/moved`,
    merchant,
  ])
  await shop.advance(day)
  const [callback] = await shop.callbacks(await firstOf(plan))
  assert.equal(callback?.path, '/notify/moved')
})

test('a plan makes as many payments as its schedule says, not counting the one that started it', async () => {
  const plan = await startDailyPlan(3)
  const dates = days(3)
  for (const _ of dates) await shop.advance(day)
  assert.deepEqual(await datesOf(plan), dates)
  assert.equal(await endOf(plan), 'completed')
  await shop.advance(30 * day)
  assert.deepEqual(await datesOf(plan), dates)
})

test('a payment is made at the time of day at which the first one succeeded', async () => {
  const plan = await startDailyPlan(1)
  await shop.advance(day - 10 * 60_000)
  assert.deepEqual(await datesOf(plan), [])
  await shop.advance(10 * 60_000)
  assert.equal((await datesOf(plan)).length, 1)
})

test("dates and times are in the merchant's time zone", async () => {
  await advanceTo(shop, 2)
  const merchant = await openAccount(shop, { merchant: { timeZone: 'America/Los_Angeles' } })
  const yesterday = addDays(today(), -1)
  const plan = await startDailyPlan(1, {}, { merchant })
  const { body } = await shop.followUp('GET_TRANS_STATUS', plan.recurring_init_trans_id, {}, { merchant })
  assert.equal(body.first_recurring_date, addDays(yesterday, 1), 'D is yesterday there')
  await shop.advance(day)
  assert.deepEqual(await datesOf(plan), [addDays(yesterday, 1)])
})

test('schedule_start_date of today is charged at once', async () => {
  const plan = await startDailyPlan(2, { schedule_start_date: today() })
  await shop.service.awaitIdle()
  assert.deepEqual(await datesOf(plan), [today()])
})

test('a worker that was down makes every missed payment, one per date and oldest first', async () => {
  const plan = await startDailyPlan(5)
  const dates = days(5)
  await shop.advance(4 * day)
  const payments = await paymentsOf(plan)
  assert.deepEqual(
    payments.map(({ date }) => date),
    dates.slice(0, 4),
  )
  for (const { transId, madeOn } of payments) {
    assert.equal(madeOn, today())
    assert.deepEqual(await readEffects(shop, transId), ['sale 1000'])
  }
  await shop.advance(day)
  assert.deepEqual(await datesOf(plan), dates)
})

test('a missed payment waits until the one before it has an outcome', async () => {
  const { body } = await shop.sale({
    recurring_init: 'Y',
    schedule_id: await newSchedule(shop, { interval_unit: 'day', payments_count: '3' }),
    ...expiryFields('04/2038'),
  })
  await shop.advance(31_000)
  const decided = (await shop.callbacks(body.trans_id)).at(-1)
  const plan = { recurring_init_trans_id: body.trans_id, recurring_token: decided?.fields['recurring_token'] }
  await shop.advance(2 * day)
  assert.deepEqual(
    (await paymentsOf(plan)).map(({ status }) => status),
    ['PREPARE'],
  )
  await shop.advance(31_000)
  assert.deepEqual(
    (await paymentsOf(plan)).map(({ status }) => status),
    ['SETTLED', 'PREPARE'],
  )
})

test('a soft decline counts, and the plan continues; RETRY may repair it', async () => {
  const plan = await startDailyPlan(2, expiryFields('01/2039'))
  await shop.advance(2 * day)
  const [first, second] = await paymentsOf(plan)
  assert.deepEqual([first?.status, second?.status], ['DECLINED', 'DECLINED'])
  assert.equal(await endOf(plan), 'completed')
  const { body } = await shop.followUp('RETRY', first?.transId ?? '')
  assert.equal(body.result, 'ACCEPTED')
  assert.deepEqual(await readCallbacks(shop, first?.transId ?? '', 'RECURRING_SALE'), [
    'DECLINED DECLINED',
    'SUCCESS SETTLED',
  ])
})

test('a hard decline ends the plan, and the chain stays', async () => {
  const plan = await startDailyPlan(5, expiryFields('02/2039'))
  await shop.advance(3 * day)
  assert.deepEqual(
    (await paymentsOf(plan)).map(({ status }) => status),
    ['DECLINED'],
  )
  assert.equal(await endOf(plan), 'hard decline')
  assert.equal((await chargeChain(shop, plan)).http, 200)
})

test('a hard decline of a charge that the merchant asked for does not end the plan', async () => {
  const plan = await startDailyPlan(1, expiryFields('02/2039'))
  assert.equal((await chargeChain(shop, plan)).body.status, 'DECLINED')
  assert.equal(await endOf(plan), null)
})

for (const action of ['CREDITVOID', 'VOID']) {
  test(`${action} of the payment that started the plan does not end it`, async () => {
    const plan = await startDailyPlan(1)
    await shop.followUp(action, plan.recurring_init_trans_id)
    await shop.advance(day)
    assert.equal((await datesOf(plan)).length, 1)
  })
}

test('a chargeback on the first payment ends the plan', async () => {
  const plan = await startDailyPlan(3, expiryFields('04/2040'))
  await shop.advance(61_000)
  assert.equal(await endOf(plan), 'chargeback')
  await shop.advance(2 * day)
  assert.deepEqual(await datesOf(plan), [])
})

test('a chargeback on any later payment of the chain ends the plan', async () => {
  const plan = await startDailyPlan(3, { auth: 'Y', ...expiryFields('04/2040') })
  const { body } = await chargeChain(shop, plan)
  await shop.advance(61_000)
  assert.equal(await statusOf(shop, body.trans_id), 'CHARGEBACK')
  assert.equal(await endOf(plan), 'chargeback')
})

// biome-ignore format: a table is read in columns.
const stops = [
  // what stops it                    action             over                                                      why
  ['DESCHEDULE of the chain',        'DESCHEDULE',      (plan: Plan): RequestFields => ({ recurring_token: plan.recurring_token }), 'descheduled'],
  ['DESCHEDULE of every chain',      'DESCHEDULE',      (): RequestFields => ({}),                                         'descheduled'],
  ['DELETE_SCHEDULE',                'DELETE_SCHEDULE', (): RequestFields => ({}),                                         'schedule deleted'],
] as const

for (const [what, action, over, why] of stops) {
  test(`${what} stops the plan, and the chain stays usable`, async () => {
    const plan = await startDailyPlan(3)
    await shop.advance(day)
    await onSchedule(shop, action, plan.scheduleId, { over: over(plan) })
    await shop.advance(2 * day)
    assert.equal((await datesOf(plan)).length, 1)
    assert.equal(await endOf(plan), why)
    assert.equal((await chargeChain(shop, plan)).body.result, 'SUCCESS')
  })
}

test('while the schedule is paused no payment is made, and RUN does not make up for them', async () => {
  const plan = await startDailyPlan(2)
  await onSchedule(shop, 'PAUSE', plan.scheduleId)
  await shop.advance(3 * day + hour)
  assert.deepEqual(await datesOf(plan), [])
  await onSchedule(shop, 'RUN', plan.scheduleId)
  await shop.service.awaitIdle()
  const dates = [today(), addDays(today(), 1)]
  assert.deepEqual(await datesOf(plan), dates.slice(0, 1), 'the day of RUN itself counts, and its time has passed')
  await shop.advance(day)
  assert.deepEqual(await datesOf(plan), dates)
})

test('RECURRING_SALE with a schedule replaces the plan of the chain, counted from itself', async () => {
  const plan = await startDailyPlan(5)
  await shop.advance(day)
  const weekly = await newSchedule(shop, { interval_unit: 'week', payments_count: '2' })
  const { body } = await chargeChain(shop, plan, { order_id: 'NEW-PLAN', schedule_id: weekly, order_amount: '3.00' })
  assert.equal(body.first_recurring_date, addDays(today(), 7))
  const dates = await datesOf(plan)
  await shop.advance(7 * day)
  assert.deepEqual(await datesOf(plan), [...dates, today()])
  const transId = (await paymentsOf(plan)).at(-1)?.transId ?? ''
  const [callback] = await shop.callbacks(transId)
  const { order_id, amount, schedule_id } = callback?.fields ?? {}
  assert.deepEqual([order_id, amount, schedule_id], ['NEW-PLAN', '3.00', weekly])
})

test('a declined RECURRING_SALE leaves the former plan unchanged', async () => {
  const plan = await startDailyPlan(1, expiryFields('03/2039'))
  const { body } = await chargeChain(shop, plan, { schedule_id: await newSchedule(shop) })
  assert.equal(body.status, 'DECLINED')
  await shop.advance(day)
  assert.equal((await datesOf(plan)).length, 1)
})

test('a RETRY that succeeds puts the chain on the schedule that its charge had requested', async () => {
  const pair = await startChain(shop, expiryFields('01/2039'))
  const { body } = await chargeChain(shop, pair, { schedule_id: await newSchedule(shop, { interval_unit: 'day' }) })
  assert.equal(body.first_recurring_date, undefined)
  await shop.followUp('RETRY', body.trans_id)
  const callback = (await shop.callbacks(body.trans_id)).at(-1)
  assert.equal(callback?.fields['first_recurring_date'], addDays(today(), 1))
  await shop.advance(day)
  assert.equal((await datesOf(pair)).length, 1)
})

test('a schedule that was deleted while its payment was in progress starts no plan', async () => {
  const schedule_id = await newSchedule(shop)
  const { body } = await shop.sale({ recurring_init: 'Y', schedule_id, ...expiryFields('04/2038') })
  await onSchedule(shop, 'DELETE_SCHEDULE', schedule_id)
  await shop.advance(31_000)
  const callback = (await shop.callbacks(body.trans_id)).at(-1)
  assert.equal(callback?.fields['result'], 'SUCCESS')
  assert.equal(callback?.fields['first_recurring_date'], undefined)
  assert.ok(callback?.fields['recurring_token'])
})

test('a payment without an available MID is made once there is one, and one alert is raised', async () => {
  const merchant = await openAccount(shop)
  const as = { merchant }
  const plan = await startDailyPlan(2, {}, as)
  const dates = days(2)
  await shop.configure('update mids set enabled = false where name = $1', [`${merchant}-1`])
  await shop.advance(day)
  await shop.advance(hour)
  assert.deepEqual(await datesOf(plan), [])
  const { rows } = await shop.base.pool.query(
    "select text from alerts where kind = 'plan-payment-refused' and payment_id = $1",
    [plan.recurring_init_trans_id],
  )
  assert.equal(rows.length, 1)
  assert.match(rows[0].text, /Enabled merchant mappings or MIDs not found\./)
  await shop.configure('update mids set enabled = true where name = $1', [`${merchant}-1`])
  await shop.advance(hour)
  assert.deepEqual(await datesOf(plan), dates.slice(0, 1))
  await shop.advance(day)
  assert.deepEqual(await datesOf(plan), dates)
})

test('a blocked merchant is charged nothing until it is active again', async () => {
  const merchant = await openAccount(shop)
  const plan = await startDailyPlan(2, {}, { merchant })
  await shop.configure("update merchants set status = 'blocked' where name = $1", [merchant])
  await shop.advance(2 * day)
  assert.deepEqual(await datesOf(plan), [])
  await shop.configure("update merchants set status = 'active' where name = $1", [merchant])
  await shop.advance(hour)
  assert.equal((await datesOf(plan)).length, 2)
})

test('"Reject duplicate orders" does not apply to plan payments', async () => {
  await shop.choose({ rejectDuplicateOrders: true })
  const plan = await startDailyPlan(2, { order_id: 'PLAN-ALONE' })
  await shop.advance(2 * day)
  assert.deepEqual(
    (await paymentsOf(plan)).map(({ status }) => status),
    ['SETTLED', 'SETTLED'],
  )
})

async function assertOnce(plan: Pair, dates: readonly string[]): Promise<void> {
  const payments = await paymentsOf(plan)
  assert.deepEqual(
    payments.map(({ date }) => date),
    dates,
  )
  for (const { transId, status } of payments) {
    assert.equal(status, 'SETTLED')
    assert.deepEqual(await readEffects(shop, transId), ['sale 1000'])
    assert.deepEqual(await readCallbacks(shop, transId, 'RECURRING_SALE'), ['SUCCESS SETTLED'])
  }
}

test('a worker died after the acquirer executed: the payment is found and not made again', async () => {
  const plan = await startDailyPlan(2)
  const dates = days(2)
  const repeated = await countRepeatedRequests(shop)
  await shop.scenario({ ignore_keys: true })
  await withoutOutcome(shop, () => shop.advance(day))
  await orphan(shop)
  await shop.service.awaitIdle()
  await shop.advance(day)
  await assertOnce(plan, dates)
  assert.equal(await countRepeatedRequests(shop), repeated)
})

for (const minutesAgo of [0, 600]) {
  test(`a worker died before the acquirer got the request, found after ${minutesAgo} minutes: the payment is made once`, async () => {
    const plan = await startDailyPlan(2)
    const dates = days(2)
    await shop.scenario({ down: true })
    await withoutOutcome(shop, () => shop.advance(day))
    await shop.clearScenario()
    await orphan(shop, minutesAgo)
    await shop.service.awaitIdle()
    await shop.advance(day)
    await assertOnce(plan, dates)
  })
}

test('a worker died before the intent was written: the date is still due, once its lease has expired', async () => {
  const plan = await startDailyPlan(1)
  const dates = days(1)
  await withRefusedRows(shop, 'transactions', () => shop.advance(day))
  assert.deepEqual(await datesOf(plan), [])
  await shop.base.pool.query('update subscriptions set lease_until = clock_timestamp() where lease_until is not null')
  await shop.service.awaitIdle()
  await assertOnce(plan, dates)
})

test('a lost answer leaves the payment to the reconciler, and the next date waits for it', async () => {
  const plan = await startDailyPlan(2)
  const dates = days(2)
  await shop.scenario({ drop_reply: { count: 1, of: 1 }, ignore_keys: true })
  await shop.advance(2 * day)
  assert.deepEqual(
    (await paymentsOf(plan)).map(({ status }) => status),
    ['PREPARE'],
  )
  await shop.clearScenario()
  await shop.advance(6_000)
  const payments = await paymentsOf(plan)
  assert.deepEqual(
    payments.map(({ date }) => date),
    dates,
  )
  for (const { transId } of payments) assert.deepEqual(await readEffects(shop, transId), ['sale 1000'])
})

test('two processes on one database make one payment per date', async () => {
  const plans = await Promise.all(Array.from({ length: 8 }, () => startDailyPlan(6)))
  const dates = days(6)
  const base = await openProcessContext(shop.base.config, shop.base.databaseUrl, shop.base.log)
  const other = await wireService(base, shop.sandbox.url)
  try {
    for (const step of [1, 3, 2]) {
      base.clock.moveTo(shop.base.clock.offsetMs + step * day)
      await Promise.all([shop.advance(step * day), other.awaitIdle()])
    }
    await Promise.all([shop.service.awaitIdle(), other.awaitIdle()])
  } finally {
    await other.stop()
  }
  for (const plan of plans) await assertOnce(plan, dates)
})

test('plans follow their schedule through changes made while they run', async () => {
  const scheduleId = await newSchedule(shop, { interval_unit: 'day', payments_count: '4' })
  const chains: Pair[] = []
  for (let count = 0; count < 6; count += 1) chains.push(await startChain(shop, { schedule_id: scheduleId }))
  const dates = days(4)
  const rename = (name: string) => onSchedule(shop, 'UPDATE_SCHEDULE', scheduleId, { over: { name } })
  await Promise.all([shop.advance(4 * day), ...['a', 'b', 'c', 'd', 'e'].map(rename)])
  await shop.service.awaitIdle()
  for (const chain of chains) await assertOnce(chain, dates)
})
