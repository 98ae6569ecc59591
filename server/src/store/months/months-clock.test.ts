/** Parts by month when clocks jump, an instance was off, or a backup is restored later. Chapter 80 §2, decisions/months#any-part. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { paymentStore } from '../payments/payments.ts'
import { monthsAhead, readParts } from './parts.ts'
import { prepareMonths } from './prepare.ts'
import { openingIn, partsOfPayment, successIn } from './testing/payments-in-months.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

async function pay(moment: string): Promise<string> {
  const payments = paymentStore(database.pool)
  const opening = openingIn(moment)
  assert.equal(await payments.open(opening), 'opened')
  assert.equal(await payments.settle(successIn(moment, opening)), 'settled')
  return opening.payment.id
}

const prepare = (now: string) => prepareMonths(database.pool, new Date(now))
const ahead = async (now: string) => monthsAhead(await readParts(database.pool), new Date(now))
const suffixes = async () => (await readParts(database.pool)).map(({ suffix }) => suffix)
const partOf = async (id: string) => [
  ...new Set((await partsOfPayment(database.pool, id)).map((part) => part.replace(/^months\.\D+_/, ''))),
]

test('a clock that was years ahead does not keep the coming months from being prepared', async () => {
  await pay('2026-11-17T10:00:00Z')
  await prepare('2031-05-05T10:00:00Z')
  const strayed = await pay('2031-06-05T10:00:00Z')
  assert.equal(await ahead('2026-11-17T10:00:00Z'), 0, 'what was made for another time does not count')
  assert.equal((await prepare('2026-11-17T10:00:00Z'))?.obstacle, null)
  assert.deepEqual(await suffixes(), ['first', '2026_12', '2027_01', '2031_06', '2031_07'])
  assert.equal(await ahead('2026-11-17T10:00:00Z'), 2)
  assert.deepEqual(await partOf(strayed), ['2031_06'])
  assert.deepEqual(await partOf(await pay('2026-12-01T00:00:00Z')), ['2026_12'])
  assert.deepEqual(await partOf(await pay('2028-01-01T00:00:00Z')), ['2027_01'])
})

test('payments made while a clock was months ahead delay the split until their month has passed', async () => {
  await pay('2027-03-05T10:00:00Z')
  assert.deepEqual(await prepare('2026-11-17T10:00:00Z'), { made: [], obstacle: 'rows beyond' })
  assert.deepEqual(await partOf(await pay('2026-12-24T10:00:00Z')), ['first'])
  assert.deepEqual((await prepare('2027-03-10T10:00:00Z'))?.made.length, 2)
  assert.deepEqual(await suffixes(), ['first', '2027_04', '2027_05'])
})

test('an instance that was off for months stores what comes in the last part, and goes on from the next month', async () => {
  await pay('2026-11-17T10:00:00Z')
  await prepare('2026-11-17T10:00:00Z')
  assert.deepEqual(await partOf(await pay('2027-04-10T10:00:00Z')), ['2027_01'])
  assert.deepEqual((await prepare('2027-04-10T10:00:00Z'))?.obstacle, null)
  assert.deepEqual(await suffixes(), ['first', '2026_12', '2027_01', '2027_05', '2027_06'])
  assert.deepEqual(await partOf(await pay('2027-05-01T00:00:00Z')), ['2027_05'])
})

test('a clock that was set back stores payments in the part of that time, and prepares nothing twice', async () => {
  await prepare('2026-11-17T10:00:00Z')
  assert.deepEqual(await partOf(await pay('2019-01-01T00:00:00Z')), ['first'])
  assert.deepEqual(await prepare('2026-10-31T23:59:59Z'), { made: [], obstacle: null })
  assert.deepEqual(await suffixes(), ['first', '2026_12', '2027_01'])
})
