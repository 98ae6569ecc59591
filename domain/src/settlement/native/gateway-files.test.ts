/** Reports of Checkout.com and CyberSource become rows of the form `common`, and lines that cannot be understood are named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCheckout } from './checkout.ts'
import { readCybersource } from './cybersource.ts'
import { type NativeReader, noRow } from './native-form.ts'
import { roundedSums } from './rounded-sums.ts'

const paymentId = '01a265fd-0000-7000-8000-0123456789ab'
const ours = `${paymentId}.ba9876543210`

/** Reads lines without quotes: rows as their main cells, and everything that is wrong. */
function readAll(reader: NativeReader, lines: readonly string[]) {
  const read = [...lines.map((line) => reader.read(line.split(','))), reader.rest?.() ?? noRow]
  const cells = read.flatMap((one) => (one.kind === 'row' ? [one.cells] : []))
  return {
    cells,
    rows: cells.map(({ type, currency, gross, fee, net, reference }) => [type, currency, gross, fee, net, reference]),
    faults: read.flatMap((one) => (one.kind === 'fault' || one.kind === 'unreadable' ? [one.text] : [])),
    lacks: reader.close(),
  }
}

const checkoutHeading =
  'Client Entity ID,Processing Channel ID,Action Type,Action ID,Payment ID,Reference,Processed On,Processing Currency,Holding Currency,' +
  'Payout ID,Breakdown Type,Processing Currency Amount,Holding Currency Amount'
const checkoutLine = (id: string, breakdown: string, amount: string, currency = 'EUR'): string =>
  `ent_1,pc_1,Action,${id},pay_1,${ours},2026-03-02T18:07:06.844,${currency},${currency},PO1,${breakdown},${amount},${amount}`

test('lines of an action of Checkout.com become one row with all its fees', () => {
  const { rows, cells, faults, lacks } = readAll(readCheckout(), [
    checkoutHeading,
    checkoutLine('act_1', 'Capture', '10.00'),
    checkoutLine('act_1', 'Premium Variable Fee', '-0.15'),
    checkoutLine('act_1', 'Scheme Fixed Fee', '-0.05'),
    checkoutLine('act_1', 'Scheme Fixed Fee Tax', '-0.01'),
    checkoutLine('act_2', 'Refund Fixed Fee', '-0.10'),
    checkoutLine('act_2', 'Refund', '-4.00'),
    checkoutLine('act_3', 'Chargeback (ADJM)', '-6.00'),
    checkoutLine('act_4', 'Chargeback (RPDW)', '6.00'),
    checkoutLine('act_5', 'Chargeback (ARBL)', '-500.00'),
    checkoutLine('act_6', 'Authorization Fixed Fee', '-0.03'),
    checkoutLine('act_7', 'Capture', '500', 'JPY'),
    checkoutLine('act_8', 'Capture', '1.234', 'KWD'),
    checkoutLine('act_9', 'Rolling Reserve Deduction', '-1.00'),
  ])
  assert.deepEqual([faults, lacks], [[], null])
  assert.deepEqual(rows, [
    ['charge', 'EUR', '10', '0.21', '9.79', 'act_1'],
    ['refund', 'EUR', '-4', '0.1', '-4.1', 'act_2'],
    ['chargeback', 'EUR', '-6', '0', '-6', 'act_3'],
    ['chargeback-reversal', 'EUR', '6', '0', '6', 'act_4'],
    ['fee', 'EUR', '0', '500', '-500', ''],
    ['fee', 'EUR', '0', '0.03', '-0.03', ''],
    ['charge', 'JPY', '500', '0', '500', 'act_7'],
    ['charge', 'KWD', '1.234', '0', '1.234', 'act_8'],
    ['adjustment', 'EUR', '-1', '0', '-1', ''],
  ])
  assert.deepEqual(
    [cells[0]?.['date'], cells[0]?.['payout'], cells[0]?.['mid'], cells[0]?.['payment_id']],
    ['2026-03-02', 'PO1', 'pc_1', paymentId],
  )
  assert.equal(new Set(cells.map(({ row }) => row)).size, cells.length)
})

test('fees of Checkout.com in parts of a cent add up to the cent, and a yen has no parts', () => {
  const fees = Array.from({ length: 8 }, (_, index) =>
    checkoutLine(`act_${index}`, 'Scheme Variable Fee', '-0.00312500'),
  )
  const yen = [checkoutLine('act_y', 'Premium Variable Fee', '-17.60000000', 'JPY')]
  const { rows, faults } = readAll(readCheckout(), [checkoutHeading, ...fees, ...yen])
  assert.deepEqual(faults, [])
  const cents = rows.slice(0, 8).map(([, , , fee]) => Math.round(Number(fee) * 100))
  assert.ok(cents.every((cent) => cent === 0 || cent === 1))
  // 8 × 0.003125 is 0.025, which is rounded once.
  assert.equal(cents.filter((cent) => cent === 1).length, 3)
  assert.equal(rows[8]?.[3], '18')
})

test('an action that Checkout.com converted has both amounts, and its parts of a cent are rounded in sum', () => {
  const converted = (id: string, breakdown: string, charged: string, held: string): string =>
    checkoutLine(id, breakdown, charged)
      .replace('EUR,EUR', 'USD,EUR')
      .replace(/[^,]*$/, held)
  const { cells, rows, faults } = readAll(readCheckout(), [
    checkoutHeading,
    converted('act_1', 'Capture', '10.00', '9.21340000'),
    converted('act_1', 'Premium Variable Fee', '-0.15', '-0.13820000'),
    converted('act_2', 'Refund', '-4.00', '-3.68530000'),
    converted('act_3', 'Capture', 'ten', '9.21'),
  ])
  assert.deepEqual(rows, [
    ['charge', 'EUR', '9.22', '0.14', '9.08', 'act_1'],
    ['refund', 'EUR', '-3.69', '0', '-3.69', 'act_2'],
  ])
  assert.deepEqual(
    cells.map((row) => [row['processing_currency'], row['processing_gross']]),
    [
      ['USD', '10'],
      ['USD', '-4'],
    ],
  )
  assert.deepEqual(faults, ['The Processing Currency Amount is not a number.'])
})

test('an amount that is none, a cut line and a missing column of Checkout.com are reported', () => {
  const { faults, rows } = readAll(readCheckout(), [
    checkoutHeading,
    checkoutLine('act_2', 'Capture', 'ten'),
    checkoutLine('', 'Capture', '1.00'),
    'ent_1,pc_1,Capture,act_3',
    checkoutLine('act_4', 'Capture', '1.00', 'XXQ'),
  ])
  assert.equal(rows.length, 0)
  assert.match(faults.join('\n'), /not a number[\s\S]*Action ID is missing[\s\S]*4 cells instead of 13/)
  assert.match(faults.at(-1) ?? '', /currency XXQ is not known/)
  assert.match(readAll(readCheckout(), ['Action Type,Action ID']).faults[0] ?? '', /lacks the columns Payment ID/)
})

const cybersourceHead = [
  'Payment Batch Detail Report,1.0,2026-03-02 to 2026-03-02,,,,,,,',
  'batch_id,merchant_id,batch_date,request_id,merchant_ref_number,trans_ref_no,payment_method,currency,amount,transaction_type',
]
const cybersourceLine = (id: string, sums: string, type: string): string =>
  `77,shop_1,2026-03-02,${id},${ours},565,Visa,${sums},${type}`

test('rows of CyberSource are captures and credits of their requests, with or without a sign', () => {
  const { rows, cells, faults, lacks } = readAll(readCybersource(), [
    ...cybersourceHead,
    cybersourceLine('R1', 'USD,100.00', 'ics_bill'),
    cybersourceLine('R2', 'USD,-40.00', 'ics_credit'),
    cybersourceLine('R3', 'USD,40.00', 'ics_credit'),
    cybersourceLine('R4', 'JPY,20000', 'ics_bill'),
    cybersourceLine('R5', 'KWD,1.250', 'ics_bill'),
    cybersourceLine('R6', 'USD,-3.00', 'ics_bill'),
  ])
  assert.deepEqual([faults, lacks], [[], null])
  assert.deepEqual(rows, [
    ['charge', 'USD', '100', '0', '100', 'R1'],
    ['refund', 'USD', '-40', '0', '-40', 'R2'],
    ['refund', 'USD', '-40', '0', '-40', 'R3'],
    ['charge', 'JPY', '20000', '0', '20000', 'R4'],
    ['charge', 'KWD', '1.25', '0', '1.25', 'R5'],
    ['adjustment', 'USD', '-3', '0', '-3', ''],
  ])
  assert.deepEqual(
    [cells[0]?.['date'], cells[0]?.['payout'], cells[0]?.['mid'], cells[0]?.['payment_id']],
    ['2026-03-02', 'batch 77', 'shop_1', paymentId],
  )
})

test('another report, an unknown type, a cut line and a file without columns of CyberSource are reported', () => {
  assert.match(readAll(readCybersource(), ['Transaction Exception Report']).faults[0] ?? '', /does not begin with/)
  assert.match(readAll(readCybersource(), cybersourceHead.slice(0, 1)).lacks ?? '', /names of the columns is missing/)
  const { faults } = readAll(readCybersource(), [
    ...cybersourceHead,
    cybersourceLine('R1', 'USD,1.00', 'ics_gift'),
    cybersourceLine('R2', 'USD,', 'ics_bill'),
    '77,shop_1,2026-03-02',
  ])
  assert.match(
    faults.join('\n'),
    /ics_gift is not known\.\nThe amount is not a number\.\nThe row has 3 cells instead of 10/,
  )
})

test('rounded amounts add up to the rounded sum, also below zero', () => {
  const round = roundedSums(2)
  const parts = ['0.004', '0.004', '-0.02', '1.0049'].map((amount) => round(amount))
  assert.deepEqual(parts, ['0', '0.01', '-0.02', '1'])
  assert.equal(roundedSums(0)('abc'), null)
})
