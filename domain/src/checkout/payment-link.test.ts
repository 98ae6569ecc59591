import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkState, readTypedAmount } from './payment-link.ts'

const now = new Date('2026-03-01T12:00:00Z')
const link = { uses: 'single', isCancelled: false, expiresAt: null, paid: 0 } as const

// biome-ignore format: a table is read in columns.
const states = [
  ['open',      link],
  ['open',      { ...link, expiresAt: new Date('2026-03-01T12:00:01Z') }],
  ['expired',   { ...link, expiresAt: now }],
  ['cancelled', { ...link, isCancelled: true, expiresAt: now }],
  ['paid',      { ...link, paid: 1, isCancelled: true, expiresAt: now }],
  ['open',      { ...link, uses: 'many', paid: 7 }],
  ['cancelled', { ...link, uses: 'many', paid: 7, isCancelled: true }],
] as const

test('a link is open until it is paid, cancelled or expired; one for many payments stays open', () => {
  for (const [state, facts] of states) assert.equal(linkState(facts, now), state, JSON.stringify(facts))
})

test('an amount is read with a point or a comma, and nothing else is an amount', () => {
  for (const [typed, amount] of [
    ['12', '12'],
    [' 12.50 ', '12.50'],
    ['12,5', '12.5'],
    ['007', '7'],
    ['0', '0'],
    ['', null],
    ['-1', null],
    ['1e5', null],
    ['1.000,00', null],
    ['1234567890123', null],
  ] as const)
    assert.equal(readTypedAmount(typed), amount, typed)
})
