/** The table of kinds covers every condition and action of a rule. Chapter 50 §4. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, type Condition, listedConditions, type Rule } from '#domain/routing/rule.ts'
import { rulesFrom } from './draft-rule.ts'
import { actionKinds, conditionKinds, type FieldSpec, freshPart, type Kind } from './kinds.ts'
import { ruleSentence } from './rule-sentence.ts'

const only = true
const listCondition = { values: ['x'], not: false }

/** One of each kind; the compiler reports a missing kind. */
// biome-ignore format: a table is read in columns.
const conditions: Readonly<Record<Condition['kind'], Condition>> = {
  'currency':          { kind: 'currency', ...listCondition },
  'payer-country':     { kind: 'payer-country', ...listCondition },
  'issuer-country':    { kind: 'issuer-country', ...listCondition },
  'network':           { kind: 'network', ...listCondition },
  'funding':           { kind: 'funding', ...listCondition },
  'brand':             { kind: 'brand', ...listCondition },
  'wallet':            { kind: 'wallet', ...listCondition },
  'pan-type':          { kind: 'pan-type', ...listCondition },
  'wallet-assurance':  { kind: 'wallet-assurance', ...listCondition },
  'payment-mode':      { kind: 'payment-mode', ...listCondition },
  'protocol':          { kind: 'protocol', ...listCondition },
  'initiator':         { kind: 'initiator', ...listCondition },
  'recurring':         { kind: 'recurring', ...listCondition },
  'moto-type':         { kind: 'moto-type', ...listCondition },
  'channel':           { kind: 'channel', ...listCondition },
  'amount':            { kind: 'amount', not: false, currency: 'EUR', fromMinor: '1', toMinor: null },
  'bin':               { kind: 'bin', not: false, ranges: [{ from: '411111', to: '411111' }] },
  'time-of-day':       { kind: 'time-of-day', not: false, zone: 'UTC', from: '22:00', to: '06:00' },
  'weekday':           { kind: 'weekday', not: false, zone: 'UTC', days: [6] },
  'custom-data':       { kind: 'custom-data', not: false, key: 'tier', values: [] },
  'share':             { kind: 'share', not: false, percent: 10 },
  'mid-health':        { kind: 'mid-health', not: false, mid: 'a', states: ['open'] },
  'mid-approval-rate': { kind: 'mid-approval-rate', not: false, mid: 'a', windowMinutes: 60, fromPercent: null, belowPercent: 70, minimumAnswers: 20 },
  'risk-list':         { kind: 'risk-list', not: false, lists: ['block'] },
  'velocity':          { kind: 'velocity', not: false, per: 'card', windowMinutes: 60, currency: null, moreThan: '5' },
}

// biome-ignore format: a table is read in columns.
const actions: Readonly<Record<Action['kind'], Action>> = {
  'use':          { kind: 'use', mids: ['a'], only },
  'split':        { kind: 'split', shares: [{ mid: 'a', weight: 1 }] },
  'prefer':       { kind: 'prefer', mids: [], method: 'thompson', windowMinutes: 60, exploration: 0.1 },
  'exclude':      { kind: 'exclude', mids: ['a'] },
  'decline':      { kind: 'decline', reason: 'no' },
  'review':       { kind: 'review', reason: 'odd' },
  'require-3ds':  { kind: 'require-3ds' },
  'skip-3ds':     { kind: 'skip-3ds' },
  'show-methods': { kind: 'show-methods', methods: ['card'] },
  'hide-methods': { kind: 'hide-methods', methods: ['card'] },
}

const fieldMembers = ({ fields }: Kind): readonly string[] =>
  fields.flatMap((row: FieldSpec) => ('names' in row ? row.names : [row.name])).toSorted()

const membersOf = (part: object): readonly string[] =>
  Object.keys(part)
    .filter((name) => name !== 'kind' && name !== 'not')
    .toSorted()

test('every condition with a list is in the table', () => {
  for (const kind of Object.keys(listedConditions)) assert.ok(Object.hasOwn(conditionKinds, kind), kind)
})

test('the form of a kind has a field for every member, and a new part has all of them', () => {
  for (const [table, parts] of [
    [conditionKinds, conditions],
    [actionKinds, actions],
  ] as const)
    for (const [kind, part] of Object.entries(parts)) {
      const row: Kind | undefined = Object.entries(table).find(([name]) => name === kind)?.[1]
      assert.ok(row, kind)
      assert.deepEqual(fieldMembers(row), membersOf(part), kind)
      assert.deepEqual(membersOf(freshPart(table, kind)), membersOf(part), kind)
    }
})

test('a rule of any kind reads as a sentence, also when negated', () => {
  const texts = Object.values(conditions).flatMap((condition) =>
    [condition, { ...condition, not: true }].map((one) => sentence({ conditions: [one] })),
  )
  assert.equal(new Set(texts).size, texts.length, 'Two conditions read alike.')
  for (const action of Object.values(actions)) assert.match(sentence({ action }), /^For every payment: .+\.$/)
})

// biome-ignore format: a table is read in columns.
const sentences: readonly (readonly [Partial<Rule>, string])[] = [
  [{ conditions: [{ kind: 'currency', not: false, values: ['EUR', 'USD'] }] },                   'If the currency is EUR or USD, then use a, and no other MID.'],
  [{ conditions: [{ kind: 'currency', not: true, values: ['EUR', 'USD'] }] },                    'If the currency is none of EUR, USD, then use a, and no other MID.'],
  [{ conditions: [{ kind: 'wallet', not: true, values: [] }] },                                  'If the device wallet is not given, then use a, and no other MID.'],
  [{ conditions: [{ kind: 'weekday', not: false, zone: 'UTC', days: [6, 7] }], final: true },     'If the day is Saturday or Sunday in UTC, then use a, and no other MID. Stop after this rule.'],
  [{ maximumAttempts: 2 },                                                                       'For every payment: use a, and no other MID. Try at most 2 MIDs.'],
  [{ action: { kind: 'split', shares: [{ mid: 'a', weight: 3 }, { mid: 'b', weight: 1 }] } },     'For every payment: split payments: 75 % to a and 25 % to b.'],
]
for (const [rule, text] of sentences) test(text, () => assert.equal(sentence(rule), text))

test('an incomplete rule reads with gaps', () => {
  const part = freshPart(actionKinds, 'use')
  const rule = { name: '', enabled: true, conditions: [freshPart(conditionKinds, 'amount')], action: part }
  assert.equal(
    ruleSentence({ ...rule, maximumAttempts: null, final: false }),
    'If the amount is …, then use …, then the others.',
  )
})

function sentence(over: Partial<Rule>): string {
  const rule = { name: 'r', enabled: true, conditions: [], action: actions.use, maximumAttempts: null, final: false }
  const [read] = rulesFrom([{ ...rule, ...over }])
  assert.ok(read)
  return ruleSentence(read)
}
