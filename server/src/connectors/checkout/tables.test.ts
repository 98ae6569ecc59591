import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoExponents } from '#domain/money/currencies.ts'
import { allowsRetry } from '#domain/payment/payment.ts'
import { checkoutAmounts } from './currencies.ts'
import { declineClassOf, declineReasonOf } from './declines.ts'

// The codes of "API response codes" (December 2025) that decline.
const soft = `20001 20002 20003 20004 20005 20006 20009 20012 20013 20014 20015 20016 20017 20018 20019 20020 20021 20022 20023 20024 20025
  20026 20027 20028 20029 20030 20031 20032 20033 20038 20039 20040 20042 20044 20045 20046 20051 20052 20053 20054 20055 20056 20057 20058
  20059 2005C 20060 20061 20062 20063 20064 20065 20066 20067 20068 2006P 20070 20072 20075 20078 20081 20082 20083 20084 20085 20086 20087
  20088 20089 20090 20091 20092 20093 20094 20095 20096 20097 20098 20099 2009G 200A4 200A5 200A6 200E0 200E2 200E3 200N0 200N7 200P1 200P9
  200R1 200R3 200S4 200T2 200T3 200T5 20100 20101 20102 20103 20104 20105 20106 20107 20108 20109 20110 20111 20112 20113 20114 20115 20116
  20117 20118 20119 20120 20121 20122 20123 20124 20150 20151 20152 20153 20154 20155 20156 20157 20158 20159 20179 20182 20183 20193 20197
  20199`
const hard = `30004 30007 30015 30016 30017 30018 30019 30020 30021 30022 30033 30034 30035 30036 30037 30038 30041 30043 30044 30045 30046
  30401 30402 30403 30404 30405`
const risk = `41101 41201 41202 41203 41204 41205 41206 41301 42101 42201 42202 42203 42204 42205 42206 42301 43101 43102 43201 43202 43203
  43204 43205 43206 43301 43401`
const payout = `50001 50002 50003 50005 50020 50021 50022 50023 50025 50026 50027 50030 50070 50100 50101 50102 50103 50104 50105 50106 50150
  50180 50200 50240 50260 50280 50399 50401 50402 50403 50404 50405 50406 50407 50408 50409 50410 50441 50451 50452 50453 50454 50466 50471
  50481 50490 50491 50492 50494 50499 50501 50511 50512 50513 50514 50515 50517 50531 50599`
const codesIn = (text: string): readonly string[] => text.trim().split(/\s+/)

test('every documented response code has a class', () => {
  for (const code of [soft, hard, risk, payout].flatMap(codesIn)) assert.notEqual(declineClassOf(code), 'unknown', code)
})

// biome-ignore format: a table is read in columns.
const classes = [
  [ '20005', 'soft' ], [ '20051', 'soft' ], [ '20065', 'soft' ], [ '200P9', 'soft' ], [ '20087', 'soft' ], [ '20019', 'soft' ],
  [ '20014', 'hard' ], [ '20054', 'hard' ], [ '20062', 'hard' ], [ '200R1', 'hard' ], [ '200R3', 'hard' ], [ '20179', 'hard' ],
  [ '20059', 'fraud' ], [ '20183', 'fraud' ], [ '30041', 'fraud' ], [ '30043', 'fraud' ], [ '43102', 'fraud' ], [ '41301', 'fraud' ],
  [ '20154', 'authentication_required' ], [ '43401', 'authentication_required' ],
  [ '20068', 'technical' ], [ '20091', 'technical' ], [ '20096', 'technical' ], [ '20153', 'technical' ], [ '50003', 'technical' ],
  [ '30007', 'hard' ], [ '30046', 'hard' ], [ '50402', 'hard' ],
  // Codes of the future follow their range; what is no code says nothing.
  [ '20998', 'soft' ], [ '30998', 'hard' ], [ '49999', 'fraud' ], [ '60000', 'unknown' ], [ 'declined', 'unknown' ], [ '', 'unknown' ],
] as const

for (const [code, wanted] of classes) {
  test(`response code "${code}" is ${wanted}`, () => assert.equal(declineClassOf(code), wanted))
}

test('a code that says what the payer did is a hard decline in plain words', () => {
  for (const code of ['20017', '20151', '20152']) assert.equal(allowsRetry(declineClassOf(code)), false, code)
  assert.equal(declineReasonOf('20017', 'Customer cancellation'), 'Cancelled by payer')
  assert.equal(declineReasonOf('20152', 'Initial 3DS transaction not completed within 15 minutes'), 'Expired')
  assert.equal(declineReasonOf('20051', 'Insufficient Funds'), 'Insufficient Funds')
  assert.equal(declineReasonOf('20051', undefined), 'Declined')
})

// biome-ignore format: a table is read in columns.
const amounts = [
  // currency  ours       theirs
  [ 'EUR',     1000n,     1000n ],
  [ 'JPY',     5000n,     5000n ],
  [ 'ISK',     5000n,     5000n ],
  [ 'UGX',     5000n,     5000n ],
  [ 'KWD',     1230n,     1230n ],
  [ 'KWD',     1231n,     null ],
  // Without decimals by ISO 4217, with two at Checkout.com.
  [ 'CLP',     500n,      50000n ],
  [ 'CLF',     12300n,    123n ],
  [ 'CLF',     12345n,    null ],
  [ 'EUR',     0n,        0n ],
  [ 'EUR',     999_999_999n,   999_999_999n ],
  [ 'EUR',     1_000_000_000n, null ],
] as const

for (const [currency, ours, theirs] of amounts) {
  test(`${ours} minor units of ${currency} are ${theirs ?? 'not possible'} at Checkout.com`, () => {
    assert.equal(checkoutAmounts.toAcquirer(ours, currency), theirs)
    if (theirs !== null) assert.equal(checkoutAmounts.fromAcquirer(theirs, currency), ours)
  })
}

test('every currency of ISO 4217 has decimals at Checkout.com', () => {
  for (const currency of isoExponents.keys())
    assert.doesNotThrow(() => checkoutAmounts.toAcquirer(100_000n, currency), currency)
})
