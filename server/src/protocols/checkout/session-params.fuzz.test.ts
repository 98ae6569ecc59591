/** Whatever JSON a client sends is read or refused with rows; nothing makes the reader throw, and what it lets through is sound. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { defaultMapping } from '#domain/mapping.ts'
import { cryptoExponents } from '#domain/money/currencies.ts'
import { amountSign, parseAmount } from '#domain/money/money.ts'
import { readJsonBody } from '../kit/bodies/json-body.ts'
import { readParams } from '../kit/values/params.ts'
import { jsonFormat, type ReadingContext } from '../kit/values/reading.ts'
import { fieldsParams, pageParams } from './session-params.ts'

const good = {
  merchant_key: 'key',
  operation: 'purchase',
  order: { number: 'order-1', amount: '10.00', currency: 'EUR', description: 'A book' },
  success_url: 'https://shop.example/ok',
  return_url: 'https://shop.example/back',
  hash: 'hash',
}

function read(params: typeof pageParams | typeof fieldsParams, body: unknown) {
  const reading = readJsonBody(Buffer.from(JSON.stringify(body)), ['custom_data', 'parameters'])
  if (!reading.ok) return null
  const request: ReadingContext = {
    tree: reading.tree,
    format: jsonFormat,
    mapping: { ...defaultMapping('CHECKOUT'), merchantId: '' },
    mode: 'test',
    sandbox: true,
    checksTokens: true,
    today: '2026-03-01',
    channels: [null, 'web'],
    brand: () => null,
    crypto: cryptoExponents,
  }
  return readParams<ReadingContext, typeof params>(params, reading.tree, request)
}

const names = Object.keys(pageParams)
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    '',
    ' ',
    'true',
    'Y',
    '0',
    '-1',
    '1e5',
    '0x10',
    '10.00',
    'EUR',
    'card',
    '2099-01-01',
    'https://a.b/c',
    [],
  ),
)

for (const [title, params] of [
  ['page', pageParams],
  ['fields', fieldsParams],
] as const) {
  describe(`a session of the ${title}`, () => {
    test('is read or refused, whatever stands in one of its members', () => {
      fc.assert(
        fc.property(fc.constantFrom(...names), anyValue, (name, value) => {
          const result = read(params, { ...good, [name]: value })
          if (result && !result.ok) {
            assert.ok(result.violations.length > 0)
            for (const { param, text } of result.violations) assert.ok(param && text)
          }
        }),
        { numRuns: 3000 },
      )
    })

    test('is read or refused, whatever it is', () => {
      fc.assert(
        fc.property(fc.dictionary(fc.constantFrom(...names), anyValue), (body) => void read(params, body)),
        {
          numRuns: 1500,
        },
      )
    })
  })
}

test('an amount that was let through is one, in its currency, and above nothing', () => {
  const amounts = fc.oneof(fc.string(), fc.stringMatching(/^-?[0-9]{0,4}(\.[0-9]{0,4})?$/), fc.double())
  fc.assert(
    fc.property(amounts, fc.constantFrom('EUR', 'JPY', 'KWD', 'BTC', 'XXX'), (amount, currency) => {
      const result = read(pageParams, { ...good, order: { ...good.order, amount, currency } })
      if (!result?.ok) return
      const text = result.value.order?.amount ?? ''
      assert.equal(amountSign(text), 'positive')
      assert.notEqual(parseAmount(text, 'EUR'), 'malformed')
    }),
    { numRuns: 3000 },
  )
})
