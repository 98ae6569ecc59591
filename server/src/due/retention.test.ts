import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { retention } from '#domain/retention.ts'
import { usualBudgets } from '#domain/routing/budget.ts'
import { purgeBatch } from '#server/panel/instance/retention.ts'
import { systemIds } from '#server/process/ids.ts'
import { claimRetention } from '#server/store/retention/retention-runs.ts'
import { testDatabase } from '../../test/database.ts'
import { runRetention } from './retention.ts'

const database = await testDatabase()
after(() => database.drop())
const { pool } = database

const hour = 3_600_000
let now = new Date('2030-05-01T12:00:00Z')
const clock = { now: () => now }
const ids = systemIds(clock)
const quiet = () => undefined
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const retentionPlan = retention({ cards: 180, payers: 1095 }, usualBudgets)

const claim = (limit = 10) => claimRetention(pool, ['idempotency keys'], { now, limit, leaseSeconds: 60 })
const worker = () =>
  runRetention({
    claim: (_kinds, due) => claimRetention(pool, ['idempotency keys'], due),
    purge: (run) => purgeBatch({ pool, clock }, retentionPlan, run),
    clock,
    ids,
    log,
  })

const entries = async (): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ after: string }>(
    `select after from audit_log where action = 'retention.purge' order by seq`,
  )
  return rows.map((row) => JSON.parse(row.after).removed)
}
const left = async (): Promise<number> => (await pool.query('select from idempotency_keys')).rows.length

/** This many records from two days ago, and one from now. */
async function makeRecords(old: number): Promise<void> {
  await pool.query(
    `insert into idempotency_keys (merchant_id, key, body_hash, use_id, created_at)
     select gen_random_uuid(), 'K' || n, '\\x00', gen_random_uuid(), case n when 0 then $2::timestamptz else $2::timestamptz - interval '2 days' end
     from generate_series(0, $1::int) as n`,
    [old, now],
  )
}

const batch = limits.retention.batch

beforeEach(async () => {
  now = new Date(now.getTime() + 48 * hour)
  await pool.query('truncate idempotency_keys, retention_runs')
})

test('a run of many batches by several workers removes all old records once and has one audit entry', async () => {
  await makeRecords(3 * batch + 7)
  const before = await entries()
  const workers = [worker(), worker(), worker()]
  while ((await left()) > 1) await Promise.all(workers.map((one) => one.awaitIdle()))
  await Promise.all(workers.map((one) => one.awaitIdle()))
  await Promise.all(workers.map((one) => one.stop()))
  assert.equal(await left(), 1)
  assert.deepEqual((await entries()).slice(before.length), [String(3 * batch + 7)])
})

test('two workers never have the same run', async () => {
  await claim()
  const claims = await Promise.all([claim(), claim(), claim()])
  assert.equal(claims.flat().length, 1)
})

test('a worker that dies between two batches leaves its count to the next, and nothing is done twice', async () => {
  await makeRecords(batch + 5)
  const before = await entries()
  await claim()
  const [run] = await claim()
  assert.ok(run)
  await purgeBatch({ pool, clock }, retentionPlan, run)
  assert.equal(await left(), 6)
  assert.deepEqual((await entries()).slice(before.length), [], 'the run is not over')

  // Dies during the next batch: claimed, but never settled.
  assert.equal((await claim()).length, 1)
  assert.deepEqual(await claim(), [])
  await pool.query(`update retention_runs set lease_until = clock_timestamp() - interval '1 second'`)
  const [again] = await claim()
  assert.ok(again)
  await purgeBatch({ pool, clock }, retentionPlan, again)
  assert.equal(await left(), 1)
  assert.deepEqual((await entries()).slice(before.length), [String(batch + 5)])
})

test('a purge that fails is rolled back with its count', async () => {
  await makeRecords(5)
  await claim()
  const [run] = await claim()
  assert.ok(run)
  // The audit entry is written last and reads the time once more.
  const readings = [now]
  const stopping = { now: () => readings.pop() ?? assert.fail('The clock has stopped.') }
  await assert.rejects(purgeBatch({ pool, clock: stopping }, retentionPlan, run), /The clock has stopped/)
  assert.equal(await left(), 6)
  assert.deepEqual((await pool.query('select removed from retention_runs')).rows, [{ removed: 0n }])
})

test('the next run is due exactly after its interval', async () => {
  const one = worker()
  await one.awaitIdle()
  await one.awaitIdle()
  await one.stop()
  now = new Date(now.getTime() + hour - 1)
  assert.deepEqual(await claim(), [])
  now = new Date(now.getTime() + 1)
  assert.equal((await claim()).length, 1)
})
