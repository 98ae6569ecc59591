import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { lowestId } from '../../months/month-bounds.ts'
import { listMonths, windowsOf } from './search-windows.ts'

const month = (number: number): string => lowestId(new Date(Date.UTC(2026, number - 1, 1)))
const merchantId = '00000000-0000-4000-8000-000000000001'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const addPayment = (id: string): Promise<unknown> =>
  database.pool.query(
    `insert into payments (merchant_id, id, protocol, action, kind, status, test, holds, order_id, order_description, amount_minor,
       amount_decimals, currency, first_transaction, created_at, updated_at)
     values ($1, $2, 'S2S_CARD', 'SALE', 'sale', 'SETTLED', false, false, 'x', 'x', 1, 2, 'EUR', $2, now(), now())`,
    [merchantId, id],
  )

test('without payments there are no months', async () => {
  assert.deepEqual(await listMonths(database.pool, {}), [])
})

test('the months from the newest payment to the oldest, within what the filter names', async () => {
  await database.pool.query(
    `insert into merchants (id, name, title, key, test_key, password_sealed, webhook_secrets_sealed, created_at)
     values ($1, 'm', 'M', gen_random_uuid(), gen_random_uuid(), '', '', now())`,
    [merchantId],
  )
  await addPayment(lowestId(new Date('2026-02-03T00:00:00Z')))
  await addPayment(lowestId(new Date('2026-05-31T23:59:59Z')))
  const named = (numbers: readonly number[]) => numbers.map((it) => ({ from: month(it), to: month(it + 1) }))
  assert.deepEqual(await listMonths(database.pool, {}), named([5, 4, 3, 2]))
  assert.deepEqual(
    await listMonths(database.pool, { before: lowestId(new Date('2026-03-31T10:00:00Z')) }),
    named([3, 2]),
  )
  assert.deepEqual(await listMonths(database.pool, { to: new Date('2026-04-10T00:00:00Z') }), named([4, 3, 2]))
  assert.deepEqual(await listMonths(database.pool, { from: new Date('2026-05-01T00:00:00Z') }), named([5, 4]))
  assert.deepEqual(await listMonths(database.pool, { from: new Date('2027-01-01T00:00:00Z') }), [])
})

test('an id that is not of our clock is in the last window, which has no beginning', async () => {
  await addPayment('00000000-0000-4000-8000-00000000abcd')
  const months = await listMonths(database.pool, {})
  assert.equal(months.length, 241)
  assert.equal(months.at(-1)?.from, null)
  assert.equal(months.at(-1)?.to, months.at(-2)?.from)
})

test('windows grow, meet each other, and end with the oldest month', () => {
  const months = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((it) => ({ from: month(it), to: month(it + 1) }))
  assert.deepEqual(windowsOf(months), [
    { from: month(12), to: month(13) },
    { from: month(4), to: month(12) },
    { from: month(1), to: month(4) },
  ])
  assert.deepEqual(windowsOf([]), [])
})
