import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentFilters } from '#server/protocols/admin/api/endpoints/payments/payments.ts'
import { filtersAt, numberPayments } from './search.ts'

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
