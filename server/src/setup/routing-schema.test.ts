/** Which rules are valid. Chapter 50 §4. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Capabilities } from '#domain/routing/candidate.ts'
import { readRules } from './routing.ts'

const everything: Capabilities = {
  actions: ['sale', 'auth', 'recurring'],
  moto: true,
  zeroAmount: true,
  cardOnFile: true,
  externalThreeDs: true,
  cardFlow: true,
  acceptsDecrypted: true,
}
const limited: Capabilities = {
  ...everything,
  actions: ['sale'],
  moto: false,
  cardFlow: false,
  currencies: ['EUR'],
  networks: ['visa'],
  brands: ['paypal'],
}

const known = {
  midNamed: (name: string) => (['a', 'b', 'limited'].includes(name) ? ({ name, connector: name } as never) : null),
  capabilities: (connector: string) => (connector === 'limited' ? limited : everything),
  brand: (name: string) => (name === 'pix' ? ({ code: name } as never) : null),
}
const use = { kind: 'use', mids: ['a'] }
const faultsOf = (...rules: readonly unknown[]): readonly string[] => {
  const reading = readRules(rules, known)
  return reading.ok ? [] : reading.faults.map(({ field }) => field)
}
const withCondition = (condition: object) => ({ name: 'r', conditions: [condition], action: use })

// biome-ignore format: a table is read in columns.
const good: readonly object[] = [
  { kind: 'amount', currency: 'EUR', fromMinor: '0', toMinor: '99999999999999999999' },
  { kind: 'currency', values: ['EUR', 'BTC'] },
  { kind: 'payer-country', values: ['FR'], not: true },
  { kind: 'wallet', values: [] },
  { kind: 'bin', ranges: [{ from: '411111', to: '411111' }, { from: '51000000', to: '51999999' }] },
  { kind: 'time-of-day', zone: 'Europe/Paris', from: '22:00', to: '06:00' },
  { kind: 'weekday', zone: 'UTC', days: [6, 7] },
  { kind: 'custom-data', key: 'tier', values: [] },
  { kind: 'share', percent: 12.5 },
  { kind: 'mid-health', mid: 'a', states: ['open', 'half-open'] },
  { kind: 'mid-approval-rate', mid: 'b', windowMinutes: 60, belowPercent: 70 },
]
for (const condition of good)
  test(`a condition: ${JSON.stringify(condition)}`, () => assert.deepEqual(faultsOf(withCondition(condition)), []))

// biome-ignore format: a table is read in columns.
const bad: readonly (readonly [title: string, condition: object])[] = [
  ['an empty range of amounts',          { kind: 'amount', currency: 'EUR', fromMinor: '2', toMinor: '1' }],
  ['a range without an end',             { kind: 'amount', currency: 'EUR' }],
  ['an amount as a number',              { kind: 'amount', currency: 'EUR', fromMinor: 1 }],
  ['a country in small letters',         { kind: 'payer-country', values: ['fr'] }],
  ['a protocol that does not exist',     { kind: 'protocol', values: ['SOAP'] }],
  ['a BIN of five digits',               { kind: 'bin', ranges: [{ from: '41111', to: '41111' }] }],
  ['a whole card number',                { kind: 'bin', ranges: [{ from: '4111111111111111', to: '4111111111111111' }] }],
  ['a BIN range upside down',            { kind: 'bin', ranges: [{ from: '420000', to: '410000' }] }],
  ['an offset in place of a zone',       { kind: 'time-of-day', zone: '+02:00', from: '09:00', to: '17:00' }],
  ['a time that no clock shows',         { kind: 'time-of-day', zone: 'UTC', from: '24:00', to: '17:00' }],
  ['an eighth weekday',                  { kind: 'weekday', zone: 'UTC', days: [8] }],
  ['more than everything',               { kind: 'share', percent: 101 }],
  ['a rate without a bound',             { kind: 'mid-approval-rate', mid: 'a', windowMinutes: 60 }],
  ['a window longer than is remembered', { kind: 'mid-approval-rate', mid: 'a', windowMinutes: 100_000, belowPercent: 5 }],
  ['a condition that nobody knows',      { kind: 'moon', values: [] }],
  ['a member that nobody knows',         { kind: 'currency', values: [], also: true }],
  ['a MID that does not exist',          { kind: 'mid-health', mid: 'gone', states: ['open'] }],
]
for (const [title, condition] of bad)
  test(`not a condition: ${title}`, () => assert.notDeepEqual(faultsOf(withCondition(condition)), []))

test('an action without its required fields is refused', () => {
  const rule = (action: object) => ({ name: 'r', action })
  for (const action of [
    use,
    { kind: 'split', shares: [{ mid: 'a', weight: 30 }] },
    { kind: 'prefer' },
    { kind: 'prefer', mids: ['b'], method: 'epsilon-greedy', windowMinutes: 60, exploration: 0.1 },
    { kind: 'exclude', mids: ['a', 'b'] },
    { kind: 'decline', reason: 'No' },
    { kind: 'require-3ds' },
    { kind: 'skip-3ds' },
    { kind: 'show-methods', methods: ['card', 'pix'] },
    { kind: 'hide-methods', methods: ['pix'] },
  ])
    assert.deepEqual(faultsOf(rule(action)), [], action.kind)
  for (const action of [
    { kind: 'use', mids: [] },
    { kind: 'split', shares: [{ mid: 'a', weight: 0 }] },
    { kind: 'prefer', exploration: 0 },
    { kind: 'prefer', exploration: 0.6 },
    { kind: 'decline', reason: ' ' },
    { kind: 'hide-methods', methods: ['nothing'] },
  ])
    assert.notDeepEqual(faultsOf(rule(action)), [], JSON.stringify(action))
})

test('rule names must be unique, and attempts are at most five', () => {
  const rule = { name: 'same', action: use }
  assert.deepEqual(faultsOf(rule, { ...rule, name: 'other' }, rule), ['2.name'])
  assert.deepEqual(faultsOf({ ...rule, maximumAttempts: 5 }), [])
  assert.deepEqual(faultsOf({ ...rule, maximumAttempts: 6 }), ['0.maximumAttempts'])
  assert.deepEqual(faultsOf({ ...rule, maximumAttempts: 0 }), ['0.maximumAttempts'])
})

describe('a rule that sends payments to a MID whose connector takes none of them is refused', () => {
  const conditions = [
    { kind: 'currency', values: ['USD', 'GBP'] },
    { kind: 'network', values: ['amex'] },
    { kind: 'brand', values: ['pix'] },
    { kind: 'wallet', values: ['walletapay'] },
    { kind: 'moto-type', values: ['phone_moto'] },
    { kind: 'payment-mode', values: ['DMS'] },
    { kind: 'recurring', values: ['charge'] },
  ]
  const actions = [
    { kind: 'use', mids: ['a', 'limited'] },
    { kind: 'prefer', mids: ['limited'] },
    { kind: 'split', shares: [{ mid: 'limited', weight: 1 }] },
  ]
  for (const condition of conditions)
    test(condition.kind, () => {
      for (const action of actions) {
        assert.deepEqual(faultsOf({ name: 'r', conditions: [condition], action }), ['0'], action.kind)
        assert.deepEqual(faultsOf({ name: 'r', conditions: [{ ...condition, not: true }], action }), [])
        assert.deepEqual(faultsOf({ name: 'r', conditions: [{ ...condition, values: [] }], action }), [])
      }
      assert.deepEqual(faultsOf({ name: 'r', conditions: [condition], action: use }), [])
      assert.deepEqual(
        faultsOf({ name: 'r', conditions: [condition], action: { kind: 'exclude', mids: ['limited'] } }),
        [],
      )
    })

  test('but not if it takes one of them', () => {
    const [first] = conditions
    const condition = { ...first, values: ['USD', 'EUR'] }
    assert.deepEqual(faultsOf({ name: 'r', conditions: [condition], action: actions[0] }), [])
  })

  test('and the fault names MID and connector', () => {
    const rule = { name: 'r', conditions: [{ kind: 'moto-type', values: ['phone_moto'] }], action: actions[0] }
    const reading = readRules([rule], known)
    assert.deepEqual(reading.ok ? [] : reading.faults, [
      {
        field: '0',
        text: 'MID "limited" does not take MOTO payments: its connector limited does not offer that.',
      },
    ])
  })
})
