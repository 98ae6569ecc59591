import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { isoExponents } from '#domain/money/currencies.ts'
import { cybersourceCredentials, cybersourceHosts } from './credentials.ts'
import { fromCybersourceAmount, toCybersourceAmount } from './currencies.ts'
import { declineOf, leavesHold, reasonOfNumber } from './declines.ts'
import { merchantTransactionId } from './references.ts'
import { signRequest } from './signature.ts'

// The reasons that the reference of POST /pts/v2/payments lists for a payment that was not approved.
const reasons =
  `AVS_FAILED CONTACT_PROCESSOR EXPIRED_CARD PROCESSOR_DECLINED INSUFFICIENT_FUND STOLEN_LOST_CARD ISSUER_UNAVAILABLE
  UNAUTHORIZED_CARD CVN_NOT_MATCH EXCEEDS_CREDIT_LIMIT INVALID_CVN BLOCKED_BY_CARDHOLDER DECLINED_CHECK BLACKLISTED_CUSTOMER SUSPENDED_ACCOUNT
  PAYMENT_REFUSED CV_FAILED INVALID_ACCOUNT GENERAL_DECLINE INVALID_MERCHANT_CONFIGURATION DECISION_PROFILE_REJECT SCORE_EXCEEDS_THRESHOLD
  PENDING_AUTHENTICATION ACH_VERIFICATION_FAILED DECISION_PROFILE_REVIEW CONSUMER_AUTHENTICATION_REQUIRED CONSUMER_AUTHENTICATION_FAILED
  ALLOWABLE_PIN_RETRIES_EXCEEDED PROCESSOR_ERROR CUSTOMER_WATCHLIST_MATCH ADDRESS_COUNTRY_WATCHLIST_MATCH EMAIL_COUNTRY_WATCHLIST_MATCH
  IP_COUNTRY_WATCHLIST_MATCH DAGGREJECTED DAGGDENIED DSYSREJECTED`.split(/\s+/)

test('every documented reason has a class and a text', () => {
  for (const reason of reasons) assert.notEqual(declineOf(reason, undefined).declineClass, 'unknown', reason)
  assert.deepEqual(declineOf('A_REASON_OF_THE_FUTURE', '05'), { reason: 'Declined', declineClass: 'unknown' })
  assert.deepEqual(declineOf(undefined, undefined), { reason: 'Declined', declineClass: 'unknown' })
})

// biome-ignore format: a table is read in columns.
const refined = [
  // reason                network  class
  [ 'PROCESSOR_DECLINED',  '05',    'soft' ],
  [ 'PROCESSOR_DECLINED',  'R0',    'hard' ],
  [ 'PROCESSOR_DECLINED',  '1A',    'authentication_required' ],
  [ 'GENERAL_DECLINE',     '43',    'fraud' ],
  [ 'GENERAL_DECLINE',     '96',    'technical' ],
  // What CyberSource says itself is not overruled.
  [ 'INSUFFICIENT_FUND',   '43',    'soft' ],
  [ 'PROCESSOR_DECLINED',  '251',   'soft' ],
] as const

for (const [reason, network, wanted] of refined) {
  test(`${reason} with the network's code ${network} is ${wanted}`, () =>
    assert.equal(declineOf(reason, network).declineClass, wanted))
}

test('the numbers of Transaction Search lead to the same reasons, and those that leave a hold are known', () => {
  assert.equal(reasonOfNumber(204), 'INSUFFICIENT_FUND')
  assert.equal(reasonOfNumber(100), undefined)
  for (const number of [200, 230, 400, 480, 481])
    assert.ok(leavesHold.has(reasonOfNumber(number) ?? ''), String(number))
  for (const number of [201, 203, 204, 478]) assert.equal(leavesHold.has(reasonOfNumber(number) ?? ''), false)
})

// biome-ignore format: a table is read in columns.
const amounts = [
  [ 'EUR', 1000n, '10.00' ], [ 'EUR', 5n, '0.05' ], [ 'EUR', 0n, '0.00' ],
  [ 'JPY', 5000n, '5000' ], [ 'ISK', 5000n, '5000' ], [ 'UGX', 5000n, '5000' ],
  [ 'KWD', 1234n, '1.234' ], [ 'HUF', 100n, '1.00' ], [ 'CLP', 100n, '100' ],
  [ 'EUR', 123_456_789_012_345_678n, '1234567890123456.78' ],
  [ 'EUR', 1_234_567_890_123_456_789n, null ],
] as const

for (const [currency, ours, theirs] of amounts) {
  test(`${ours} minor units of ${currency} are ${theirs ?? 'not possible'} at CyberSource`, () => {
    assert.equal(toCybersourceAmount(ours, currency), theirs)
    if (theirs !== null) assert.equal(fromCybersourceAmount(theirs, currency), ours)
  })
}

test('an amount with more decimals than the currency has is not taken for a rounded one', () => {
  assert.equal(fromCybersourceAmount('10.005', 'EUR'), null)
  assert.equal(fromCybersourceAmount('10.0', 'EUR'), 1000n)
})

test('every currency of ISO 4217 has a form at CyberSource', () => {
  for (const currency of isoExponents.keys()) assert.notEqual(toCybersourceAmount(100_000n, currency), null, currency)
})

test('our id of a transaction fits into the 30 characters of CyberSource, and two ids never become one', () => {
  const longest = merchantTransactionId({ transactionId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' })
  assert.match(longest, /^[0-9a-z]{25}$/)
  const ids = ['0199a1b2-c3d4-7e5f-8a6b-000000000001', '0199a1b2-c3d4-7e5f-8a6b-000000000002']
  assert.equal(new Set(ids.map((transactionId) => merchantTransactionId({ transactionId }))).size, 2)
})

const credentials = {
  merchant_id: 'gatehouse_sample',
  key_id: '08c94330-f618-42a3-b09d-e1e43be5efda',
  shared_secret: 'yBJxy6LjM2TmcPGu+GaJrHtkke25fPpUX+UY6/L/1tE=',
}

test('a request is signed as documented: its lines in this order, the digest only with a body', () => {
  const at = new Date('2026-03-01T12:00:00Z')
  const hmac = (text: string) =>
    createHmac('sha256', Buffer.from(credentials.shared_secret, 'base64')).update(text).digest('base64')
  const bytes = Buffer.from('{"a":"é"}')
  const digest = `SHA-256=${createHash('sha256').update(bytes).digest('base64')}`
  const common = { headers: {}, at }
  assert.deepEqual(
    signRequest(
      { ...common, method: 'POST', url: new URL('https://apitest.cybersource.com/pts/v2/payments'), bytes },
      credentials,
    ),
    {
      'v-c-date': 'Sun, 01 Mar 2026 12:00:00 GMT',
      'v-c-merchant-id': 'gatehouse_sample',
      digest,
      signature: `keyid="${credentials.key_id}", algorithm="HmacSHA256", headers="host v-c-date request-target digest v-c-merchant-id", signature="${hmac(
        `host: apitest.cybersource.com\nv-c-date: Sun, 01 Mar 2026 12:00:00 GMT\nrequest-target: post /pts/v2/payments\ndigest: ${digest}\nv-c-merchant-id: gatehouse_sample`,
      )}"`,
    },
  )
  const question = signRequest(
    {
      ...common,
      method: 'GET',
      url: new URL('http://127.0.0.1:8080/tss/v2/transactions/7?a=b'),
      bytes: Buffer.alloc(0),
    },
    credentials,
  )
  assert.equal(question['digest'], undefined)
  assert.ok(
    question['signature']?.endsWith(
      `headers="host v-c-date request-target v-c-merchant-id", signature="${hmac(
        'host: 127.0.0.1:8080\nv-c-date: Sun, 01 Mar 2026 12:00:00 GMT\nrequest-target: get /tss/v2/transactions/7?a=b\nv-c-merchant-id: gatehouse_sample',
      )}"`,
    ),
  )
})

// biome-ignore format: a table is read in columns.
const hosts = [
  [ undefined,         'https://api.cybersource.com',                     'https://apitest.cybersource.com' ],
  [ 'india',           'https://api.in.cybersource.com',                  'https://apitest.cybersource.com' ],
  [ 'visa-acceptance', 'https://api.visaacceptance.com',                  'https://apitest.visaacceptance.com' ],
  [ 'bank-of-america', 'https://api.merchant-services.bankofamerica.com', 'https://apitest.merchant-services.bankofamerica.com' ],
  [ 'smartpay-fuse',   'https://api.smartpayfuse.barclaycard',            'https://api.smartpayfuse-test.barclaycard' ],
] as const

for (const [host, live, mode] of hosts) {
  test(`the platform ${host ?? 'by default'} is reached at ${live}, and for tests at ${mode}`, () => {
    const parsed = cybersourceCredentials.parse({ ...credentials, host })
    assert.deepEqual(cybersourceHosts(parsed, 'live'), { api: live })
    assert.deepEqual(cybersourceHosts(parsed, 'test'), { api: mode })
  })
}

test('credentials that cannot work are refused where they are entered', () => {
  const isTaken = (changes: object) => cybersourceCredentials.safeParse({ ...credentials, ...changes }).success
  assert.equal(isTaken({}), true)
  assert.equal(isTaken({ shared_secret: 'not base64, but long enough' }), false)
  assert.equal(isTaken({ merchant_id: 'two words' }), false)
  assert.equal(isTaken({ host: 'another' }), false)
  assert.equal(isTaken({ webhook_key: credentials.shared_secret }), false, 'a key without its ID')
  assert.equal(isTaken({ webhook_key_id_previous: 'a-former-key' }), false, 'an ID without its key')
})
