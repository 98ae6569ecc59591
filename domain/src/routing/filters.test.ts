/** Chapter 50 §3, filter by filter, with chapter 10 §7.1.6, chapter 20 §6.5 and chapter 30 §3.8 where they add to it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PaymentMode } from '../mid.ts'
import type { Candidate } from './candidate.ts'
import { holdsOn } from './filters.ts'
import type { Need } from './need.ts'
import { route } from './route.ts'
import { type Change, candidateNamed, plainNeed as sale, upTo, usage, walletPayment } from './testing/example.ts'

const seed = '0198c0de-0000-7000-8000-000000000001'
const pix = { code: 'pix', twoStage: false, connectors: ['*'] }
const vcard = { code: 'vcard', twoStage: true, connectors: ['sandbox'] }
const codeOf = (need: Need, ...candidates: Candidate[]): number | null =>
  route(need, candidates, seed).refusal?.code ?? null

/** Each filter: a payment that asks for it, a MID that fails it and nothing else, and the error when no other MID is left. */
// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [number, string, Partial<Need>, Change, number])[] = [
  // #  case                              the payment needs                                   the MID                                   none left
  [1,  'a disabled mapping',              {},                                                 { mapping: { enabled: false } },          204002],
  [1,  'a disabled MID',                  {},                                                 { mid: { enabled: false } },              204002],
  [1,  'a MID of the other mode',         {},                                                 { mid: { mode: 'test' } },                204002],
  [1,  'a mapping of another channel',    { channelId: 'eu' },                                { mapping: { channel: 'us' } },           204002],
  [2,  'MOTO not enabled',                { motoType: 'phone_moto' },                         { mid: { motoEnabled: false } },          204025],
  [2,  'MOTO unknown to the connector',   { motoType: 'phone_moto' },                         { can: { moto: false } },                 204025],
  [3,  'a wallet the MID does not take',  { wallet: walletPayment },                          { mid: { wallets: ['walletbpay'] } },     204018],
  [4,  'no cards',                        {},                                                 { mid: { cards: false } },                204003],
  [5,  'none of the methods',             { protocol: 'CHECKOUT', methods: ['card', 'pix'] }, { mid: { cards: false, brands: ['sepa'] } }, 204004],
  [5,  'a brand not ticked',              { protocol: 'S2S_APM', brand: pix }, { mid: { brands: ['sepa'] } }, 204006],
  [5,  'a brand of other connectors',     { protocol: 'S2S_APM', brand: pix }, { can: { brands: ['sepa'] } }, 204006],
  [5,  'a connector the brand lacks',     { protocol: 'S2S_APM', brand: vcard },              { mid: { connector: 'other' } },          204006],
  [5,  'another network',                 {},                                                 { mid: { networks: ['amex'] } },          204006],
  [5,  'a network the connector lacks',   {},                                                 { can: { networks: ['amex'] } },          204006],
  [6,  'an action not ticked',            { kind: 'debit' },                                  { mid: { actions: ['sale', 'auth'] } },   204005],
  [6,  'a method the connector lacks',    { kind: 'transfer' },                               { can: { actions: ['sale', 'auth'] } },   204005],
  [6,  'no authorization method',         { auth: true },                                     { can: { actions: ['sale'] } },           204005],
  [6,  'a brand held without a capture',  { protocol: 'S2S_APM', brand: vcard, auth: true },  { can: { followUps: new Set(['refund']) } }, 204005],
  [6,  'SMS mode for an authorization',   { auth: true },                                     { mid: { paymentMode: 'SMS' } },          204005],
  [6,  'DMS mode without authorization',  {},                                                 { mid: { paymentMode: 'DMS' }, can: { actions: ['sale'] } }, 204005],
  [6,  'no recurring on the MID',         { recurring: 'init' },                              { mid: { actions: ['sale', 'auth'] } },   204005],
  [6,  'no recurring in the connector',   { recurring: 'charge' },                            { can: { actions: ['sale', 'auth'] } },   204005],
  [6,  'no zero amount on the MID',       { amountMinor: 0n },                                { mid: { zeroAmount: false } },           204005],
  [6,  'no zero amount in the connector', { amountMinor: 0n },                                { can: { zeroAmount: false } },           204005],
  [7,  'another currency',                {},                                                 { mid: { currencies: ['USD'] } },         204012],
  [7,  'a currency the connector lacks',  {},                                                 { can: { currencies: ['USD'] } },         204012],
  [8,  'the day limit of the MID',        {},                                                 { mid: { dayLimit: upTo(999n) } },        204007],
  [8,  'the month limit of the MID',      {},                                                 { mid: { monthLimit: upTo(999n) } },      204014],
  [8,  'the day limit of the mapping',    {},                                                 { mapping: { dayLimit: upTo(999n) } },    204008],
  [8,  'the week limit of the mapping',   {},                                                 { mapping: { weekLimit: upTo(999n) } },   204015],
  [9,  'an acquirer that is failing',     {},                                                 { healthy: false },                       204002],
  [10, 'a MID without card flow',         { wallet: walletPayment },                          { mid: { cardFlow: false } },             250002],
  [10, 'a connector without card flow',   { wallet: walletPayment },                          { can: { cardFlow: false } },             250002],
]

describe('filters', () => {
  for (const [number, title, change, fault, code] of rows) {
    const need = { ...sale, ...change }
    const channel = { mapping: { channel: need.channelId } }

    test(`${title}: ${code} when no other MID is left`, () => {
      assert.equal(codeOf(need, candidateNamed('a', fault)), code)
      assert.equal(codeOf(need, candidateNamed('a', channel)), null)
    })
    test(`${title}: another MID takes the payment, and the reason is kept`, () => {
      const routing = route(need, [candidateNamed('a', fault), candidateNamed('b', channel)], seed)
      assert.deepEqual(
        routing.ordered.map(({ mid }) => mid.name),
        ['b'],
      )
      assert.equal(routing.refusal, null)
      const [dropped] = routing.dropped
      assert.deepEqual([routing.dropped.length, dropped?.midName, dropped?.filter], [1, 'a', number])
      assert.match(dropped?.reason ?? '', /^[A-Z].+\.$/)
    })
  }

  test('a merchant without a mapping gets 204002', () => assert.equal(codeOf(sale), 204002))

  test('a wallet that is not in force on the account is refused with 204018, whatever the MIDs take', () => {
    assert.equal(codeOf({ ...sale, wallet: { ...walletPayment, usable: false } }, candidateNamed('a')), 204018)
  })
  test('a wallet without a processing key can not run in card flow: 250002', () => {
    assert.equal(codeOf({ ...sale, wallet: { ...walletPayment, key: false } }, candidateNamed('a')), 250002)
  })
  test('a card whose network is not recognised is refused with 204006', () => {
    assert.equal(codeOf({ ...sale, card: { network: null, bin: null, panType: null } }, candidateNamed('a')), 204006)
  })
  test('while no card is known the network is not filtered', () => {
    assert.equal(
      codeOf({ ...sale, protocol: 'CHECKOUT', card: null }, candidateNamed('a', { mid: { networks: ['amex'] } })),
      null,
    )
  })
  test('a request without a channel is served by mappings without one only', () => {
    assert.equal(codeOf(sale, candidateNamed('a', { mapping: { channel: 'eu' } })), 204002)
  })
  test('one MID may serve MOTO and ordinary payments', () => {
    assert.equal(codeOf(sale, candidateNamed('a')), null)
    assert.equal(codeOf({ ...sale, motoType: 'phone_moto' }, candidateNamed('a')), null)
  })
})

describe('the order of the errors', () => {
  test('the errors come in the order of chapter 10 §10.3', () => {
    const everything: Need = { ...sale, motoType: 'phone_moto', wallet: walletPayment }
    // biome-ignore format: a table is read in columns.
    const steps: readonly (readonly [Change, number])[] = [
      [{ mid: { enabled: false } },          204002],
      [{ mid: { motoEnabled: false } },      204025],
      [{ mid: { wallets: [] } },             204018],
      [{ mid: { cards: false } },            204003],
      [{ mid: { networks: ['amex'] } },      204006],
      [{ mid: { actions: ['debit'] } },      204005],
      [{ mid: { currencies: ['USD'] } },     204012],
      [{ mid: { dayLimit: upTo(1n) } },      204007],
      [{ healthy: false },                   204002],
      [{ mid: { cardFlow: false } },         250002],
    ]
    for (const [from] of steps.entries()) {
      const later = steps.slice(from)
      const worst: Change = {
        mid: Object.assign({}, ...later.map(([change]) => change.mid)),
        healthy: later.every(([change]) => change.healthy ?? true),
      }
      assert.equal(
        codeOf(everything, candidateNamed('a', worst)),
        later[0]?.[1],
        'one MID with all faults from here on',
      )
      const spread = later.map(([change], index) => candidateNamed(String(index), change))
      assert.equal(
        codeOf(everything, ...spread),
        later.at(-1)?.[1],
        'one MID for each fault: the last to be dropped decides',
      )
    }
  })

  test('methods are looked at before brand and network on Checkout: 204004, then 204006', () => {
    const need: Need = { ...sale, protocol: 'CHECKOUT', methods: ['card'] }
    assert.equal(codeOf(need, candidateNamed('a', { mid: { cards: false, networks: ['amex'] } })), 204004)
    assert.equal(
      codeOf(
        need,
        candidateNamed('a', { mid: { networks: ['amex'] } }),
        candidateNamed('b', { mid: { cards: false } }),
      ),
      204006,
    )
  })

  test('of several exceeded limits the first of MID day, MID month, mapping day, mapping week counts', () => {
    const limit = upTo(1n)
    assert.equal(
      codeOf(sale, candidateNamed('a', { mid: { dayLimit: limit, monthLimit: limit }, mapping: { dayLimit: limit } })),
      204007,
    )
    assert.equal(
      codeOf(sale, candidateNamed('a', { mid: { monthLimit: limit }, mapping: { dayLimit: limit, weekLimit: limit } })),
      204014,
    )
    assert.equal(codeOf(sale, candidateNamed('a', { mapping: { dayLimit: limit, weekLimit: limit } })), 204008)
  })

  test('when every MID is over a limit, the error is that of the first MID in order', () => {
    const first = candidateNamed('z', { mapping: { priority: 1, weekLimit: upTo(1n) } })
    const second = candidateNamed('a', { mid: { dayLimit: upTo(1n) }, mapping: { priority: 2 } })
    assert.equal(codeOf(sale, second, first), 204015)
  })
})

describe('brands (chapter 20 §5.5, §6.5)', () => {
  const apm: Need = { ...sale, protocol: 'S2S_APM', card: null, brand: pix }

  test('a MID that takes no cards takes brands', () => {
    assert.equal(codeOf(apm, candidateNamed('a', { mid: { cards: false } })), null)
  })
  test('a wallet that no MID accepts is 204018, also where no MID would offer the brand', () => {
    const need: Need = { ...apm, wallet: walletPayment, brand: { ...vcard, code: 'walletapay' } }
    assert.equal(codeOf(need, candidateNamed('a', { mid: { wallets: [] } })), 204018)
    assert.equal(codeOf(need, candidateNamed('a', { mid: { wallets: [], connector: 'other' } })), 204018)
    assert.equal(codeOf(need, candidateNamed('a', { mid: { connector: 'other' } })), 204006)
    assert.equal(codeOf(need, candidateNamed('a', { mid: { brands: ['pix'] } })), null)
  })
  test('a wallet under a code of its own is offered where the wallet is accepted', () => {
    const need: Need = { ...apm, wallet: walletPayment, brand: { ...vcard, code: 'device-pay' } }
    assert.equal(codeOf(need, candidateNamed('a', { mid: { brands: ['pix'] } })), null)
  })
  test('the brand is looked at before the action: 204006, then 204005', () => {
    const need: Need = { ...apm, kind: 'credit' }
    const without = { mid: { actions: ['sale'] } } as const
    assert.equal(codeOf(need, candidateNamed('a', { mid: { ...without.mid, brands: ['sepa'] } })), 204006)
    assert.equal(codeOf(need, candidateNamed('a', without), candidateNamed('b', { mid: { brands: ['sepa'] } })), 204005)
  })
  test('a DMS MID takes a one-stage brand neither as a sale nor as a hold', () => {
    assert.equal(codeOf(apm, candidateNamed('a', { mid: { paymentMode: 'DMS' } })), 204005)
  })
  test('a crypto order without an amount meets no limit of an amount', () => {
    assert.equal(codeOf({ ...apm, amountMinor: null }, candidateNamed('a', { mid: { dayLimit: upTo(1n) } })), null)
  })
})

describe('limits', () => {
  test('a payment that reaches the limit exactly is taken, one that goes beyond it is not', () => {
    const limited = candidateNamed('a', { mid: { dayLimit: upTo(5000n) }, usage: usage(4000n, 7) })
    assert.equal(codeOf(sale, limited), null)
    assert.equal(codeOf({ ...sale, amountMinor: 1001n }, limited), 204007)
  })
  test('the payment itself counts towards a count', () => {
    const limited = (count: number) =>
      candidateNamed('a', { mid: { dayLimit: { amounts: {}, count: 8 } }, usage: usage(0n, count) })
    assert.equal(codeOf(sale, limited(7)), null)
    assert.equal(codeOf(sale, limited(8)), 204007)
  })
  test('a limit of another currency does not limit', () => {
    const limited = candidateNamed('a', { mid: { dayLimit: upTo(1n) } })
    assert.equal(codeOf({ ...sale, currency: 'USD' }, limited), null)
    assert.equal(codeOf(sale, limited), 204007)
  })
  test('a limit that is not set does not limit', () => {
    assert.equal(codeOf(sale, candidateNamed('a', { usage: usage(10n ** 15n, 10 ** 9) })), null)
  })
})

describe('Payment Mode', () => {
  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [string, Partial<Need>, readonly PaymentMode[], readonly PaymentMode[]])[] = [
    // case                               need                                                                  candidates                  of which hold
    ['plain S2S CARD sale',               {},                                                                   ['SMS', 'DMS', 'SMS/DMS'],  ['DMS']],
    ['S2S CARD sale with auth=Y',         { auth: true },                                                       ['DMS', 'SMS/DMS'],         ['DMS', 'SMS/DMS']],
    ['Checkout purchase',                 { protocol: 'CHECKOUT' },                                             ['SMS', 'SMS/DMS'],         []],
    ['Checkout purchase with auth',       { protocol: 'CHECKOUT', auth: true },                                 ['DMS', 'SMS/DMS'],         ['DMS', 'SMS/DMS']],
    ['Checkout recurring charge',         { protocol: 'CHECKOUT', recurring: 'charge' },                        ['SMS', 'DMS', 'SMS/DMS'],  ['DMS']],
    ['S2S APM sale, one-stage brand',     { protocol: 'S2S_APM', brand: pix },     ['SMS', 'SMS/DMS'],         []],
    ['S2S APM sale, two-stage brand',     { protocol: 'S2S_APM', brand: vcard },    ['SMS', 'DMS', 'SMS/DMS'],  ['DMS']],
    ['S2S APM sale with auth=Y',          { protocol: 'S2S_APM', auth: true, brand: vcard }, ['DMS', 'SMS/DMS'], ['DMS', 'SMS/DMS']],
    ['recurring charge',                  { recurring: 'charge' },                                              ['SMS', 'DMS', 'SMS/DMS'],  ['DMS']],
    ['debit',                             { kind: 'debit' },                                                    ['SMS', 'DMS', 'SMS/DMS'],  []],
    ['payout',                            { kind: 'credit' },                                                   ['SMS', 'DMS', 'SMS/DMS'],  []],
    ['transfer',                          { kind: 'transfer' },                                                 ['SMS', 'DMS', 'SMS/DMS'],  []],
  ]
  for (const [title, change, candidates, holding] of cases) {
    for (const paymentMode of ['SMS', 'DMS', 'SMS/DMS'] as const) {
      test(`${title} on a MID in ${paymentMode} mode`, () => {
        const { ordered, refusal } = route(
          { ...sale, ...change },
          [candidateNamed('a', { mid: { paymentMode } })],
          seed,
        )
        assert.equal(refusal?.code ?? null, candidates.includes(paymentMode) ? null : 204005)
        assert.deepEqual(
          ordered.map(({ holds }) => holds),
          candidates.includes(paymentMode) ? [holding.includes(paymentMode)] : [],
        )
      })
    }
  }
  test('the MID decides whether a plain sale holds', () => {
    assert.equal(holdsOn({ paymentMode: 'DMS' }, { kind: 'sale', auth: false }), true)
    assert.equal(holdsOn({ paymentMode: 'SMS/DMS' }, { kind: 'sale', auth: false }), false)
    assert.equal(holdsOn({ paymentMode: 'SMS/DMS' }, { kind: 'sale', auth: true }), true)
    assert.equal(holdsOn({ paymentMode: 'DMS' }, { kind: 'debit', auth: true }), false)
  })
})
