/** Chapter 70 §3, "Price lists": the first rule that fits decides, and shares are rounded half up in the currency's own minor units. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Entry } from '../money/ledger.ts'
import {
  chargesOf,
  feeOf,
  type PriceRule,
  type PriceTerms,
  pricedKindOf,
  priceFaults,
  priceListOn,
} from './price-list.ts'

const rule = (over: Partial<PriceRule> = {}): PriceRule => ({
  kinds: [],
  midIds: [],
  networks: [],
  regions: [],
  currency: null,
  fromMinor: null,
  toMinor: null,
  fixedMinor: 0n,
  share: 0,
  minimumMinor: 0n,
  ...over,
})
const terms = (rules: readonly PriceRule[], over: Partial<PriceTerms> = {}): PriceTerms => ({
  country: 'DE',
  region: ['FR', 'IT'],
  rules,
  monthly: [],
  reserve: null,
  ...over,
})
const sale = {
  kind: 'sale',
  midId: 'one',
  network: 'VISA',
  issuerCountry: 'DE',
  currency: 'EUR',
  amountMinor: 1000n,
} as const

test('a fee is fixed part plus share, and at least the minimum', () => {
  // biome-ignore format: a table is read in columns.
  const cases = [
    // currency amount    fixed  share   minimum  fee
    ['EUR',     1000n,    25n,   12_500, 0n,      38n],  // 12.5 cents are 13
    ['EUR',     1000n,    25n,   12_499, 0n,      37n],
    ['EUR',     1000n,    0n,    500,    10n,     10n],
    ['EUR',     1000n,    10n,   0,      10n,     10n],
    ['JPY',     1499n,    30n,   10_000, 0n,      45n],  // 14.99 yen are 15
    ['KWD',     10_005n,  150n,  20_000, 0n,      350n], // 200.1 fils are 200
    ['EUR',     1n,       0n,    499_999, 0n,     0n],
    ['EUR',     1n,       0n,    500_000, 0n,     1n],
    ['EUR',     10n ** 30n, 0n,  1,      0n,      10n ** 24n],
  ] as const
  for (const [currency, amountMinor, fixedMinor, share, minimumMinor, fee] of cases) {
    const list = terms([rule({ currency, fixedMinor, share, minimumMinor })])
    assert.equal(feeOf(list, { ...sale, currency, amountMinor }), fee, `${amountMinor} ${currency} at ${share}`)
  }
})

test('the first rule whose every condition holds decides', () => {
  // biome-ignore format: a table is read in columns.
  const conditions = [
    // condition                     fits                             does not
    [{ kinds: ['sale'] },            {},                              { kind: 'refund' }],
    [{ midIds: ['one'] },            {},                              { midId: 'two' }],
    [{ networks: ['VISA'] },         {},                              { network: null }],
    [{ regions: ['domestic'] },      {},                              { issuerCountry: 'FR' }],
    [{ regions: ['regional'] },      { issuerCountry: 'FR' },         { issuerCountry: null }],
    [{ regions: ['international'] }, { issuerCountry: null },         { issuerCountry: 'IT' }],
    [{ regions: ['international'] }, { issuerCountry: 'US' },         { issuerCountry: 'DE' }],
    [{ currency: 'EUR' },            {},                              { currency: 'USD' }],
    [{ fromMinor: 1000n },           {},                              { amountMinor: 999n }],
    [{ toMinor: 1000n },             {},                              { amountMinor: 1001n }],
  ] as const
  for (const [condition, fits, other] of conditions) {
    const list = terms([rule({ ...condition, fixedMinor: 7n }), rule({ fixedMinor: 3n })])
    assert.equal(feeOf(list, { ...sale, ...fits }), 7n, JSON.stringify(Object.keys(condition)))
    assert.equal(feeOf(list, { ...sale, ...other }), 3n, JSON.stringify(Object.keys(condition)))
  }
  assert.equal(feeOf(terms([]), sale), 0n)
})

test('fee and reserve are taken from what the merchant is owed; only sales are kept in reserve', () => {
  const list = terms([rule({ fixedMinor: 10n })], { reserve: { share: 50_000, days: 180 } })
  const taken = (to: Entry['to'], amountMinor: bigint): Entry => ({ from: 'payable', to, amountMinor })
  assert.deepEqual(chargesOf(list, sale), [taken('fees', 10n), taken('reserve', 50n)])
  assert.deepEqual(chargesOf(list, { ...sale, kind: 'refund' }), [taken('fees', 10n)])
  assert.deepEqual(chargesOf(terms([]), sale), [])
})

test('no charge is negative, and a share never takes more than its amount', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 20n), fc.integer({ min: 0, max: 1_000_000 }), (amountMinor, share) => {
      const fee = feeOf(terms([rule({ share })]), { ...sale, amountMinor })
      assert.ok(fee >= 0n && fee <= amountMinor)
    }),
  )
})

test('a list is valid from its first to its last day', () => {
  const list = (id: string, validFrom: string, validTo: string | null) => ({ ...terms([]), id, validFrom, validTo })
  const lists = [list('a', '2026-01-01', '2026-01-31'), list('b', '2026-03-01', null)]
  const days = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2026-03-01', '2030-01-01']
  assert.deepEqual(
    days.map((day) => priceListOn(lists, day)?.id ?? null),
    [null, 'a', 'a', null, 'b', 'b'],
  )
})

test('what an executed transaction counts as', () => {
  const moved = (from: Entry['from'], to: Entry['to']): readonly Entry[] => [{ from, to, amountMinor: 1n }]
  // biome-ignore format: a table is read in columns.
  const cases = [
    ['SALE',       moved('payer', 'settled'),        'sale'],
    ['SALE',       [],                               null],
    ['RETRY',      moved('payer', 'held'),           null],
    ['CAPTURE',    moved('held', 'settled'),         'sale'],
    ['AUTH',       moved('payer', 'held'),           null],
    ['REVERSAL',   moved('held', 'payer'),           null],
    ['REVERSAL',   moved('settled', 'refunded'),     'refund'],
    ['REFUND',     moved('settled', 'refunded'),     'refund'],
    ['VOID',       moved('settled', 'payer'),        null],
    ['CHARGEBACK', moved('settled', 'charged_back'), 'chargeback'],
    ['CREDIT',     moved('settled', 'payee'),        'payout'],
    ['TRANSFER',   moved('payer', 'payee'),          'transfer'],
    ['TRANSFER',   [],                               null],
    ['CALC',       [],                               null],
  ] as const
  for (const [type, entries, kind] of cases) assert.equal(pricedKindOf(type, entries), kind, type)
})

test('amounts need a currency, a band must not be empty, and a currency has one monthly fee', () => {
  const texts = (of: PriceTerms) => priceFaults(of).map(({ text }) => text)
  assert.deepEqual(texts(terms([rule({ share: 5 }), rule({ currency: 'EUR', fixedMinor: 1n })])), [])
  for (const amounts of [{ fixedMinor: 1n }, { minimumMinor: 1n }, { fromMinor: 1n }, { toMinor: 1n }])
    assert.deepEqual(texts(terms([rule(), rule(amounts)])), ['Rule 2: select the currency of its amounts.'])
  const empty = rule({ currency: 'EUR', fromMinor: 2n, toMinor: 1n })
  assert.deepEqual(texts(terms([empty])), ['Rule 1: the smallest amount exceeds the largest.'])
  assert.deepEqual(texts(terms([rule({ currency: 'EUR', fromMinor: 1n, toMinor: 1n })])), [])
  const eur = { currency: 'EUR', amountMinor: 1n }
  assert.deepEqual(texts(terms([], { monthly: [eur, eur] })), ['EUR has two monthly fees; keep one.'])
  assert.deepEqual(texts(terms([], { monthly: [eur, { ...eur, currency: 'USD' }] })), [])
})
