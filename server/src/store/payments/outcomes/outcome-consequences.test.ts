/** What an outcome changes beyond the payment: chains, plans, deferred commands, saved cards. Chapter 10 §9, chapter 50 §1. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { noProgress } from '#domain/schedule/schedule.ts'
import { testDatabase } from '../../../../test/database.ts'
import { at, newOpening } from '../../../../test/opening-rows.ts'
import { success } from '../../../../test/outcome-records.ts'
import type {
  Opening,
  OutcomeRecord,
  PaymentRecord,
  PlanEnd,
  PlanRecord,
  ScheduleRecord,
} from '../../../contracts/records.ts'
import { scheduleStore } from '../../plans/schedules.ts'
import { paymentStore } from '../payments.ts'

const database = await testDatabase()
after(() => database.drop())
const payments = paymentStore(database.pool)
const schedules = scheduleStore(database.pool)
const later = new Date('2026-03-02T10:00:00Z')

async function opened(of: Partial<PaymentRecord> = {}): Promise<Opening> {
  const one = newOpening({}, of)
  assert.equal(await payments.open(one), 'opened')
  return one
}

async function rowsOf(table: string, paymentId: string): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await database.pool.query(`select * from ${table} where payment_id = $1`, [paymentId])
  return rows
}

const isUnchanged = async ({ payment: { merchantId, id } }: Opening): Promise<boolean> =>
  (await payments.find(merchantId, id))?.version === 1 && (await rowsOf('ledger_entries', id)).length === 0

async function schedule(merchantId: string): Promise<ScheduleRecord> {
  const record: ScheduleRecord = {
    merchantId,
    mode: 'test',
    id: randomUUID(),
    version: 1,
    name: 'Monthly',
    intervalLength: 1,
    intervalUnit: 'month',
    dayOfMonth: null,
    paymentsCount: 12,
    delayedFirstPayment: 'none',
    firstPaymentIntervalLength: null,
    firstPaymentIntervalUnit: null,
    firstPaymentDayOfWeek: null,
    firstPaymentDayOfMonth: null,
    delays: null,
    paused: false,
  }
  await schedules.add(record, at)
  return record
}

/** The payment begins a chain, and a plan for it on the schedule. */
function withPlan(
  one: Opening,
  on: ScheduleRecord,
  chainId: string,
  changes: Partial<OutcomeRecord> = {},
): OutcomeRecord {
  const { merchantId, id } = one.payment
  const subscription: PlanRecord = {
    merchantId,
    id: randomUUID(),
    chainId,
    scheduleId: on.id,
    version: 1,
    state: 'running',
    endedReason: null,
    start: { initiatedOn: '2026-03-01', startDate: null },
    timeOfDay: '10:00:00',
    amountMinor: 1000n,
    amountDecimals: 2,
    progress: noProgress,
    nextDate: '2026-04-01',
    nextAt: later,
    startedBy: id,
    lastPayment: null,
    createdAt: at,
  }
  const chain = { merchantId, id: chainId, firstPayment: id, kind: 'sale', networkTransactionId: null } as const
  return success(one, { chain, plan: { subscription, schedule: on }, ...changes })
}

async function plansOf(merchantId: string): Promise<readonly unknown[]> {
  const { rows } = await database.pool.query(
    'select state, ended_reason, version from subscriptions where merchant_id = $1 order by state, ended_reason',
    [merchantId],
  )
  return rows.map(({ state, ended_reason: reason, version }) => [state, reason, version])
}

test('a plan begins only if its schedule is unchanged since it was read; otherwise nothing is written', async () => {
  const one = await opened()
  const { merchantId } = one.payment
  const [changed, deleted, standing] = [
    await schedule(merchantId),
    await schedule(merchantId),
    await schedule(merchantId),
  ]
  await schedules.change(changed, { ...changed, paused: true }, (plan) => plan)
  await database.pool.query('update schedules set deleted_at = now() where id = $1', [deleted.id])
  const chainId = randomUUID()
  for (const on of [changed, deleted, { ...standing, id: randomUUID() }])
    assert.equal(await payments.settle(withPlan(one, on, chainId)), 'stale')
  for (const on of [changed, deleted]) assert.equal(await payments.enter(withPlan(one, on, chainId)), 'stale')
  assert.deepEqual([await isUnchanged(one), await plansOf(merchantId)], [true, []])
  assert.equal(await payments.settle(withPlan(one, standing, chainId)), 'settled')
  assert.deepEqual(await plansOf(merchantId), [['running', null, 1]])
})

/** A chain of this merchant with a running plan. */
async function running(merchantId: string): Promise<{ readonly chainId: string; readonly planId: string }> {
  const chainId = randomUUID()
  const begins = withPlan(await opened({ merchantId }), await schedule(merchantId), chainId)
  assert.equal(await payments.settle(begins), 'settled')
  return { chainId, planId: begins.plan?.subscription.id ?? assert.fail() }
}

test("a chain's new plan replaces its running one, and no plan of another chain", async () => {
  const merchantId = randomUUID()
  const { chainId } = await running(merchantId)
  await running(merchantId)
  // The chain already exists: a plan alone is also a valid consequence.
  const next = withPlan(await opened({ merchantId }), await schedule(merchantId), chainId, { chain: null })
  assert.equal(await payments.settle(next), 'settled')
  assert.deepEqual(await plansOf(merchantId), [
    ['ended', 'replaced', 2],
    ['running', null, 1],
    ['running', null, 1],
  ])
})

test('an outcome ends the plan that it names by id or chain, once and with its reason', async () => {
  const merchantId = randomUUID()
  const [first, second] = [await running(merchantId), await running(merchantId)]
  await running(merchantId)
  const end = async (endsPlan: PlanEnd): Promise<void> => {
    assert.equal(await payments.settle(success(await opened({ merchantId }), { endsPlan })), 'settled')
  }
  await end({ of: 'subscription', id: first.planId, reason: 'hard decline' })
  await end({ of: 'chain', id: second.chainId, reason: 'chargeback' })
  // An ended plan keeps its reason.
  await end({ of: 'chain', id: first.chainId, reason: 'chargeback' })
  assert.deepEqual(await plansOf(merchantId), [
    ['ended', 'chargeback', 2],
    ['ended', 'hard decline', 2],
    ['running', null, 1],
  ])
})

test('an outcome ends no plan of another merchant', async () => {
  const merchantId = randomUUID()
  const { planId, chainId } = await running(merchantId)
  for (const endsPlan of [
    { of: 'subscription', id: planId },
    { of: 'chain', id: chainId },
  ] as const)
    await payments.settle(success(await opened(), { endsPlan: { ...endsPlan, reason: 'chargeback' } }))
  assert.deepEqual(await plansOf(merchantId), [['running', null, 1]])
})

test('a deferred command and a later query are written with the outcome, and not with a stale one', async () => {
  const one = await opened()
  const { merchantId, id } = one.payment
  const deferred = { merchantId, paymentId: id, command: 'CAPTURE', dueAt: later } as const
  assert.equal(await payments.settle(success(one, { deferred, watchAt: later })), 'settled')
  assert.deepEqual(
    (await rowsOf('deferred_commands', id)).map((row) => [row['command'], row['due_at']]),
    [['CAPTURE', later]],
  )
  assert.deepEqual(
    (await rowsOf('transaction_watches', id)).map((row) => row['next_at']),
    [later],
  )
  const stale = success(one, { deferred: { ...deferred, dueAt: at } })
  assert.equal(await payments.settle(stale), 'stale')
  const before = (await payments.find(merchantId, id)) ?? assert.fail()
  assert.equal(await payments.settle({ ...stale, before, entries: [] }), 'settled')
  assert.deepEqual(
    (await rowsOf('deferred_commands', id)).map((row) => row['due_at']),
    [at],
    'the newer time counts',
  )
})

test('an outcome with a later query only is watched', async () => {
  const one = await opened()
  assert.equal(await payments.settle(success(one, { watchAt: later })), 'settled')
  assert.equal((await rowsOf('transaction_watches', one.payment.id)).length, 1)
})

test('an existing chain stays as it was begun', async () => {
  const one = await opened()
  const { merchantId, id } = one.payment
  const chain = { merchantId, id: randomUUID(), firstPayment: id, kind: 'sale', networkTransactionId: 'N-1' } as const
  assert.equal(await payments.settle(success(one, { chain })), 'settled')
  const again = success(await opened({ merchantId }), { chain: { ...chain, networkTransactionId: 'N-2' } })
  assert.equal(await payments.settle(again), 'settled')
  const { rows } = await database.pool.query('select network_transaction_id as n from chains where id = $1', [chain.id])
  assert.deepEqual(rows, [{ n: 'N-1' }])
})
