import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { paymentFilters } from '#server/protocols/admin/api/endpoints/payments/payments.ts'
import { isFoundBy } from '#server/store/payments/search/payment-conditions.ts'
import { type TestDatabase, testDatabase } from '../../server/test/database.ts'
import { filtersAt, numberPayments, pagesOf } from './search.ts'
import { addMerchants, addPayments, merchants } from './search-payments.ts'

/** Covered by others: a payment by its own id is a look-up, a connector is a list of its MIDs, and a written amount has minor units. */
const elsewhere = ['paymentId', 'connector', 'amount', 'amountMin', 'amountMax', 'payerName']

test('every filter of the Transactions page is measured', () => {
  const measured = new Set(filtersAt(numberPayments(1000)).flatMap(([, filter]) => Object.keys(filter)))
  const owed = Object.keys(paymentFilters).filter((name) => !elsewhere.includes(name))
  assert.deepEqual(
    owed.filter((name) => !measured.has(name)),
    [],
  )
})

describe('among twenty thousand payments', () => {
  let database: TestDatabase
  let pagesInAll: number
  before(async () => {
    database = await testDatabase()
    await addMerchants(database.pool)
    await addPayments(database.pool, 20_000)
    const { rows } = await database.pool.query<{ pages: number }>(
      `select (sum(pg_relation_size(relid)) / 8192)::int as pages from pg_partition_tree('payments')`,
    )
    pagesInAll = rows[0]?.pages ?? 0
  })
  after(() => database.drop())

  // The newest 5000 are read first, which is a quarter of these.
  for (const [name, filter] of filtersAt(numberPayments(20_000)).filter(([, its]) => isFoundBy(its, 'scattered'))) {
    if (!name.endsWith(', unknown')) continue
    test(`${name}: pages without the value are skipped`, async () => {
      for (const scope of [null, [merchants.fifth, merchants.hundredth]]) {
        const pages = await pagesOf(database.pool, filter, scope)
        assert.ok(pages > 0 && pages < pagesInAll / 2, `${scope?.length ?? 'all'} merchants: ${pages} of ${pagesInAll}`)
      }
    })
  }

  const oldest = filtersAt(numberPayments(100))
  for (const [name, filter] of [
    ...oldest.filter(([its]) => ['order', 'last name, rare'].includes(its)),
    ['tag', { tag: 'called' }],
  ] as const)
    test(`${name}: the matches are read, and hardly anything else`, async () => {
      const pages = await pagesOf(database.pool, filter, null)
      assert.ok(pages > 0 && pages < pagesInAll / 10, `${pages} of ${pagesInAll}`)
    })

  test('the newest payments of a name that many payers have are found without reading all of them', async () => {
    const pages = await pagesOf(database.pool, { lastName: 'name' }, null)
    assert.ok(pages > 0 && pages < pagesInAll / 2, `${pages} of ${pagesInAll}`)
  })
})
