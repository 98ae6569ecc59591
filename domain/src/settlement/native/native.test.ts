/** Acquirers' own files become rows of the form `common`, and a file that lacks something says so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAdyen } from './adyen.ts'
import { type NativeReader, noRow } from './native-form.ts'
import { readPaypal } from './paypal.ts'
import { readStripe } from './stripe.ts'

const paymentId = '01a265fd-0000-7000-8000-0123456789ab'
const ours = `${paymentId}.ba9876543210`

/** Reads lines without quotes; returns what was read, and what the file lacks. */
function readAll(reader: NativeReader, lines: readonly string[]) {
  const read = [...lines.map((line) => reader.read(line.split(','))), reader.rest?.() ?? noRow]
  const rows = read.flatMap((one) => (one.kind === 'row' ? [one.cells] : []))
  const faults = read.flatMap((one) => (one.kind === 'fault' || one.kind === 'unreadable' ? [one.text] : []))
  return { rows, faults, lacks: reader.close() }
}

const adyenHeading =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,' +
  'Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),' +
  'Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,Batch Number'
const adyenLine = (type: string, sums: string, refs = `PSP1,${ours},visa`, modification = 'MOD1'): string =>
  `Co,ShopECOM,${refs},2026-03-02 11:26:49,CET,${type},${modification},${sums},visaclassic,,7`
const settled = adyenLine('Settled', 'GBP,,5.00,1,GBP,,4.88,,0.04,0.01,0.07')
const charged = adyenLine('Chargeback', 'GBP,3.00,,1,GBP,10.50,,7.5,,,', `PSP2,${ours},visa`, 'MOD2')
const fee = adyenLine('Fee', 'GBP,,,,GBP,0.10,,,,,', ',,', 'Transaction Fees March')
const payout = adyenLine('MerchantPayout', 'GBP,,,,GBP,,5.72,,,,', ',,', 'TX1')

test('rows of Adyen have gross, all parts of the fee and net, and our payment', () => {
  const { rows, faults, lacks } = readAll(readAdyen(), [adyenHeading, settled, charged, fee, payout])
  assert.deepEqual([faults, lacks], [[], null])
  assert.deepEqual(
    rows.map(({ type, gross, fee: kept, net, payment_id, reference }) => [
      type,
      gross,
      kept,
      net,
      payment_id,
      reference,
    ]),
    [
      ['charge', '5', '0.12', '4.88', paymentId, 'MOD1'],
      ['chargeback', '-3', '7.5', '-10.5', paymentId, 'MOD2'],
      ['fee', '0', '0.1', '-0.1', '', ''],
    ],
  )
  assert.deepEqual([rows[0]?.['date'], rows[0]?.['payout'], rows[0]?.['mid']], ['2026-03-02', 'batch 7', 'ShopECOM'])
})

test('a chargeback that Adyen returns is a reversal, and what is settled against its usual direction an adjustment', () => {
  const { rows, faults } = readAll(readAdyen(), [
    adyenHeading,
    adyenLine('ChargebackReversed', 'GBP,,3.00,1,GBP,,3.00,,,,', `PSP2,${ours},visa`, 'MOD2'),
    adyenLine('Settled', 'GBP,5.00,,1,GBP,5.00,,,,,'),
    adyenLine('Chargeback', 'GBP,,2.00,1,GBP,,2.00,,,,', `PSP2,${ours},visa`, 'MOD3'),
    adyenLine('RefundedReversed', 'GBP,,4.00,1,GBP,,4.00,,,,'),
  ])
  assert.deepEqual(faults, [])
  assert.deepEqual(
    rows.map(({ type, gross, net, payment_id: id, reference }) => [type, gross, net, id, reference]),
    [
      ['chargeback-reversal', '3', '3', paymentId, 'MOD2'],
      ['adjustment', '-5', '-5', '', ''],
      ['chargeback-reversal', '2', '2', paymentId, 'MOD3'],
      ['adjustment', '4', '4', '', ''],
    ],
  )
})

test('a batch of Adyen that was cut does not add up to zero', () => {
  assert.match(readAll(readAdyen(), [adyenHeading, settled, payout]).lacks ?? '', /add up to 10\.6 instead of zero/)
})

test('a row that Adyen converted has what it paid, what the payer paid, and the rate', () => {
  const charge = adyenLine('Settled', 'USD,,5.00,0.7612,GBP,,3.69,,0.04,0.01,0.07')
  const refund = adyenLine('Refunded', 'USD,2.00,,0.7612,GBP,1.52,,,,,', `PSP1,${ours},visa`, 'MOD2')
  const { rows, faults } = readAll(readAdyen(), [adyenHeading, charge, refund])
  assert.deepEqual(faults, [])
  assert.deepEqual(
    rows.map((row) => [
      row['currency'],
      row['gross'],
      row['fee'],
      row['net'],
      row['processing_currency'],
      row['processing_gross'],
      row['rate'],
    ]),
    [
      ['GBP', '3.81', '0.12', '3.69', 'USD', '5', '0.7612'],
      ['GBP', '-1.52', '0', '-1.52', 'USD', '-2', '0.7612'],
    ],
  )
})

test('an unknown type and a missing column of Adyen are reported', () => {
  const { faults } = readAll(readAdyen(), [adyenHeading, adyenLine('Gift', 'GBP,,1,1,GBP,,1,,,,')])
  assert.match(faults[0] ?? '', /Type Gift is not known/)
  assert.match(readAll(readAdyen(), ['Type,Psp Reference']).faults[0] ?? '', /lacks the columns Merchant Account/)
})

const stripeHeading =
  'balance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,reporting_category,source_id,payment_intent_id,' +
  'automatic_payout_id,payment_metadata[payment_id]'
const stripeLine = (sums: string, category: string, refs: string): string =>
  `txn_1,2026-03-01 09:00:00,2026-03-03 00:00:00,${sums},${category},${refs},po_1,${paymentId}`

test('rows of Stripe are charges under their intent, refunds and disputes under themselves, and fees', () => {
  const { rows, faults } = readAll(readStripe(), [
    stripeHeading,
    stripeLine('eur,10.00,0.55,9.45', 'charge', 'ch_1,pi_1'),
    stripeLine('eur,-4.00,0.00,-4.00', 'refund', 're_1,pi_1'),
    stripeLine('eur,-10.00,15.00,-25.00', 'dispute', 'dp_1,pi_1'),
    stripeLine('eur,10.00,-15.00,25.00', 'dispute_reversal', 'dp_1,pi_1'),
    stripeLine('eur,4.00,0.00,4.00', 'refund_failure', 're_1,pi_1'),
    stripeLine('eur,-2.00,0.00,-2.00', 'fee', 'fee_1,'),
    stripeLine('jpy,500.00,18.00,482.00', 'charge', 'ch_2,pi_2'),
    stripeLine('eur,-7.45,0.00,-7.45', 'payout', 'po_1,'),
  ])
  assert.deepEqual(faults, [])
  assert.deepEqual(
    rows.map(({ type, currency, gross, fee: kept, net, reference }) => [type, currency, gross, kept, net, reference]),
    [
      ['charge', 'EUR', '10', '0.55', '9.45', 'pi_1'],
      ['refund', 'EUR', '-4', '0', '-4', 're_1'],
      ['chargeback', 'EUR', '-10', '15', '-25', 'dp_1'],
      ['chargeback-reversal', 'EUR', '10', '-15', '25', 'dp_1'],
      ['adjustment', 'EUR', '4', '0', '4', ''],
      ['fee', 'EUR', '0', '2', '-2', ''],
      ['charge', 'JPY', '500', '18', '482', 'pi_2'],
    ],
  )
  assert.deepEqual([rows[0]?.['date'], rows[0]?.['payout'], rows[0]?.['payment_id']], ['2026-03-03', 'po_1', paymentId])
})

test('a row that Stripe converted has what the payer paid, if the report has these columns', () => {
  const heading = `${stripeHeading},customer_facing_amount,customer_facing_currency`
  const { rows } = readAll(readStripe(), [
    heading,
    `${stripeLine('eur,9.20,0.55,8.65', 'charge', 'ch_1,pi_1')},10.00,usd`,
    `${stripeLine('eur,-4.00,0.00,-4.00', 'refund', 're_1,pi_1')},4.35,usd`,
    `${stripeLine('eur,5.00,0.00,5.00', 'charge', 'ch_2,pi_2')},5.00,eur`,
    `${stripeLine('eur,-2.00,0.00,-2.00', 'fee', 'fee_1,')},2.00,usd`,
  ])
  assert.deepEqual(
    rows.map((row) => [row['processing_currency'], row['processing_gross']]),
    [
      ['USD', '10.00'],
      ['USD', '-4.35'],
      [undefined, undefined],
      [undefined, undefined],
    ],
  )
})

test('a line of Stripe that was cut is reported', () => {
  assert.match(
    readAll(readStripe(), [stripeHeading, 'txn_1,2026-03-01 09:00:00']).faults[0] ?? '',
    /2 cells instead of 12/,
  )
})

const paypalHead = [
  'RH,2026/03/03 10:00:00 -0800,A,SHOP,002',
  'SH,2026/03/02 00:00:00 -0800,2026/03/02 23:59:59 -0800,SHOP,',
  'CH,Transaction ID,Invoice ID,PayPal Reference ID,PayPal Reference ID Type,Transaction Event Code,Transaction Initiation Date,' +
    'Transaction Completion Date,Transaction  Debit or Credit,Gross Transaction Amount,Gross Transaction Currency,Fee Debit or Credit,' +
    'Fee Amount,Fee Currency',
]
const paypalLine = (id: string, code: string, sums: string): string =>
  `SB,${id},${ours},,,${code},2026/03/02 09:00:00 -0800,2026/03/02 09:00:01 -0800,${sums},EUR`
const paypalRows = [
  paypalLine('T1', 'T0006', 'CR,1000,EUR,DR,55'),
  paypalLine('T2', 'T1107', 'DR,400,EUR,CR,14'),
  paypalLine('T3', 'T1201', 'DR,600,EUR,DR,1500'),
  paypalLine('T4', 'T0100', 'DR,200,EUR,,'),
  paypalLine('T6', 'T1205', 'CR,600,EUR,,'),
  paypalLine('T5', 'T0400', 'DR,345,EUR,,'),
]

test('rows of PayPal are in minor units, with the direction beside them', () => {
  const { rows, faults, lacks } = readAll(readPaypal(), [
    ...paypalHead,
    ...paypalRows,
    'SF,EUR,CR,1',
    'SC,6',
    'RF,EUR',
    'RC,6',
  ])
  assert.deepEqual([faults, lacks], [[], null])
  assert.deepEqual(
    rows.map(({ type, gross, fee: kept, net, reference }) => [type, gross, kept, net, reference]),
    [
      ['charge', '1000', '55', '945', 'T1'],
      ['refund', '-400', '-14', '-386', 'T2'],
      ['chargeback', '-600', '1500', '-2100', 'T3'],
      ['fee', '0', '200', '-200', ''],
      // The chargeback was reimbursed.
      ['chargeback-reversal', '600', '0', '600', 'T6'],
    ],
  )
  assert.deepEqual([rows[0]?.['date'], rows[0]?.['payment_id']], ['2026-03-02', paymentId])
})

test('a payment that we sent with PayPal is no charge, and a chargeback or reversal that PayPal credits returns one', () => {
  const { rows } = readAll(readPaypal(), [
    ...paypalHead,
    paypalLine('T1', 'T0006', 'DR,1000,EUR,,'),
    paypalLine('T2', 'T1107', 'CR,400,EUR,,'),
    paypalLine('T3', 'T1201', 'CR,600,EUR,,'),
    paypalLine('T4', 'T1106', 'CR,700,EUR,,'),
    paypalLine('T5', 'T1202', 'CR,800,EUR,,'),
    paypalLine('T6', 'T1202', 'DR,900,EUR,,'),
  ])
  assert.deepEqual(
    rows.map(({ type, gross, reference, payment_id: id }) => [type, gross, reference, id]),
    [
      ['adjustment', '-1000', '', ''],
      ['adjustment', '400', '', ''],
      ['chargeback-reversal', '600', 'T3', paymentId],
      ['chargeback-reversal', '700', 'T4', paymentId],
      ['chargeback-reversal', '800', 'T5', paymentId],
      ['adjustment', '-900', '', ''],
    ],
  )
})

test('a report of PayPal without its count, or with another one, was cut', () => {
  assert.match(readAll(readPaypal(), [...paypalHead, ...paypalRows]).lacks ?? '', /RC .* is missing/)
  const lost = readAll(readPaypal(), [...paypalHead, ...paypalRows.slice(1), 'SC,6', 'RC,6'])
  assert.match(lost.faults[0] ?? '', /announces 6 rows, and the section has 5/)
  assert.match(lost.lacks ?? '', /announces 6 rows, and the file has 5/)
  assert.match(readAll(readPaypal(), ['a,b']).faults[0] ?? '', /do not begin with the codes/)
})
