import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codes as isoCodes, code as isoRecord } from 'currency-codes'
import fc from 'fast-check'
import { cryptoExponents, isoExponents } from './currencies.ts'
import { amountSign, exponentOf, formatAmount, parseAmount } from './money.ts'

// The sentences of Chapter 10 §2.1, one row each.
// biome-ignore format: a table is read in columns.
const accepted = [
  // text              currency  minor              decimals  shown
  [ '1000',            'VND',    1000n,             0,        '1000' ],
  [ '100.99',          'USD',    10099n,            2,        '100.99' ],
  [ '100.999',         'KWD',    100999n,           3,        '100.999' ],
  [ '100.9999',        'CLF',    1009999n,          4,        '100.9999' ],
  [ '0.02',            'EUR',    2n,                2,        '0.02' ],
  [ '10',              'EUR',    1000n,             2,        '10.00' ],
  [ '10.5',            'EUR',    1050n,             2,        '10.50' ],
  [ '0',               'EUR',    0n,                2,        '0.00' ],
  [ '0.00',            'EUR',    0n,                2,        '0.00' ],
  [ '999999999999.99', 'EUR',    99999999999999n,   2,        '999999999999.99' ],
  [ '100',             'JPY',    100n,              0,        '100' ],
  [ '100.00',          'JPY',    100n,              2,        '100.00' ],
  [ '100.00',          'UGX',    100n,              2,        '100.00' ],
  [ '100.00',          'KRW',    100n,              2,        '100.00' ],
  [ '100.00',          'CLP',    100n,              2,        '100.00' ],
  [ '0.00',            'CLP',    0n,                2,        '0.00' ],
] as const

for (const [text, currency, minor, decimals, shown] of accepted) {
  test(`${text} ${currency} is ${minor} units and is shown as ${shown}`, () => {
    assert.deepEqual(parseAmount(text, currency), { minor, decimals })
    assert.equal(formatAmount(minor, currency, decimals), shown)
  })
}

// biome-ignore format: a table is read in columns.
const refused = [
  // text              currency  fault
  [ '',                'EUR',    'malformed' ],
  [ ' 1',              'EUR',    'malformed' ],
  [ '1\n',             'EUR',    'malformed' ],
  [ '+1',              'EUR',    'malformed' ],
  [ '1e3',             'EUR',    'malformed' ],
  [ '0x10',            'EUR',    'malformed' ],
  [ '1,000.00',        'EUR',    'malformed' ],
  [ '10,00',           'EUR',    'malformed' ],
  [ '1 000',           'EUR',    'malformed' ],
  [ '01.00',           'EUR',    'malformed' ],
  [ '00',              'EUR',    'malformed' ],
  [ '.50',             'EUR',    'malformed' ],
  [ '1.',              'EUR',    'malformed' ],
  [ '1.0.0',           'EUR',    'malformed' ],
  [ '١٠',              'EUR',    'malformed' ],
  [ '1000000000000',   'EUR',    'malformed' ],
  [ '--5',             'EUR',    'malformed' ],
  [ '-',               'EUR',    'malformed' ],
  [ '-05',             'EUR',    'malformed' ],
  [ '-5',              'EUR',    'below-zero' ],
  [ '-0.01',           'EUR',    'below-zero' ],
  [ '-0',              'EUR',    'below-zero' ],
  [ '-5.999',          'EUR',    'below-zero' ],
  [ '-5',              'ZZZ',    'below-zero' ],
  [ '1.999',           'EUR',    'too-precise' ],
  [ '1.000',           'EUR',    'too-precise' ],
  [ '1.0000',          'KWD',    'too-precise' ],
  [ '1.0',             'VND',    'too-precise' ],
  [ '100.0',           'JPY',    'too-precise' ],
  [ '100.01',          'JPY',    'too-precise' ],
  [ '100.000',         'JPY',    'too-precise' ],
  [ '1.00',            'ZZZ',    'unknown-currency' ],
  [ '1.00',            'eur',    'unknown-currency' ],
  [ '1.00',            '',       'unknown-currency' ],
  [ '1.00',            'XAU',    'unknown-currency' ],
  [ '1.00',            'BTC',    'unknown-currency' ],
] as const

for (const [text, currency, fault] of refused) {
  test(`${JSON.stringify(text)} ${currency} is refused as ${fault}`, () => {
    assert.equal(parseAmount(text, currency), fault)
  })
}

test('without a currency the syntax and the sign of an amount can still be judged', () => {
  assert.equal(amountSign('1.123456'), 'positive')
  assert.equal(amountSign('0.000'), 'zero')
  assert.equal(amountSign('-1'), 'below-zero')
  assert.equal(amountSign('1,0'), 'malformed')
})

test('crypto currencies are read with the exponents of the table the caller brings', () => {
  assert.deepEqual(parseAmount('0.00000001', 'BTC', cryptoExponents), { minor: 1n, decimals: 8 })
  assert.deepEqual(parseAmount('1', 'ETH', cryptoExponents), { minor: 10n ** 18n, decimals: 18 })
  assert.deepEqual(parseAmount('2.5', 'USDT', cryptoExponents), { minor: 2_500_000n, decimals: 6 })
  assert.deepEqual(parseAmount('2.5', 'USDC', cryptoExponents), { minor: 2_500_000n, decimals: 6 })
  assert.equal(parseAmount('0.000000001', 'BTC', cryptoExponents), 'too-precise')
  assert.deepEqual(parseAmount('0.5', 'DOGE', new Map([['DOGE', 8]])), { minor: 50_000_000n, decimals: 8 })
})

test('a crypto table cannot change the decimals of a currency of ISO 4217', () => {
  assert.equal(exponentOf('EUR', new Map([['EUR', 5]])), 2)
})

test('an amount below zero is shown with a minus', () => {
  assert.equal(formatAmount(-5n, 'EUR'), '-0.05')
  assert.equal(formatAmount(-1234n, 'KWD'), '-1.234')
})

test('no amount is shown in a currency whose decimals are unknown', () => {
  assert.throws(() => formatAmount(100n, 'ZZZ'), RangeError)
})

const currency = fc.constantFrom(...isoExponents.keys(), ...cryptoExponents.keys())

test('in every currency a formatted amount parses back to the same units', () => {
  fc.assert(
    fc.property(currency, fc.bigInt(0n, 999_999_999_999n), fc.nat(), (code, whole, seed) => {
      const exponent = exponentOf(code, cryptoExponents) ?? assert.fail(code)
      const minor = whole * 10n ** BigInt(exponent) + (BigInt(seed) % 10n ** BigInt(exponent))
      const shown = formatAmount(minor, code)
      assert.deepEqual(parseAmount(shown, code, cryptoExponents), { minor, decimals: exponent })
    }),
  )
})

test('in every currency an accepted text is shown with the same value and at least its decimals', () => {
  const text = fc.tuple(fc.bigInt(0n, 999_999_999_999n), fc.stringMatching(/^[0-9]{0,5}$/))
  fc.assert(
    fc.property(currency, text, (code, [whole, fraction]) => {
      const sent = fraction === '' ? `${whole}` : `${whole}.${fraction}`
      const amount = parseAmount(sent, code, cryptoExponents)
      if (typeof amount === 'string') {
        assert.equal(amount, 'too-precise')
        return
      }
      const shown = formatAmount(amount.minor, code, amount.decimals)
      assert.ok(shown.startsWith(sent), `${sent} is shown as ${shown}`)
      assert.match(shown.slice(sent.length), /^\.?0*$/)
      assert.deepEqual(parseAmount(shown, code, cryptoExponents), amount)
    }),
  )
})

test('adjacent amounts never look alike, whatever decimals are asked for', () => {
  fc.assert(
    fc.property(currency, fc.bigInt(0n, 10n ** 20n), fc.nat(20), (code, minor, decimals) => {
      assert.notEqual(formatAmount(minor, code, decimals), formatAmount(minor + 1n, code, decimals))
    }),
  )
})

// The reference table dates from 2024-06-25, and lists as 0 what ISO lists as "not applicable".
const withoutMinorUnit = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ')
const addedSince = ['XAD', 'XCG']

test('the table holds every code of ISO 4217 that has a minor unit, with its exponent', () => {
  const expected = isoCodes()
    .filter((code) => !withoutMinorUnit.includes(code))
    .map((code) => [code, isoRecord(code)?.digits] as const)
    .concat(addedSince.map((code) => [code, 2] as const))
  const byCode = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
  assert.deepEqual([...isoExponents].toSorted(byCode), expected.toSorted(byCode))
})

test('every currency without decimals is also accepted with two zeros, and shown so', () => {
  const withoutDecimals = [...isoExponents].filter(([, exponent]) => exponent === 0).map(([code]) => code)
  for (const code of withoutDecimals) {
    assert.deepEqual(parseAmount('1000.00', code), { minor: 1000n, decimals: 2 }, code)
    assert.equal(formatAmount(1000n, code, 2), '1000.00', code)
    for (const text of ['1000.0', '1000.01', '1000.000']) assert.equal(parseAmount(text, code), 'too-precise', code)
  }
})

test('a crypto currency without decimals has none, because its stored decimals are its exponent', () => {
  assert.equal(parseAmount('1000.00', 'WHOLE', new Map([['WHOLE', 0]])), 'too-precise')
})

test('the lists of Chapter 10 §2.1 are complete', () => {
  const withExponent = (wanted: number): string[] =>
    [...isoExponents].filter(([, exponent]) => exponent === wanted).map(([code]) => code)
  assert.deepEqual(withExponent(0), 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))
  assert.deepEqual(withExponent(3), 'BHD IQD JOD KWD LYD OMR TND'.split(' '))
  assert.deepEqual(withExponent(4), 'CLF UYW'.split(' '))
})
