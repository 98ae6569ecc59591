/** What processes share about MIDs: chapter 50 §4, "shared by all processes". Two processes, one database, a movable clock. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { testDatabase } from '../../test/database.ts'
import { midHealthStore } from '../store/configuration/mid-health.ts'
import { openMidHealth, type RunningMidHealth } from './mid-health.ts'

const database = await testDatabase()
after(() => database.drop())

const { attempts, coolDownMs, probesToClose, windowMs } = limits.breaker
const cell = { network: 'visa', country: 'DE', currency: 'EUR' }
const other = { network: null, country: null, currency: 'USD' }

let now = Date.parse('2026-03-01T12:00:30Z')
const clock = { now: () => new Date(now) }
const warnings: string[] = []
const log = { debug() {}, info() {}, error() {}, warn: (_: object, text: string) => void warnings.push(text) }

let mid = ''
let announced: string[] = []
let [one, two]: RunningMidHealth[] = []

const open = (process: string): Promise<RunningMidHealth> =>
  openMidHealth({
    rows: midHealthStore(database.pool),
    clock,
    log,
    onChange: async (_, { before, after: then }) => void announced.push(`${process}: ${before.state} -> ${then.state}`),
  })
const first = (): RunningMidHealth => one ?? assert.fail()
const second = (): RunningMidHealth => two ?? assert.fail()
const share = async (): Promise<void> => {
  await first().share()
  await second().share()
}
const exchange = (midHealth: RunningMidHealth, failed: boolean): void =>
  midHealth.recordExchange(mid, { begunAt: clock.now(), failed })

beforeEach(async () => {
  mid = await addMid()
  announced = []
  now += 3_600_000
  ;[one, two] = [await open('one'), await open('two')]
})
afterEach(async () => {
  await Promise.all([first().stop(), second().stop()])
})

describe('answers', () => {
  test('count at once in the process that received them, after a round in all, and never twice', async () => {
    first().record(mid, cell, 'approved')
    first().record(mid, cell, 'declined')
    second().record(mid, cell, 'approved')
    assert.deepEqual(first().tally(mid, cell, 60), { approved: 1, declined: 1 })
    assert.deepEqual(second().tally(mid, cell, 60), { approved: 1, declined: 0 })
    for (let round = 0; round < 3; round += 1) await share()
    await first().share()
    for (const process of [first(), second()]) {
      assert.deepEqual(process.tally(mid, cell, 60), { approved: 2, declined: 1 })
    }
  })
  test('are counted by cell, and summed over all cells if none is named', async () => {
    first().record(mid, cell, 'approved')
    first().record(mid, other, 'declined')
    await share()
    for (const process of [first(), second()]) {
      assert.deepEqual(process.tally(mid, other, 60), { approved: 0, declined: 1 })
      assert.deepEqual(process.tally(mid, null, 60), { approved: 1, declined: 1 })
      assert.deepEqual(process.tally(randomUUID(), null, 60), { approved: 0, declined: 0 })
    }
  })
  test('leave the sliding window, shared or not', async () => {
    first().record(mid, cell, 'approved')
    await share()
    now += 9 * 60_000
    first().record(mid, cell, 'declined')
    assert.deepEqual(first().tally(mid, cell, 10), { approved: 1, declined: 1 })
    now += 60_000
    assert.deepEqual(first().tally(mid, cell, 10), { approved: 0, declined: 1 })
    assert.deepEqual(first().tally(mid, cell, 60), { approved: 1, declined: 1 })
  })
  test('are found by a process that starts later; a process that stops writes all its counts first', async () => {
    const dying = await open('three')
    dying.record(mid, cell, 'approved')
    await dying.stop()
    now += 20 * 60_000
    const fresh = await open('four')
    assert.deepEqual(fresh.tally(mid, cell, 60), { approved: 1, declined: 0 })
    await fresh.stop()
  })
  test('that are no longer needed are deleted', async () => {
    first().record(mid, cell, 'approved')
    exchange(first(), false)
    await share()
    now += (limits.midHealth.windowMinutes + 10) * 60_000
    await share()
    const { rows } = await database.pool.query(
      'select (select count(*) from mid_answers) + (select count(*) from mid_exchanges) as kept',
    )
    assert.equal(rows[0].kept, 0n)
  })
})

describe('breakers', () => {
  test('two processes open one together, one of them reports it, and both know', async () => {
    for (let failure = 0; failure < attempts / 2; failure += 1) exchange(first(), true)
    await share()
    assert.equal(first().health(mid), 'closed')
    for (let failure = 0; failure < attempts / 2; failure += 1) exchange(second(), true)
    assert.equal(second().health(mid), 'open', 'at once where it was seen')
    await second().share()
    await first().share()
    assert.equal(first().health(mid), 'open')
    assert.deepEqual(announced, ['two: closed -> open'])
  })
  test('failures that both see at the same moment open it once', async () => {
    for (const process of [first(), second()]) for (let i = 0; i < attempts; i += 1) exchange(process, true)
    await Promise.all([first().share(), second().share()])
    assert.equal(announced.length, 1)
  })
  test('each process admits one probe at a time while it is half-open', async () => {
    for (let failure = 0; failure < attempts; failure += 1) exchange(first(), true)
    await share()
    now += coolDownMs
    for (const process of [first(), second()]) {
      assert.equal(process.health(mid), 'half-open')
      assert.equal(process.admits(mid), true)
      assert.equal(process.admits(mid), true, 'asking takes nothing')
      process.probe(mid)
      assert.equal(process.admits(mid), false)
    }
    now += limits.breaker.probeEveryMs
    assert.equal(first().admits(mid), true, 'a probe that came to nothing is not waited for')
  })
  test('successful probes of both processes together close it', async () => {
    for (let failure = 0; failure < attempts; failure += 1) exchange(first(), true)
    await share()
    now += coolDownMs
    for (let probe = 0; probe < probesToClose; probe += 1) {
      exchange(probe % 2 === 0 ? first() : second(), false)
      await share()
      await first().share()
    }
    assert.deepEqual([first().health(mid), second().health(mid)], ['closed', 'closed'])
    assert.equal(announced.at(-1)?.endsWith('open -> closed'), true)
  })
  test('failures outside the window do not open it', () => {
    for (let failure = 0; failure < attempts - 1; failure += 1) exchange(first(), true)
    now += windowMs + 5_000
    exchange(first(), true)
    assert.equal(first().health(mid), 'closed')
  })
})

test('while the database is unavailable a process uses its own counts, and shares them afterwards', async () => {
  let isAway = true
  warnings.length = 0
  const rows = midHealthStore(database.pool)
  const lonely = await openMidHealth({
    rows: { ...rows, addAnswers: (added) => (isAway ? Promise.reject(new Error('away')) : rows.addAnswers(added)) },
    clock,
    log,
    onChange: async () => undefined,
  })
  lonely.record(mid, cell, 'approved')
  for (let failure = 0; failure < attempts; failure += 1) exchange(lonely, true)
  await lonely.share()
  await lonely.share()
  assert.deepEqual(warnings.length, 1, 'said once')
  assert.deepEqual(lonely.tally(mid, cell, 60), { approved: 1, declined: 0 })
  assert.equal(lonely.health(mid), 'open')
  now += 5 * 60_000
  isAway = false
  await lonely.stop()
  await first().share()
  assert.deepEqual(first().tally(mid, null, 60), { approved: 1, declined: 0 })
  assert.equal(first().health(mid), 'half-open')
})

async function addMid(): Promise<string> {
  const id = randomUUID()
  await database.pool.query(
    "insert into mids (id, name, connector, side, credentials_sealed, created_at) values ($1::uuid, $1::uuid::text, 'sandbox', 'test', '', now())",
    [id],
  )
  return id
}
