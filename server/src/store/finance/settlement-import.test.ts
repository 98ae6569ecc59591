/** The rows of a settlement file and their postings as they are stored. Chapter 60 §5. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openShop, type Shop } from '../../../test/shop.ts'
import { inTransaction } from '../database/transaction.ts'
import { type MatchedRow, settlementImport } from './settlement-import.ts'

let shop: Shop
before(async () => {
  shop = await openShop()
})
after(() => shop[Symbol.asyncDispose]())

const plain: MatchedRow['row'] = {
  line: 2,
  ref: 'plain',
  kind: 'charge',
  paymentId: null,
  transactionId: null,
  reference: null,
  currency: 'EUR',
  grossMinor: 1000n,
  feeMinor: 14n,
  netMinor: 986n,
  bookedOn: '2026-03-01',
  payout: null,
  conversion: null,
}
const converted = { currency: 'USD', grossMinor: 10_000_000_000_000_000_000_000n, rate: '0.0000000001' }
const match = { merchantId: crypto.randomUUID(), paymentId: crypto.randomUUID(), id: crypto.randomUUID() }
const awkward = ['NULL', '{"a","b"}', 'a\\"b\\\\', ' a, b ', '(1,2)', "';", '💶']

test('rows are stored with exactly what the file has, whatever signs its texts contain and whichever of its columns are empty', async () => {
  const { pool, ids, clock } = shop.base
  const { rows: mids } = await pool.query("select id from mids where name = 'sandbox-live'")
  const file = { midId: mids[0].id, fileId: ids.next(), at: clock.now() }
  const rowsOfFile: readonly MatchedRow[] = [
    { row: plain, match: null, difference: null },
    { row: { ...plain, ref: 'converted', line: 3, conversion: converted }, match, difference: null },
    ...awkward.map((text, index) => ({
      row: { ...plain, ref: text, line: 4 + index, reference: text, payout: text, paymentId: match.paymentId },
      match: null,
      difference: null,
    })),
  ]
  const lines = await inTransaction(pool, async (client) => {
    const about = { name: 'a.csv', format: 'common', sha256: 'a'.repeat(64), importedBy: 'a test', importedAt: file.at }
    const target = settlementImport(client, file.midId, file.fileId)
    await target.begin(about)
    const first = await target.write(rowsOfFile, file.at)
    assert.deepEqual(await target.write(rowsOfFile, file.at), new Set(), 'a row counts once')
    return first
  })
  assert.deepEqual(
    [...lines].toSorted((one, other) => one - other),
    rowsOfFile.map(({ row }) => row.line),
  )
  const { rows } = await pool.query(
    `select line, ref, kind, named_payment as "paymentId", named_transaction as "transactionId", reference, currency, gross_minor::text as gross,
       fee_minor::text as fee, net_minor::text as net, booked_on::text as "bookedOn", payout, processing_currency as "ownCurrency",
       processing_minor::text as own, rate::text, merchant_id as "merchantId", payment_id as "ofPayment", transaction_id as "ofTransaction"
     from settlement_rows where file_id = $1 order by line`,
    [file.fileId],
  )
  assert.deepEqual(rows, rowsOfFile.map(storedOf))
  const entries = await pool.query(
    `select from_account || ' ' || to_account || ' ' || currency || ' ' || amount_minor as entry from book_entries
     where source = 'settlement ' || $1 || ' converted' order by position`,
    [file.midId],
  )
  assert.deepEqual(
    entries.rows.map(({ entry }) => entry),
    ['exchange bank EUR 986', 'exchange acquirer_fees EUR 14', `acquirer exchange USD ${converted.grossMinor}`],
  )
})

const storedOf = ({ row: { grossMinor, feeMinor, netMinor, conversion, ...row }, match: of }: MatchedRow) => ({
  ...row,
  gross: String(grossMinor),
  fee: String(feeMinor),
  net: String(netMinor),
  ownCurrency: conversion?.currency ?? null,
  own: conversion ? String(conversion.grossMinor) : null,
  rate: conversion?.rate ?? null,
  merchantId: of?.merchantId ?? null,
  ofPayment: of?.paymentId ?? null,
  ofTransaction: of?.id ?? null,
})
