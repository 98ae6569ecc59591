/** Chapter 20 §5.1 to §5.5. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errors, type Refusal } from '../errors.ts'
import { cryptoExponents } from '../money/currencies.ts'
import { parseAmount } from '../money/money.ts'
import { countries } from '../place/country.ts'
import {
  type Brand,
  brandNamed,
  documentOf,
  hasTermsCheckbox,
  limitsOf,
  needsIdentifier,
  payerFieldsRequired,
  routingOf,
  takesCryptoNetwork,
  withinAmountLimits,
} from './brand.ts'
import { type BrandUse, brandRefusal } from './brand-refusal.ts'
import { builtInBrands } from './built-in-brands.ts'
import { cryptoOf, readCryptoCurrencies } from './crypto-currency.ts'
import { matches, patternFault } from './pattern.ts'
import { walletCountries } from './wallet-countries.ts'

const named = (code: string): Brand => brandNamed(builtInBrands, code) ?? assert.fail(code)

describe('the built-in brands (chapter 20 §5.4)', () => {
  const debits = 'CREDITVOID DEBIT2VIRTUAL DEBIT2VIRTUAL_CALC DEBIT2VIRTUAL_COMPLETE'
  const ofWallet = 'CAPTURE CREDITVOID SALE VOID'
  const paypalCurrencies =
    'AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD'
  // biome-ignore format: the table of the chapter, in its columns.
  const rows = [
    // code             kind        actions                                            identifier   currencies             two-stage       refund     void   page mode    seconds   waits in
    ['vcard',         'direct',   `CAPTURE CREDIT2VIRTUAL ${debits} SALE VOID`,       'required',  '*',                  'by_connector', 'partial', true,  'own_form',  3600,     'prepare'],
    ['walletapay',    'wallet',   ofWallet,                                           'required',  '*',                  'by_connector', 'partial', true,  'button',    900,      'prepare'],
    ['walletbpay',    'wallet',   ofWallet,                                           'required',  '*',                  'by_connector', 'partial', true,  'button',    900,      'prepare'],
    ['bank-redirect', 'redirect', 'CREDITVOID SALE VOID',                             'required',  'EUR GBP PLN',        'no',           'partial', true,  'redirect',  3600,     'redirect'],
    ['upi-like',      'direct',   'CREDITVOID SALE',                                  'required',  'INR',                'no',           'full',    false, 'own_form',  900,      'prepare'],
    ['voucher-cash',  'voucher',  'CREDITVOID SALE',                                  'required',  'BRL MXN USD',        'no',           'full',    false, 'own_form',  259200,   'pending'],
    ['crypto-pay',    'crypto',   'CREDIT2CRYPTO SALE',                               'optional',  '* BTC ETH USDT USDC', 'no',          'none',    false, 'own_form',  86400,    'pending'],
    ['account-debit', 'debit',    debits,                                             'required',  'EUR USD',            'no',           'partial', false, 'hidden',    1800,     'prepare'],
    ['bank-payout',   'payout',   'CREDIT2VIRTUAL',                                   'optional',  '*',                  'no',           'none',    false, 'hidden',    432000,   'prepare'],
    ['paypal',        'redirect', 'CAPTURE CREDITVOID SALE',                          'optional',  paypalCurrencies,     'by_connector', 'partial', false, 'redirect',  10800,    'redirect'],
  ] as const
  test('are these, in this order', () => {
    assert.deepEqual(
      builtInBrands.map(({ code }) => code),
      rows.map(([code]) => code),
    )
  })
  for (const [code, ...expected] of rows) {
    test(`${code} is as the chapter lists it`, () => {
      const brand = named(code)
      const { kind, identifier, twoStage, refund, pageMode, expiresAfterSeconds, waiting } = brand
      const [actions, currencies] = [brand.actions.toSorted().join(' '), brand.currencies.join(' ')]
      const stages = [twoStage, refund, brand.void, pageMode, expiresAfterSeconds, waiting]
      const actual = [kind, actions, identifier, currencies, ...stages]
      assert.deepEqual(actual, expected)
      assert.deepEqual([brand.builtIn, brand.enabled, brand.testOnly], [true, true, code === 'vcard'])
    })
  }
  test('only crypto-pay takes an order without an amount; only the wallets are served by any connector', () => {
    const open = builtInBrands.filter(({ amountOptional }) => amountOptional).map(({ code }) => code)
    assert.deepEqual(open, ['crypto-pay'])
    const anywhere = builtInBrands.filter(({ connectors }) => connectors.includes('*')).map(({ code }) => code)
    assert.deepEqual(anywhere, ['walletapay', 'walletbpay'])
    assert.deepEqual(named('paypal').connectors, ['paypal'])
  })
  test('the countries of the wallets exist, and none stands twice', () => {
    for (const list of Object.values(walletCountries)) {
      assert.deepEqual(
        list.filter((country) => !countries.has(country)),
        [],
      )
      assert.equal(new Set(list).size, list.length)
    }
    assert.deepEqual(named('upi-like').countries, ['IN'])
  })
})

describe('brand errors, in the order of chapter 20 §5.5', () => {
  const use: BrandUse = {
    action: 'SALE',
    auth: false,
    mode: 'live',
    sandbox: false,
    currency: 'EUR',
    payerCountry: null,
  }
  const bank = named('bank-redirect')
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [string, Brand | null, Partial<BrandUse>, Refusal | null])[] = [
    // case                                          brand                      use                                            refusal
    ['a brand that fits',                            bank,                      {},                                            null],
    ['not in the catalogue',                         null,                      {},                                            errors.brandNotFound],
    ['disabled',                                     { ...bank, enabled: false }, {},                                          errors.brandNotFound],
    ['for tests only, with a live key',              named('vcard'),            {},                                            errors.brandNotFound],
    ['for tests only, with a test key',              named('vcard'),            { mode: 'test' },                              null],
    ['for tests only, live in sandbox mode',         named('vcard'),            { sandbox: true },                             null],
    ['an action it does not offer',                  bank,                      { action: 'CREDIT2VIRTUAL' },                  errors.actionNotSupported],
    ['a hold of a one-stage brand',                  bank,                      { auth: true },                                errors.actionNotSupported],
    ['a hold of a two-stage brand',                  named('walletapay'),       { auth: true, payerCountry: 'DE' },            null],
    ['another currency',                             bank,                      { currency: 'USD' },                           errors.currencyNotFound],
    ['a crypto currency where every one is taken',   named('walletapay'),       { currency: 'BTC' },                           errors.currencyNotFound],
    ['a crypto currency of a crypto brand',          named('crypto-pay'),       { currency: 'BTC' },                           null],
    ['a currency of a crypto brand',                 named('crypto-pay'),       { currency: 'USD' },                           null],
    ['a crypto currency it does not name',           named('crypto-pay'),       { currency: 'DOGE' },                          errors.currencyNotFound],
    ['another country',                              named('upi-like'),         { currency: 'INR', payerCountry: 'US' },       errors.brandNotSupported],
    ['a country that is not known',                  named('upi-like'),         { currency: 'INR' },                           null],
    ['disabled before the action',                   { ...bank, enabled: false }, { action: 'CAPTURE', currency: 'USD' },      errors.brandNotFound],
    ['the action before the currency',               bank,                      { action: 'CAPTURE', currency: 'USD' },        errors.actionNotSupported],
    ['the currency before the country',              named('upi-like'),         { currency: 'USD', payerCountry: 'US' },       errors.currencyNotFound],
  ]
  for (const [title, brand, change, expected] of rows) {
    test(title, () => assert.equal(brandRefusal(brand, { ...use, ...change }), expected))
  }
  test('the codes are 204011, 204005, 204012 and 204006', () => {
    const { brandNotFound, actionNotSupported, currencyNotFound, brandNotSupported } = errors
    const codes = [brandNotFound, actionNotSupported, currencyNotFound, brandNotSupported].map(({ code }) => code)
    assert.deepEqual(codes, [204011, 204005, 204012, 204006])
  })
})

describe('what a brand says', () => {
  test('a brand is found by its code or an alias, in exactly that spelling', () => {
    const aliased = { ...named('walletapay'), aliases: ['Pay-A'] }
    assert.equal(brandNamed([aliased], 'Pay-A'), aliased)
    assert.equal(brandNamed([aliased], 'walletapay'), aliased)
    for (const other of ['pay-a', 'WALLETAPAY', '']) assert.equal(brandNamed([aliased], other), null)
  })
  test('amount limits hold per currency, both ends included', () => {
    const limited = {
      ...named('vcard'),
      amountLimits: { EUR: { min: '1', max: '10.00' }, USD: { min: null, max: '5' } },
    }
    const fits = (currency: string, minor: bigint) => withinAmountLimits(limited, currency, minor)
    assert.deepEqual(
      [99n, 100n, 1000n, 1001n].map((minor) => fits('EUR', minor)),
      [false, true, true, false],
    )
    assert.deepEqual([fits('USD', 1n), fits('USD', 501n), fits('GBP', 10n ** 9n)], [true, false, true])
    const inBtc = { ...limited, amountLimits: { BTC: { min: '0.0001', max: null } } }
    assert.equal(withinAmountLimits(inBtc, 'BTC', 9_999n, cryptoExponents), false)
    assert.equal(withinAmountLimits(inBtc, 'BTC', 10_000n, cryptoExponents), true)
  })
  test('the identifier is required unless the brand says optional, and never for a payout', () => {
    assert.equal(needsIdentifier(named('bank-redirect'), 'SALE'), true)
    assert.equal(needsIdentifier(named('crypto-pay'), 'SALE'), false)
    assert.equal(needsIdentifier(named('vcard'), 'CREDIT2VIRTUAL'), false)
  })
  test('payer fields are required per action', () => {
    const asking = { ...named('vcard'), payerRequired: { SALE: ['payer_email'] } }
    assert.deepEqual(payerFieldsRequired(asking, 'SALE'), ['payer_email'])
    assert.deepEqual(payerFieldsRequired(asking, 'DEBIT2VIRTUAL'), [])
  })
  test('crypto networks are those listed, or any text', () => {
    assert.equal(takesCryptoNetwork(named('crypto-pay'), 'anything'), true)
    const limited = { ...named('crypto-pay'), cryptoNetworks: ['ERC20'] }
    assert.deepEqual([takesCryptoNetwork(limited, 'ERC20'), takesCryptoNetwork(limited, 'TRC20')], [true, false])
  })
  test('the checkbox is shown before a redirect, and nowhere else', () => {
    const shown = builtInBrands.filter(hasTermsCheckbox).map(({ code }) => code)
    assert.deepEqual(shown, ['bank-redirect', 'paypal'])
    assert.equal(hasTermsCheckbox({ ...named('crypto-pay'), pageMode: 'redirect' }), false)
  })
  test('the document is that of crypto, of a card for a wallet in card flow, else virtual', () => {
    assert.equal(documentOf(named('crypto-pay'), { card: false }), 'payment_document_crypto')
    assert.equal(documentOf(named('walletapay'), { card: true }), 'payment_document_card')
    assert.equal(documentOf(named('walletapay'), { card: false }), 'payment_document_virtual')
    assert.equal(documentOf(named('vcard'), { card: false }), 'payment_document_virtual')
  })
  test('a partial capture needs the brand and the connector', () => {
    assert.equal(limitsOf(named('vcard'), { partialCapture: true }).partialCapture, true)
    assert.equal(limitsOf(named('vcard'), { partialCapture: false }).partialCapture, false)
    assert.deepEqual(limitsOf(named('upi-like'), { partialCapture: true }), {
      refund: 'full',
      partialCapture: false,
      void: false,
    })
  })
  test('routing learns code, stages and connectors', () => {
    assert.deepEqual(routingOf(named('vcard')), { code: 'vcard', twoStage: true, connectors: ['sandbox'] })
  })
})

describe('crypto currencies (chapter 20 §2)', () => {
  test('are known to brands of kind crypto only', () => {
    assert.deepEqual(parseAmount('0.5', 'BTC', cryptoOf(named('crypto-pay'), cryptoExponents)), {
      minor: 50_000_000n,
      decimals: 8,
    })
    assert.equal(parseAmount('0.5', 'BTC', cryptoOf(named('vcard'), cryptoExponents)), 'unknown-currency')
    assert.equal(parseAmount('0.5', 'BTC', cryptoOf(null, cryptoExponents)), 'unknown-currency')
  })
  test("an operator's table is read, or refused with what is wrong", () => {
    const read = readCryptoCurrencies({ DOGE: 8, USDT: 6 })
    assert.deepEqual(read.ok && [...read.table], [
      ['DOGE', 8],
      ['USDT', 6],
    ])
    assert.deepEqual(readCryptoCurrencies({ doge: 8, EUR: 2, ETH: 31, SOL: '9', BTC: 8 }), {
      ok: false,
      faults: [
        'doge must be 3 to 6 capitals or digits.',
        'EUR is a currency of ISO 4217.',
        'ETH must have 0 to 30 decimals.',
        'SOL must have 0 to 30 decimals.',
      ],
    })
    assert.equal(readCryptoCurrencies([]).ok, false)
  })
})

describe('patterns of parameter rows', () => {
  // biome-ignore format: a table is read in columns.
  const taken = ['^[A-Z0-9]+$', '^[A-Za-z0-9._-]{2,64}@[A-Za-z]{2,32}$', '(?:DE|FR)[0-9]{2}', 'a|b', '[A-Z]{2}(-[0-9]+)?', '\\d{3}-?\\w*', '[\\]*+]{3}', '\\p{L}+', 'x*?y?']
  // biome-ignore format: a table is read in columns.
  const refused = [
    // pattern                    why
    ['(a)\\1',                   'The pattern must not refer back to a group.'],
    ['(?<x>a)\\k<x>',            'The pattern must not refer back to a group.'],
    ['(?=a)a',                   'The pattern must not look ahead or behind.'],
    ['(?<!a)b',                  'The pattern must not look ahead or behind.'],
    ['(?<x>a)',                  'The pattern must not name or flag a group; write (?:…).'],
    ['(a+)+',                    'The pattern must not repeat a group.'],
    ['(?:ab){2,3}',              'The pattern must not repeat a group.'],
    ['a*a*',                     'The pattern must not have more than one *, + or {n,}; give the others an upper bound.'],
    ['a{2,}b+',                  'The pattern must not have more than one *, + or {n,}; give the others an upper bound.'],
    ['a{0,100}a{0,100}b',        'The ranges and alternatives of the pattern must not combine to more than 2000 ways.'],
    ['a{99999}',                 'The pattern must not repeat anything 10000 times or more.'],
    ['[a',                       'The pattern is not a regular expression.'],
    ['a)(b',                     'The pattern is not a regular expression.'],
    ['a'.repeat(201),            'The pattern must have 200 characters or less.'],
  ] as const
  for (const pattern of taken) test(`${pattern} is taken`, () => assert.equal(patternFault(pattern), null))
  for (const [pattern, why] of refused)
    test(`${pattern.slice(0, 30)} is refused`, () => assert.equal(patternFault(pattern), why))

  test('the whole value has to match, written with anchors or without', () => {
    for (const pattern of ['[0-9]+', '^[0-9]+$', 'x|[0-9]+'])
      assert.deepEqual([matches(pattern, '12'), matches(pattern, '12a'), matches(pattern, 'a12')], [true, false, false])
  })
  test('the costliest patterns that are taken still come to an end over a long value', () => {
    // A careless pattern of this length would take longer than any run of the tests.
    const costly = ['a{0,44}a{0,43}a*b', `${'a?'.repeat(10)}a*b`, '(?:a|a)(?:a|a)(?:a|a)a*a{0,99}b']
    for (const pattern of costly) {
      assert.equal(patternFault(pattern), null)
      assert.equal(matches(pattern, 'a'.repeat(32 * 1024)), false)
      assert.equal(matches(pattern, `${'a'.repeat(32 * 1024)}b`), true)
    }
  })
})
