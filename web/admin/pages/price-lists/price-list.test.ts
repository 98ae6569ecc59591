import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ruleText } from './price-list.ts'

test('a rule names its MIDs', () => {
  const names = new Map([
    ['1', 'acquirer-eur'],
    ['2', 'acquirer-usd'],
  ])
  const rule = {
    kinds: ['sale' as const],
    midIds: ['1', '2'],
    networks: [],
    regions: [],
    currency: 'EUR',
    fromMinor: null,
    toMinor: null,
    fixedMinor: '25',
    share: 0,
    minimumMinor: '0',
  }
  assert.equal(
    ruleText(rule, (id) => names.get(id) ?? id),
    'sale, MID acquirer-eur or acquirer-usd, EUR: 0.25 EUR',
  )
})
