import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FilterValues, filterFields, filterNames, questionOf } from './filters.ts'

const none = Object.fromEntries(filterNames.map((name) => [name, ''])) as FilterValues
const no = { merchants: [], mids: [], connectors: [], brands: [], cardId: '' }
const one = [{ value: '1', text: 'one' }]

const queryOf = (values: Partial<FilterValues>, mode: 'live' | 'test' = 'live', locale = 'en') => {
  const question = questionOf({ ...none, ...values }, mode, locale)
  return question.ok ? question.query : { texts: question.texts }
}

test('without filters the query contains only the selected mode', () => {
  assert.deepEqual(queryOf({}), { test: 'false' })
  assert.deepEqual(queryOf({}, 'test'), { test: 'true' })
})

test('a mode filter overrides the selected mode', () => {
  assert.deepEqual(queryOf({ test: 'true' }), { test: 'true' })
  assert.deepEqual(queryOf({ test: 'both' }), {})
})

test('amounts are sent as typed in the user’s locale, with a decimal point', () => {
  const test = 'false'
  assert.deepEqual(queryOf({ amountFrom: '10', amountTo: '1,020.50', currency: 'eur' }), {
    amountMin: '10',
    amountMax: '1020.50',
    currency: 'EUR',
    test,
  })
  assert.deepEqual(queryOf({ amountFrom: '1.279,23' }, 'live', 'de'), { amountMin: '1279.23', test })
})

test('a value that cannot be understood leaves no query, and says which value it is', () => {
  assert.deepEqual(queryOf({ amountFrom: 'abc' }), { texts: ['Amount from: “abc” is not an amount.'] })
  assert.deepEqual(queryOf({ paymentId: '01a265fd' }), { texts: ['Transaction id: enter all 36 characters.'] })
  assert.deepEqual(queryOf({ q: 'doe@' }), { texts: ['“doe@” is not a whole e-mail address.'] })
})

test('the search box adds to the filters and never contradicts one silently', () => {
  assert.deepEqual(queryOf({ q: '1111 471.16', status: 'SETTLED' }), {
    test: 'false',
    status: 'SETTLED',
    lastFour: '1111',
    amount: '471.16',
  })
  assert.deepEqual(queryOf({ q: '471.16 EUR', currency: 'USD' }), {
    texts: ['The search box has EUR and a filter has USD. Remove one of them.'],
  })
})

test('a day is sent as the range from its beginning to the beginning of the next day', () => {
  const question = questionOf({ ...none, from: '2026-01-31', to: '2026-01-31' }, 'live')
  assert.ok(question.ok)
  const { from, to } = question.query
  assert.equal(Date.parse(to ?? '') - Date.parse(from ?? ''), 86_400_000)
})

test('every filter besides the search box has a field; MIDs and connectors have one for users who may see them', () => {
  const names = filterFields({ ...no, mids: one, cardId: 'a' }).map(({ name }) => name)
  assert.deepEqual([...names, 'q'].sort(), [...filterNames].sort())
  const fewer = filterFields(no).map(({ name }) => name)
  assert.deepEqual(
    filterNames.filter((name) => !fewer.includes(name)),
    ['q', 'cardId', 'midId', 'connector'],
  )
})

test('currency, country, network and brand are suggested, and another value can be typed', () => {
  const brands = [{ code: 'ideal', name: 'ideal' }]
  const suggested = filterFields({ ...no, brands }).flatMap((field) =>
    field.kind === 'text' && field.suggest !== undefined ? [[field.name, field.suggest]] : [],
  )
  assert.deepEqual(
    suggested.map(([name]) => name),
    ['network', 'country', 'issuerCountry', 'currency', 'brand'],
  )
  assert.deepEqual(suggested.at(-1), ['brand', brands])
})
