/** Attempts at the hosted page are counted by merchant and address, across all processes. Chapter 30 §7.8, "Abuse". */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { openPool } from '../database/pool.ts'
import { pageAttempts } from './page-attempts.ts'

const database = await testDatabase()
const otherPool = openPool(database.url, { max: 10, applicationName: 'another process' })
after(async () => {
  await otherPool.end()
  await database.drop()
})

const minute = 60_000
let now = Date.parse('2026-03-01T12:00:00Z')
const clock = { now: () => new Date(now) }
const here = pageAttempts(database.pool, clock)
const there = pageAttempts(otherPool, clock)

type Counter = typeof here

const takeAttempt = (counter: Counter, address: string, merchantId = 'shop', most = 30) =>
  counter.take({ merchantId, address }, most)

/** The seconds to wait; null if the attempt is allowed. */
async function take(counter: Counter, address: string, merchantId?: string, most?: number): Promise<number | null> {
  const attempt = await takeAttempt(counter, address, merchantId, most)
  return attempt.allowed ? null : attempt.retryAfterSeconds
}

const rows = async (): Promise<number> => (await database.pool.query('select from page_attempts')).rowCount ?? 0

test('an address has the attempts an hour that the limit allows, across all processes', async () => {
  const takers = Array.from({ length: 40 }, (_, at) => take(at % 2 === 0 ? here : there, '203.0.113.1'))
  const waits = await Promise.all(takers)
  const refused = waits.filter((wait) => wait !== null)
  assert.deepEqual(refused, Array(10).fill(3600))
})

test('another address has its own attempts, and so has the same address at another merchant', async () => {
  assert.equal(await take(there, '203.0.113.2'), null)
  assert.equal(await take(there, '203.0.113.1', 'another shop'), null)
})

test('a released attempt is free again, and no other one with it', async () => {
  const attempt = () => takeAttempt(here, '203.0.113.8', 'shop', 2)
  const [first, second] = [await attempt(), await attempt()]
  assert.equal((await attempt()).allowed, false)
  if (second.allowed) await second.release()
  assert.equal((await attempt()).allowed, true)
  assert.equal((await attempt()).allowed, false)
  if (first.allowed) await first.release()
  now += 60 * minute
  if (first.allowed) await first.release()
  assert.equal((await attempt()).allowed, true)
})

test('an attempt is available again exactly an hour after a counted one', async () => {
  for (let count = 0; count < 30; count += 1) {
    assert.equal(await take(count % 2 === 0 ? here : there, '203.0.113.3'), null)
    now += minute
  }
  assert.equal(await take(here, '203.0.113.3'), 30 * 60)
  now += 30 * minute - 1
  assert.equal(await take(there, '203.0.113.3'), 1)
  now += 1
  assert.equal(await take(there, '203.0.113.3'), null)
  assert.equal(await take(here, '203.0.113.3'), 60)
})

test('a refused attempt does not prolong the wait', async () => {
  const address = '203.0.113.4'
  for (let count = 0; count < 30; count += 1) await take(here, address)
  now += 59 * minute
  assert.equal(await take(here, address), 60)
  now += minute
  assert.equal(await take(here, address), null)
})

test('a clock that was set back locks out no address', async () => {
  const address = '203.0.113.5'
  for (let count = 0; count < 30; count += 1) await take(here, address)
  now -= 24 * 60 * minute
  assert.equal(await take(here, address), null)
  now += 24 * 60 * minute
})

test('every attempt deletes two addresses that were idle for an hour', async () => {
  now += 24 * 60 * minute
  await database.pool.query('truncate page_attempts')
  for (const last of [1, 2, 3]) await take(here, `198.51.100.${last}`)
  now += 60 * minute + 1
  await take(here, '203.0.113.6')
  assert.equal(await rows(), 2)
  await take(there, '203.0.113.6')
  assert.equal(await rows(), 1)
})

test('processes that delete addresses while others count never deadlock', async () => {
  const addresses = Array.from({ length: 12 }, (_, at) => `192.0.2.${at}`)
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(addresses.flatMap((address) => [take(here, address), take(there, address)]))
    now += 61 * minute
  }
  assert.ok((await rows()) <= addresses.length)
})
