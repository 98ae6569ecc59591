/** Chapter 50 §1, "Ledger posting": postings of a transaction sum to zero, and the accounts say where the money is. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { newPayment, type Payment, type TransactionType, transactionTypes } from '../payment/payment.ts'
import { type Account, accounts, type Entry, entriesOf } from './ledger.ts'
import { balances } from './testing/balances.ts'

const sale = newPayment({ kind: 'sale', amountMinor: 1000n, holds: false, recurring: false })
const held: Payment = { ...sale, status: 'PENDING', holds: true, authorisedMinor: 1000n }
const settled: Payment = { ...sale, status: 'SETTLED', authorisedMinor: 1000n, capturedMinor: 1000n }

describe('the entries of a transaction', () => {
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [string, Payment, TransactionType, bigint, Partial<Record<Account, bigint>>])[] = [
    // case                              payment  transaction   amount  what it does to the accounts
    ['a sale settles',                   sale,    'SALE',       1000n,  { payer: -1000n, settled: 1000n }],
    ['a debit settles',                  sale,    'DEBIT',      1000n,  { payer: -1000n, settled: 1000n }],
    ['an authorization only holds',      sale,    'AUTH',       1000n,  { payer: -1000n, held: 1000n }],
    ['a retried sale settles',           sale,    'RETRY',      1000n,  { payer: -1000n, settled: 1000n }],
    ['a retried hold holds',             { ...sale, holds: true }, 'RETRY', 1000n, { payer: -1000n, held: 1000n }],
    ['a transfer reaches the payee',     sale,    'TRANSFER',   1000n,  { payer: -1000n, payee: 1000n }],
    ['a payout leaves the merchant',     sale,    'CREDIT',     1000n,  { settled: -1000n, payee: 1000n }],
    ['a capture settles the hold',       held,    'CAPTURE',    1000n,  { held: -1000n, settled: 1000n }],
    ['a partial capture frees the rest', held,    'CAPTURE',    750n,   { held: -1000n, settled: 750n, payer: 250n }],
    ['a released hold goes back',        held,    'REVERSAL',   1000n,  { held: -1000n, payer: 1000n }],
    ['a reversed debit is given back',   { ...settled, kind: 'debit' }, 'REVERSAL', 400n, { settled: -400n, refunded: 400n }],
    ['a refund is given back',           settled, 'REFUND',     400n,   { settled: -400n, refunded: 400n }],
    ['a void undoes the sale',           settled, 'VOID',       1000n,  { settled: -1000n, payer: 1000n }],
    ['a chargeback is taken',            settled, 'CHARGEBACK', 400n,   { settled: -400n, charged_back: 400n }],
    ['a calculation moves nothing',      { ...sale, kind: 'debit' }, 'CALC', 1000n, {}],
    ['a payer step moves nothing',       sale,    '3DS',        1000n,  {}],
    ['a redirect moves nothing',         sale,    'REDIRECT',   1000n,  {}],
  ]
  for (const [title, payment, type, amountMinor, expected] of rows) {
    test(title, () => {
      assert.deepEqual(Object.fromEntries(balances(entriesOf(payment, { type, amountMinor }))), expected)
    })
  }

  test('a zero amount makes no entry, whatever the transaction', () => {
    const zero: Payment = { ...sale, amountMinor: 0n }
    for (const type of transactionTypes) assert.deepEqual(entriesOf(zero, { type, amountMinor: 0n }), [], type)
  })

  test('an entry is never negative and never within one account', () => {
    for (const payment of [sale, held, settled])
      for (const type of transactionTypes)
        for (const entry of entriesOf(payment, { type, amountMinor: 700n })) {
          assert.ok(entry.amountMinor > 0n)
          assert.notEqual(entry.from, entry.to)
        }
  })
})

test('the balances of any entries sum to zero', () => {
  const account = fc.constantFrom(...accounts)
  const entry: fc.Arbitrary<Entry> = fc.record({
    from: account,
    to: account,
    amountMinor: fc.bigInt({ min: 0n, max: 10n ** 15n }),
  })
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const sum = [...balances(entries).values()].reduce((total, balance) => total + balance, 0n)
      assert.equal(sum, 0n)
    }),
  )
})
