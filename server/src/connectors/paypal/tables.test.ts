import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { allowsRetry } from '#domain/payment/payment.ts'
import { fromMoney, toMoney } from './currencies.ts'
import { declineOf } from './declines.ts'
import { meaningOf } from './issues.ts'

test('a code that the table does not know is soft, and the networks may forbid another attempt', () => {
  assert.deepEqual(declineOf('ZZ99'), { reason: 'Declined', declineClass: 'unknown' })
  assert.equal(allowsRetry(declineOf(undefined).declineClass), true)
  assert.equal(declineOf('0500').declineClass, 'soft')
  assert.equal(declineOf('0500', '02').declineClass, 'soft')
  assert.equal(declineOf('0500', '03').declineClass, 'hard')
  assert.equal(declineOf('9500', '03').declineClass, 'fraud')
})

const file = new URL('../../../../../shared/acquirers/paypal-payments_payment_v2.json', import.meta.url)
const document = ((): string | null => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
})()

describe('codes and issues of Payments v2', {
  skip: document === null && 'the OpenAPI document is not beside the project',
}, () => {
  const named = (schema: string): readonly string[] => {
    const { [schema]: found } = JSON.parse(document ?? '{}').components.schemas
    return [...JSON.stringify(found).matchAll(/"issue":\{[^}]*?"enum":\["([A-Z_0-9]+)"\]/g)].flatMap(
      ([, issue]) => issue ?? [],
    )
  }
  // What is wrong with our request or our account, and not with this capture or refund.
  const faults =
    /^(INVALID_CURRENCY_CODE|CURRENCY_MISMATCH|CANNOT_BE_|DECIMAL|PAYEE_ACCOUNT|PLATFORM_FEE|MISSING_|INVALID_STRING|INVALID_PARAMETER)/

  test('every processor response code has a reason of its own and a class', () => {
    const codes: readonly string[] = JSON.parse(document ?? '{}').components.schemas.processor_response.properties
      .response_code.enum
    assert.ok(codes.length > 140)
    const missing = codes.filter((code) => code !== '0000' && declineOf(code).reason === 'Declined')
    assert.deepEqual(missing, [])
  })

  for (const schema of ['422', 'authorizations.void-422', 'captures.refund-422']) {
    test(`every issue of ${schema} is a decline, leaves the outcome open, or is a fault of the request`, () => {
      const issues = named(schema)
      assert.ok(issues.length > 0)
      const unexpected = issues.filter((issue) => meaningOf(issue).kind === 'fault' && !faults.test(issue))
      assert.deepEqual(
        unexpected.filter((issue) => issue !== 'PREVIOUSLY_VOIDED'),
        [],
      )
    })
  }
})

test('amounts have PayPal’s decimals, and none is rounded', () => {
  assert.deepEqual(toMoney(1234n, 'EUR'), { currency_code: 'EUR', value: '12.34' })
  assert.deepEqual(toMoney(5n, 'USD'), { currency_code: 'USD', value: '0.05' })
  assert.deepEqual(toMoney(1234n, 'JPY'), { currency_code: 'JPY', value: '1234' })
  assert.deepEqual(toMoney(100000n, 'HUF'), { currency_code: 'HUF', value: '1000' })
  assert.deepEqual(toMoney(100000n, 'TWD'), { currency_code: 'TWD', value: '1000' })
  assert.equal(toMoney(100050n, 'HUF'), null)
  assert.equal(toMoney(1000n, 'KWD'), null)
  assert.equal(toMoney(1000n, 'XXX'), null)
})

test('amounts of PayPal are read in our minor units', () => {
  assert.equal(fromMoney({ currency_code: 'EUR', value: '12.34' }), 1234n)
  assert.equal(fromMoney({ currency_code: 'HUF', value: '1000' }), 100000n)
  assert.equal(fromMoney({ currency_code: 'JPY', value: '1000' }), 1000n)
  assert.equal(fromMoney({ currency_code: 'EUR', value: '12.345' }), null)
  assert.equal(fromMoney({ currency_code: 'KWD', value: '1' }), null)
})
