import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitFault, limitFrom, typedLimit } from './velocity-limit.ts'

// biome-ignore format: a table is read in columns.
const limits = [
  // typed        currency  locale   of the API
  ['5',           '',       'en',    { moreThan: '5',      currency: null }],
  ['100.00',      'EUR',    'en',    { moreThan: '10000',  currency: 'EUR' }],
  ['100,00',      'EUR',    'de',    { moreThan: '10000',  currency: 'EUR' }],
  ['52100',       'JPY',    'en',    { moreThan: '52100',  currency: 'JPY' }],
  ['1.250',       'KWD',    'en',    { moreThan: '1250',   currency: 'KWD' }],
] as const

for (const [most, currency, locale, members] of limits)
  test(`a limit of ${most} ${currency || 'payments'} is the same in the API and back`, () => {
    assert.deepEqual(limitFrom({ most, currency }, locale), members)
    assert.deepEqual(typedLimit(members, locale), { most, currency })
    assert.equal(limitFault({ most, currency }, locale), null)
  })

test('an amount with decimals that its currency does not have, and half a payment, are named', () => {
  for (const [most, currency] of [
    ['100.5', 'JPY'],
    ['1.2345', 'KWD'],
    ['a lot', 'EUR'],
  ] as const) {
    assert.equal(limitFault({ most, currency }, 'en'), 'Enter a valid amount in this currency.')
    assert.equal(limitFrom({ most, currency }, 'en')['moreThan'], `${most} ${currency}`, 'the service refuses it')
  }
  assert.equal(limitFault({ most: '2.5', currency: '' }), 'Enter a whole number of payments.')
})
