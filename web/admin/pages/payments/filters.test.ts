import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FilterValues, filterFields, filterNames, questionOf } from './filters.ts'

const none = Object.fromEntries(filterNames.map((name) => [name, ''])) as FilterValues
const no = { merchants: [], mids: [], connectors: [] }
const one = [{ value: '1', text: 'one' }]

test('without filters the query contains only the selected mode', () => {
  assert.deepEqual(questionOf(none, 'live'), { test: 'false' })
  assert.deepEqual(questionOf(none, 'test'), { test: 'true' })
})

test('a mode filter overrides the selected mode', () => {
  assert.deepEqual(questionOf({ ...none, test: 'true' }, 'live'), { test: 'true' })
  assert.deepEqual(questionOf({ ...none, test: 'both' }, 'live'), {})
})

test('amounts are sent in minor units of the currency', () => {
  const { amountFrom, amountTo, currency } = questionOf(
    { ...none, amountFrom: '10', amountTo: '20.50', currency: 'eur' },
    'live',
  )
  assert.deepEqual([amountFrom, amountTo, currency], ['1000', '2050', 'EUR'])
})

test('a day is sent as the range from its beginning to the beginning of the next day', () => {
  const { from, to } = questionOf({ ...none, from: '2026-01-31', to: '2026-01-31' }, 'live')
  assert.equal(Date.parse(to ?? '') - Date.parse(from ?? ''), 86_400_000)
})

test('every filter has a field; MIDs and connectors have one for users who may see them', () => {
  const names = filterFields({ ...no, mids: one }).map(({ name }) => name)
  assert.deepEqual([...names].sort(), [...filterNames].sort())
  const fewer = filterFields(no).map(({ name }) => name)
  assert.deepEqual(
    filterNames.filter((name) => !fewer.includes(name)),
    ['midId', 'connector'],
  )
})
