/** Callbacks of S2S APM, held against the tables and the signature vectors of chapter 20. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { defaultMapping } from '#domain/mapping.ts'
import type { PaymentFacts, TransactionFacts } from '#domain/payment/facts.ts'
import { bareFacts, unknownPerson } from '#domain/payment/testing/example-facts.ts'
import { signTree, type Tree } from '#domain/signature/signature.ts'
import { encodeForm, readForm } from '../kit/bodies/form.ts'
import { apmCallbackFields } from './callback.ts'

/** Chapter 20 §4.4: what all the vectors have in common. */
const key = { password: '13a4822c5907ed235f3a068c76184fc3', digest: 'md5' } as const
const creditvoidId = '0d2c5f5e-7a11-4f0c-9a53-2f3b1a77c001'
const paid: PaymentFacts = {
  ...bareFacts,
  id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  protocol: 'S2S_APM',
  merchant: { ...bareFacts.merchant, timeZone: 'UTC' },
  order: { ...bareFacts.order, id: 'ORDER12345', amountMinor: 199n, currency: 'USD' },
  descriptor: 'test',
}

const mapping = { ...defaultMapping('S2S_APM'), merchantId: '' }
const callbackOf = (facts: PaymentFacts, more: Partial<typeof mapping> = {}) =>
  apmCallbackFields(facts, { ...mapping, ...more }, key)

const transaction = (over: Partial<TransactionFacts>): TransactionFacts => ({
  id: 'transaction',
  type: 'SALE',
  state: 'success',
  amountMinor: 199n,
  at: new Date('2026-02-03T10:00:00Z'),
  creditvoidId: null,
  ...over,
})

const sale = { ...paid, transaction: transaction({}) }
const refund = {
  ...paid,
  status: 'REFUND',
  transaction: transaction({ type: 'REFUND', at: new Date('2026-02-04T09:30:00Z'), creditvoidId }),
} as const

describe('the vectors of chapter 20 §4.4:', () => {
  test('V12, a settled sale, field by field', () => {
    assert.deepEqual(Object.entries(callbackOf(sale)), [
      ['action', 'SALE'],
      ['result', 'SUCCESS'],
      ['status', 'SETTLED'],
      ['order_id', 'ORDER12345'],
      ['trans_id', 'aaaff66a-904f-11ea-833e-0242ac1f0007'],
      ['hash', '538e5a831c4c3cd2d2912c424afe1320'],
      ['trans_date', '2026-02-03 10:00:00'],
      ['descriptor', 'test'],
      ['amount', '1.99'],
      ['currency', 'USD'],
    ])
  })

  test('V12 by SHA-256', () => {
    const fields = apmCallbackFields(sale, mapping, { ...key, digest: 'sha256' })
    assert.equal(fields['hash'], '1a191b052fba04f5bb016b51bcfbcd6d5e86106fd79418dfbf08033fc565a729')
  })

  test('V13, custom data of every depth takes part', () => {
    const customData = { b: 'two', a: { 10: 'x', 9: 'y' }, B: 'Zürich' }
    assert.equal(callbackOf({ ...sale, customData })['hash'], 'f4662ac6c333bfbc749eb26d4ccd38f9')
  })

  test('V14, creditvoid_id of a refund takes part', () => {
    assert.equal(callbackOf(refund)['hash'], '0a8576cf97f77f5ff2db297e422d5ebd')
  })

  test('V16, a capture', () => {
    const at = new Date('2026-02-03T11:00:00Z')
    assert.equal(
      callbackOf({ ...paid, transaction: transaction({ type: 'CAPTURE', at }) })['hash'],
      '7d6eab8eddf9beca6cc362a60d03466c',
    )
  })

  test('V17, commission and total of a debit take part', () => {
    assert.equal(callbackOf(debit)['hash'], 'bf618cdfe8805d0cff0cd83a3769ef11')
  })

  test('V9, C2: a payout covers its identifiers and its status alone', () => {
    const payout = { ...paid, kind: 'credit', action: 'CREDIT2VIRTUAL' } as const
    const hash = 'f1db81798647a51f5bfa37f292963b00'
    assert.equal(callbackOf({ ...payout, transaction: transaction({ type: 'CREDIT' }) })['hash'], hash)
    assert.equal(
      callbackOf({ ...payout, customData: { a: '1' }, transaction: transaction({ type: 'CREDIT' }) })['hash'],
      hash,
    )
  })

  test('V10 and V11, C3: a sale in crypto money covers the e-mail and its identifier', () => {
    const crypto = { ...sale, brandDocument: 'payment_document_crypto' } as const
    const payer = { ...unknownPerson, email: 'doe@example.com' }
    assert.equal(callbackOf({ ...crypto, payer })['hash'], '6f94f9bccd2d4e3f26774a349189d00e')
    assert.equal(callbackOf(crypto)['hash'], '991b5e366b2ad55a7083117c6b2a9ef2')
  })

  test('a refund of crypto money and its chargeback are signed by C1 like any other', () => {
    const crypto = { ...refund, brandDocument: 'payment_document_crypto' } as const
    assert.equal(callbackOf(crypto)['hash'], '0a8576cf97f77f5ff2db297e422d5ebd')
  })
})

const debit: PaymentFacts = {
  ...paid,
  kind: 'debit',
  action: 'DEBIT2VIRTUAL',
  order: { ...paid.order, amountMinor: 1000n, currency: 'EUR' },
  commissionMinor: 55n,
  transaction: transaction({ type: 'DEBIT', amountMinor: 1055n }),
}

/** Fields in their order, without the hash. */
const names = (facts: PaymentFacts, more: Partial<typeof mapping> = {}): string =>
  Object.keys(callbackOf(facts, more))
    .filter((name) => name !== 'hash')
    .join(' ')

const head = 'action result status order_id trans_id'
const customData = { cart: '7' }
const selected = { addToCallback: ['merchant_name'] }
const declineReason = 'Declined by processing'
const redirect = { url: 'https://bank.example.com/pay', method: 'POST', params: { token: 't' } } as const
const everyThing: Partial<PaymentFacts> = {
  customData,
  declineReason,
  redirect,
  digitalWallet: 'walletapay',
  panType: 'DPAN',
  exchange: { rate: '1.1', rateBase: '1.2', currency: 'EUR', amount: '1.80' },
  crypto: { address: 'bc1q', network: 'ERC20' },
}

// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [title: string, facts: Partial<PaymentFacts>, transaction: Partial<TransactionFacts>, result: string, fields: string])[] = [
  // Chapter 20 §6.6
  ['a settled sale',         { status: 'SETTLED' },                    { state: 'success' },                    'SUCCESS',   'trans_date descriptor amount currency exchange_rate exchange_rate_base exchange_currency exchange_amount digital_wallet pan_type custom_data merchant_name'],
  ['a hold',                 { status: 'PENDING' },                    { type: 'AUTH', state: 'success' },      'SUCCESS',   'trans_date descriptor amount currency exchange_rate exchange_rate_base exchange_currency exchange_amount digital_wallet pan_type custom_data merchant_name'],
  ['a declined sale',        { status: 'DECLINED' },                   { state: 'fail' },                       'DECLINED',  'trans_date descriptor decline_reason amount currency digital_wallet pan_type custom_data merchant_name'],
  ['a redirected sale',      { status: 'REDIRECT' },                   { state: 'waiting' },                    'REDIRECT',  'trans_date redirect_url redirect_params redirect_method amount currency digital_wallet pan_type custom_data merchant_name'],
  ['a sale at 3-D Secure',   { status: '3DS' },                        { type: '3DS', state: 'waiting' },       'REDIRECT',  'trans_date redirect_url redirect_params redirect_method amount currency digital_wallet pan_type custom_data merchant_name'],
  ['an undefined sale',      { status: 'PREPARE' },                    { state: 'undefined' },                  'UNDEFINED', 'trans_date descriptor amount currency digital_wallet pan_type custom_data merchant_name'],
  ['a sale whose payer left', { status: 'REDIRECT' },                  { state: 'undefined' },                  'UNDEFINED', 'trans_date descriptor amount currency digital_wallet pan_type custom_data merchant_name'],
  // Chapter 20 §7: custom data is not in the table, mapped data with success only
  ['a capture',              { status: 'SETTLED' },                    { type: 'CAPTURE', state: 'success' },   'SUCCESS',   'trans_date descriptor amount currency merchant_name'],
  ['a declined capture',     { status: 'PENDING' },                    { type: 'CAPTURE', state: 'fail' },      'DECLINED',  'trans_date descriptor amount currency decline_reason'],
  ['an undefined capture',   { status: 'PENDING' },                    { type: 'CAPTURE', state: 'undefined' }, 'UNDEFINED', 'trans_date descriptor amount currency'],
  // Chapter 20 §8
  ['a refund',               { status: 'REFUND' },                     { type: 'REFUND', state: 'success', creditvoidId },     'SUCCESS',   'creditvoid_id creditvoid_date amount merchant_name'],
  ['a declined refund',      { status: 'SETTLED' },                    { type: 'REFUND', state: 'fail', creditvoidId },        'DECLINED',  'creditvoid_id decline_reason'],
  ['an undefined refund',    { status: 'SETTLED' },                    { type: 'REFUND', state: 'undefined', creditvoidId },   'UNDEFINED', 'creditvoid_id creditvoid_date amount'],
  ['a waiting refund',       { status: 'SETTLED' },                    { type: 'REFUND', state: 'waiting', creditvoidId },     'WAITING',   'creditvoid_id creditvoid_date amount'],
  ['a released hold',        { status: 'REVERSAL' },                   { type: 'REVERSAL', state: 'success', creditvoidId },   'SUCCESS',   'creditvoid_id creditvoid_date amount merchant_name'],
  // Chapter 20 §9
  ['a void',                 { status: 'VOID' },                       { type: 'VOID', state: 'success' },      'SUCCESS',   'trans_date merchant_name'],
  ['a declined void',        { status: 'SETTLED' },                    { type: 'VOID', state: 'fail' },         'DECLINED',  'trans_date decline_reason'],
  ['an undefined void',      { status: 'SETTLED' },                    { type: 'VOID', state: 'undefined' },    'UNDEFINED', 'trans_date'],
  // Chapter 20 §10, §11
  ['a payout',               { status: 'SETTLED', kind: 'credit', action: 'CREDIT2VIRTUAL' },  { type: 'CREDIT', state: 'success' },   'SUCCESS',   'trans_date amount currency custom_data merchant_name'],
  ['a declined payout',      { status: 'DECLINED', kind: 'credit', action: 'CREDIT2VIRTUAL' }, { type: 'CREDIT', state: 'fail' },      'DECLINED',  'trans_date amount currency decline_reason custom_data merchant_name'],
  ['an undefined payout',    { status: 'PREPARE', kind: 'credit', action: 'CREDIT2VIRTUAL' },  { type: 'CREDIT', state: 'undefined' }, 'UNDEFINED', 'trans_date amount currency custom_data merchant_name'],
  ['a begun crypto payout',  { status: 'PENDING', kind: 'credit', action: 'CREDIT2CRYPTO' },   { type: 'CREDIT', state: 'waiting' },   'INIT',      'trans_date descriptor amount currency custom_data merchant_name'],
  ['a crypto payout',        { status: 'SETTLED', kind: 'credit', action: 'CREDIT2CRYPTO' },   { type: 'CREDIT', state: 'success' },   'SUCCESS',   'trans_date descriptor amount currency custom_data merchant_name'],
  ['a declined crypto payout', { status: 'DECLINED', kind: 'credit', action: 'CREDIT2CRYPTO' }, { type: 'CREDIT', state: 'fail' },     'DECLINED',  'trans_date descriptor amount currency decline_reason custom_data merchant_name'],
  ['an undefined crypto payout', { status: 'PENDING', kind: 'credit', action: 'CREDIT2CRYPTO' }, { type: 'CREDIT', state: 'undefined' }, 'UNDEFINED', 'trans_date descriptor amount currency custom_data merchant_name'],
  // Chapter 20 §12.3
  ['a debit',                { status: 'SETTLED', kind: 'debit', action: 'DEBIT2VIRTUAL' },    { type: 'DEBIT', state: 'success' },    'SUCCESS',   'trans_date descriptor amount currency commission total_amount custom_data merchant_name'],
  ['a declined debit',       { status: 'DECLINED', kind: 'debit', action: 'DEBIT2VIRTUAL' },   { type: 'DEBIT', state: 'fail' },       'DECLINED',  'trans_date descriptor amount currency commission total_amount decline_reason custom_data merchant_name'],
  ['a redirected debit',     { status: 'REDIRECT', kind: 'debit', action: 'DEBIT2VIRTUAL' },   { type: 'DEBIT', state: 'waiting' },    'SUCCESS',   'trans_date descriptor amount currency commission total_amount redirect_url redirect_params redirect_method custom_data merchant_name'],
  ['an undefined debit',     { status: 'PREPARE', kind: 'debit', action: 'DEBIT2VIRTUAL' },    { type: 'DEBIT', state: 'undefined' },  'UNDEFINED', 'trans_date descriptor amount currency commission total_amount custom_data merchant_name'],
  ['a calculated debit',     { status: 'PREPARE', kind: 'debit', action: 'DEBIT2VIRTUAL_CALC' }, { type: 'CALC', state: 'success' },   'SUCCESS',   'trans_date descriptor amount currency commission total_amount custom_data merchant_name'],
  // Chapter 20 §16
  ['a chargeback',           { status: 'CHARGEBACK', chargeback: { at: new Date('2026-02-09T08:00:00Z'), bankDate: '2026-02-05', reasonCode: '1212 Fraud' } }, { type: 'CHARGEBACK', state: 'success' }, 'SUCCESS', 'amount chargeback_date bank_date reason_code merchant_name'],
]

describe('the fields of the callback of', () => {
  for (const [title, facts, about, result, fields] of cases) {
    test(title, () => {
      const whole = { ...paid, ...everyThing, ...facts, transaction: transaction(about) }
      assert.equal(names(whole, selected), `${head} ${fields}`)
      assert.equal(callbackOf(whole)['result'], result)
      assert.equal(callbackOf(whole)['status'], whole.status)
    })
  }

  test('a sale that waits for crypto money, reported as INIT', () => {
    const facts = { ...paid, status: 'PENDING', customData, crypto: everyThing.crypto ?? null } as const
    const waiting = { ...facts, transaction: transaction({ state: 'waiting' }) }
    assert.equal(
      names(waiting),
      `${head} trans_date descriptor amount currency crypto_address crypto_network custom_data`,
    )
    assert.equal(callbackOf(waiting)['result'], 'INIT')
  })

  test('a sale whose amount the payer decides leaves the amount out until it is known', () => {
    const open = { ...paid, status: 'PENDING', order: { ...paid.order, amountMinor: null } } as const
    assert.equal(
      callbackOf({ ...open, transaction: transaction({ state: 'waiting', amountMinor: 0n }) })['amount'],
      undefined,
    )
  })

  test('a sale that waits for cash', () => {
    const voucher = { reference: 'V-1', expires: '2026-02-06 10:00:00', url: 'https://voucher.example.com/V-1' }
    const waiting = { ...paid, status: 'PENDING', voucher, transaction: transaction({ state: 'waiting' }) } as const
    assert.equal(
      names(waiting),
      `${head} trans_date descriptor amount currency voucher_reference voucher_expires voucher_url`,
    )
  })
})

describe('the action of the callback', () => {
  const action = (facts: Partial<PaymentFacts>, about: Partial<TransactionFacts>) =>
    callbackOf({ ...debit, ...facts, transaction: transaction(about) })['action']

  test('of a completed calculation is DEBIT2VIRTUAL', () => {
    assert.equal(action({ action: 'DEBIT2VIRTUAL_CALC' }, { type: 'DEBIT' }), 'DEBIT2VIRTUAL')
  })

  test('of a calculation, also of one that expired, is DEBIT2VIRTUAL_CALC', () => {
    assert.equal(action({ action: 'DEBIT2VIRTUAL_CALC', status: 'PREPARE' }, { type: 'CALC' }), 'DEBIT2VIRTUAL_CALC')
    const expired = { action: 'DEBIT2VIRTUAL_CALC', status: 'DECLINED' } as const
    assert.equal(action(expired, { type: 'CALC', state: 'fail' }), 'DEBIT2VIRTUAL_CALC')
  })

  test('of a reversed debit is CREDITVOID', () => {
    assert.equal(action({ status: 'REVERSAL' }, { type: 'REVERSAL', creditvoidId }), 'CREDITVOID')
  })
})

test('the amount of a debit is the order’s, and the commission is not part of it', () => {
  const { amount, commission, total_amount } = callbackOf(debit)
  assert.deepEqual({ amount, commission, total_amount }, { amount: '10.00', commission: '0.55', total_amount: '10.55' })
})

test('without a commission it is zero with the decimals of the currency', () => {
  assert.equal(callbackOf({ ...debit, commissionMinor: null })['commission'], '0.00')
})

test('arn is sent empty when it was selected and is missing, and takes part in the hash as such', () => {
  const fields = callbackOf(sale, { addToCallback: ['arn'] })
  assert.equal(fields['arn'], '')
  assert.equal(fields['hash'], callbackOf(sale)['hash'])
})

test('a redirect without parameters has no redirect_params in a callback', () => {
  const byGet = { url: 'https://bank.example.com/pay?a=1', method: 'GET', params: {} } as const
  const fields = callbackOf({
    ...paid,
    status: 'REDIRECT',
    redirect: byGet,
    transaction: transaction({ state: 'waiting' }),
  })
  assert.deepEqual([fields['redirect_url'], fields['redirect_params']], [byGet.url, undefined])
})

/** Text that a form can carry, names like those of any language's arrays among it. */
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((one) => one.isWellFormed() && !one.includes('\0'))
const name = fc.oneof(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/), fc.nat({ max: 20 }).map(String))
const { tree } = fc.letrec<{ tree: Record<string, unknown>; leaf: unknown }>((tie) => ({
  tree: fc.dictionary(name, tie('leaf'), { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
  leaf: fc.oneof({ depthSize: 'small', maxDepth: 3 }, text, tie('tree')),
}))

test('whatever custom data holds, the hash fits the form as its receiver decodes it', () => {
  fc.assert(
    fc.property(tree, (customData) => {
      // The arbitrary makes nothing but objects of text.
      const fields = callbackOf({ ...sale, customData: customData as PaymentFacts['customData'] })
      const reading = readForm(Buffer.from(encodeForm(fields)), undefined)
      assert.ok(reading.ok)
      assert.equal(signTree(reading.tree as Tree, key), fields['hash'])
    }),
  )
})
