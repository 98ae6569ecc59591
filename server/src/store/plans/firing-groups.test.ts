/** Plans that are fired at the same time share a statement, and each passes or fails by itself. See decisions/plans#shared-statements. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { at, newOpening } from '../../../test/opening-rows.ts'
import type { Firing, ScheduleRecord } from '../../contracts/records.ts'
import { openPool } from '../database/pool.ts'
import { planStore } from './plans.ts'
import { scheduleStore } from './schedules.ts'

const database = await testDatabase()
/** One connection, which shows what was prepared on it. */
const pool = openPool(database.url, { max: 1, applicationName: 'firing' })
after(async () => {
  await pool.end()
  await database.drop()
})
const plans = planStore(pool)
const merchantId = randomUUID()

async function addSchedule(): Promise<ScheduleRecord> {
  const id = randomUUID()
  await pool.query(
    `insert into schedules (merchant_id, id, name, interval_length, interval_unit, payments_count, delayed_first_payment, created_at)
     values ($1, $2, 'Monthly', 1, 'month', 12, 'none', now())`,
    [merchantId, id],
  )
  const schedule = await scheduleStore(pool).find(merchantId, id)
  assert.ok(schedule)
  return schedule
}

/** Plans that are due, and the payments that they are about to make. */
async function duePlans(schedule: ScheduleRecord, count: number): Promise<readonly Firing[]> {
  for (let index = 0; index < count; index += 1) {
    const [id, chainId] = [randomUUID(), randomUUID()]
    await pool.query(
      `insert into chains (merchant_id, id, first_payment, kind, created_at) values ($1, $2, $2, 'sale', now())`,
      [merchantId, chainId],
    )
    await pool.query(
      `insert into subscriptions (merchant_id, id, chain_id, schedule_id, state, d, time_of_day, amount_minor, amount_decimals, plan,
         next_date, next_at, started_by, created_at)
       values ($1, $2, $3, $4, 'running', '2026-02-01', '10:00', 1000, 2, '{"made": 0}', '2026-03-01', $5, $3, now())`,
      [merchantId, id, chainId, schedule.id, at],
    )
  }
  return (await plans.claim(at, count, 60)).map((before) => ({
    before,
    after: {
      ...before,
      progress: { ...before.progress, made: 1 },
      nextDate: '2026-04-01',
      nextAt: new Date('2026-04-01T10:00:00Z'),
    },
    schedule,
    opening: newOpening(
      {},
      {
        merchantId,
        chainId: before.chainId,
        subscriptionId: before.id,
        planDate: before.nextDate,
        facts: { network: 'visa' },
      },
    ),
  }))
}

const fireAll = (firings: readonly Firing[]) => Promise.all(firings.map((firing) => plans.fire(firing)))

/** What was written for a firing, without identifiers and times that the database sets. */
async function rowsOf({ before, opening }: Firing): Promise<unknown> {
  const unique = `'{id,payment_id,first_transaction,open_transaction,in_flight_until,chain_id,subscription_id,last_payment,started_by,created_at,mid_id,sent_at,ask_at,written_in}'::text[]`
  const { rows } = await pool.query(
    `select (select to_jsonb(s) - ${unique} from subscriptions s where merchant_id = $1 and id = $2) as plan,
       (select to_jsonb(p) - ${unique} from payments p where merchant_id = $1 and id = $3) as payment,
       (select jsonb_agg(to_jsonb(t) - ${unique}) from transactions t where merchant_id = $1 and payment_id = $3) as transactions,
       (select jsonb_agg(plan_date) from plan_claims where merchant_id = $1 and subscription_id = $2 and payment_id = $3) as dates,
       (select last_payment = $3 from subscriptions where merchant_id = $1 and id = $2) as is_last`,
    [merchantId, before.id, opening.payment.id],
  )
  return rows[0]
}

const countPayments = async (firings: readonly Firing[]): Promise<number> =>
  (
    await pool.query('select 1 from payments where merchant_id = $1 and subscription_id = any($2)', [
      merchantId,
      firings.map(({ before }) => before.id),
    ])
  ).rowCount ?? 0

test('plans that are fired together leave the same rows as one that is fired alone', async () => {
  const firings = await duePlans(await addSchedule(), 4)
  assert.deepEqual(await fireAll(firings), ['fired', 'fired', 'fired', 'fired'])
  const { rowCount } = await pool.query("select 1 from pg_prepared_statements where name = 'subscription.fire-group'")
  assert.equal(rowCount, 1)
  const [alone, ...together] = await Promise.all(firings.map(rowsOf))
  for (const rows of together) assert.deepEqual(rows, alone)
  assert.deepEqual(
    Object.values(alone as object).filter((value) => value === null),
    [],
  )
})

test('a plan that has changed and one whose schedule is paused are not fired, and the others are', async () => {
  const [schedule, paused] = [await addSchedule(), await addSchedule()]
  const firings = [...(await duePlans(schedule, 4)), ...(await duePlans(paused, 1))]
  await pool.query('update subscriptions set version = version + 1 where merchant_id = $1 and id = $2', [
    merchantId,
    firings[2]?.before.id,
  ])
  await pool.query('update schedules set paused = true where merchant_id = $1 and id = $2', [merchantId, paused.id])
  assert.deepEqual(await fireAll(firings), ['fired', 'fired', 'stale', 'fired', 'stale'])
  assert.equal(await countPayments(firings), 3)
})

test('a date that was charged before fails alone', async () => {
  const firings = await duePlans(await addSchedule(), 4)
  const [, second] = firings
  await pool.query(
    'insert into plan_claims (merchant_id, subscription_id, plan_date, payment_id) values ($1, $2, $3, $4)',
    [merchantId, second?.before.id, second?.before.nextDate, randomUUID()],
  )
  const results = await Promise.allSettled(firings.map((firing) => plans.fire(firing)))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.equal(await countPayments(firings), 3)
})

test('a plan that another one has locked does not hold up the others of its group', async () => {
  const several = openPool(database.url, { max: 4, applicationName: 'firing' })
  const store = planStore(several)
  const firings = await duePlans(await addSchedule(), 4)
  const other = await several.connect()
  try {
    await other.query('begin')
    await other.query('select 1 from subscriptions where merchant_id = $1 and id = $2 for update', [
      merchantId,
      firings[1]?.before.id,
    ])
    const fired = firings.map((firing) => store.fire(firing))
    assert.deepEqual(await Promise.all([fired[0], fired[2], fired[3]]), ['fired', 'fired', 'fired'])
    await other.query('commit')
    assert.equal(await fired[1], 'fired')
  } finally {
    other.release()
    await several.end()
  }
  assert.equal(await countPayments(firings), 4)
})
