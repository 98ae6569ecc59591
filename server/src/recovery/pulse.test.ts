import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool } from '#server/store/database/pool.ts'
import { announce } from '#server/store/instance/presence.ts'
import { recoveryStore } from '#server/store/instance/recovery.ts'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { detectRestore } from './detection.ts'
import { markFile, readMark } from './mark-file.ts'
import { startPulse } from './pulse.ts'

let database: TestDatabase
let dataDir: string
const clock = { now: () => new Date('2026-01-02T03:04:05Z') }
const log = { debug() {}, info() {}, warn() {}, error() {} }

before(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-pulse-'))
})
after(async () => {
  await database.drop()
})

const state = () => recoveryStore(database.pool).read()
const pulse = () => startPulse({ pool: database.pool, clock, log, dataDir, everyMs: 3_600_000 })

async function beatTwice(): Promise<void> {
  const running = pulse()
  await running.beat()
  await running.stop()
}

test('a start after an ordinary stop is not a restore', async () => {
  await beatTwice()
  assert.equal(await detectRestore({ pool: database.pool, clock, log }, dataDir), null)
  assert.equal((await state()).since, null)
  await rm(dataDir, { recursive: true })
})

test('a start on a database that lost beats begins recovery with a reason', async () => {
  await beatTwice()
  await database.pool.query('update instance_pulse set beats = beats - 1')
  assert.match((await detectRestore({ pool: database.pool, clock, log }, dataDir)) ?? '', /older than/)
  const { since, reason } = await state()
  assert.deepEqual(since, clock.now())
  assert.match(reason ?? '', /older than/)
  await recoveryStore(database.pool).end(clock.now())
})

test('a beat of another process on this machine while a process starts is not a restore', async () => {
  await beatTwice()
  // Of its single connection the test takes the turn after the reading of the pulse.
  const pool = openPool(database.url, { max: 1, applicationName: 'pulse' })
  const held = await pool.connect()
  const detected = detectRestore({ pool, clock, log }, dataDir)
  while (pool.waitingCount === 0) await sleep(1)
  const next = pool.connect()
  held.release()
  const between = await next
  await beatTwice()
  between.release()
  assert.equal(await detected, null)
  assert.equal((await state()).since, null)
  await pool.end()
})

test('a start after a fail-over waits for the processes that were running, and begins no recovery when one returns', async () => {
  await database.pool.query(`update instance_pulse set cluster = '1/00000001'`)
  const detected = detectRestore({ pool: database.pool, clock, log }, dataDir)
  await sleep(700)
  const returned = await announce(database.url, 4711, { announceChange: () => undefined, log })
  assert.equal(await detected, null)
  assert.equal((await state()).since, null)
  await returned.leave()
})

test('a start on another server or timeline begins recovery when no process returns', async () => {
  await database.pool.query(`update instance_pulse set cluster = '1/00000001'`)
  assert.match((await detectRestore({ pool: database.pool, clock, log }, dataDir, 1_000)) ?? '', /different server/)
  await recoveryStore(database.pool).end(clock.now())
})

test('a running process notices that the database lost writes', async () => {
  const running = pulse()
  await running.beat()
  await database.pool.query('update instance_pulse set beats = beats - 1')
  await running.beat()
  await running.stop()
  assert.match((await state()).reason ?? '', /while the service was running/)
  await recoveryStore(database.pool).end(clock.now())
})

test('an unreadable mark counts as none', async () => {
  await writeFile(markFile(dataDir), '{"id":')
  assert.equal(await readMark(markFile(dataDir)), null)
})
