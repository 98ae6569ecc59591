import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedAddress } from './counted-filter.ts'

const wish = { from: '2026-03-01', to: '2026-03-31', merchantId: '', by: 'network' } as const
const queryOf = (address: string | null) =>
  Object.fromEntries(new URL(address ?? '', 'https://panel.example').searchParams)

test('a figure leads to its payments by value and outcome, from the first day to the end of the last, in UTC', () => {
  assert.deepEqual(queryOf(countedAddress(wish, 'visa', 'declined')), {
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-04-01T00:00:00.000Z',
    outcome: 'declined',
    attempts: 'last',
    kind: 'income',
    network: 'visa',
  })
})

test('a MID is counted for every attempt, and a kind by itself', () => {
  assert.equal(queryOf(countedAddress({ ...wish, by: 'mid' }, 'M', ''))['attempts'], undefined)
  assert.equal(queryOf(countedAddress({ ...wish, by: 'kind' }, 'credit', ''))['kind'], 'credit')
})

test('payments without a value have no list', () => {
  assert.equal(countedAddress(wish, '', ''), null)
})
