/** A value of another kind than a parameter takes is reported under its own name, in the words of its wire. Chapter 10 §10.2, chapter 30 §1.4. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultMapping } from '#domain/mapping.ts'
import { cryptoExponents } from '#domain/money/currencies.ts'
import { endpoints } from './checkout/index.ts'
import { JsonNumber, type ValueTree } from './kit/bodies/value-tree.ts'
import { type ParamTable, readParams } from './kit/values/params.ts'
import { formFormat, jsonFormat, type ReadingContext } from './kit/values/reading.ts'
import { apmActions } from './s2s-apm/index.ts'
import { cardActions } from './s2s-card/index.ts'

/** The texts that are reported under this very name when it is sent with this value. */
function rowsOf(table: ParamTable, format: ReadingContext['format'], name: string, tree: ValueTree): readonly string[] {
  const reading: ReadingContext = {
    tree,
    format,
    mapping: { ...defaultMapping('S2S_CARD'), merchantId: '' },
    mode: 'test',
    sandbox: true,
    checksTokens: true,
    today: '2026-03-01',
    channels: [null],
    brand: () => null,
    crypto: cryptoExponents,
  }
  const read = readParams(table, tree, reading)
  return read.ok ? [] : read.violations.flatMap(({ param, text }) => (param === name ? [text] : []))
}

/** Left out: objects, what a later step judges, and what is retired or read only together with another parameter. */
const exceptions: ReadonlySet<string> = new Set([
  'parameters',
  'custom_data',
  'mpi_data',
  'client_key',
  'hash',
  'delays',
  'crypto_network',
  'RECURRING_DEBIT auth',
  'S2S_APM SALE auth',
  ...['interval_length', 'interval_unit', 'day_of_week', 'day_of_month'].map(
    (one) => `CREATE_SCHEDULE first_payment_${one}`,
  ),
])

for (const [protocol, actions] of [
  ['S2S_CARD', cardActions],
  ['S2S_APM', apmActions],
] as const) {
  test(`${protocol}: a nested value where a text belongs is not valid`, () => {
    for (const { name: action, params } of actions) {
      const names = Object.keys(params).filter((name) =>
        [name, `${action} ${name}`, `${protocol} ${action} ${name}`].every((one) => !exceptions.has(one)),
      )
      for (const name of names) {
        const rows = rowsOf(params, formFormat, name, { [name]: { a: 'b' } })
        assert.deepEqual(rows, ['This value is not valid.'], `${action} ${name}`)
      }
    }
  })
}

const objects = [
  'order',
  'customer',
  'billing_address',
  'payee',
  'payee_billing_address',
  'crypto',
  'parameters',
  'custom_data',
]
const judgedLater = ['merchant_key', 'hash', 'size']
const flags = ['req_token', 'recurring_init', 'recurring_consent_required', 'auth', 'vat_calc']

const typeOf = (endpoint: string, name: string): string => {
  if (objects.includes(name)) return 'object'
  if (flags.includes(name)) return 'boolean'
  if (name === 'session_expiry') return 'integer'
  return name === 'methods' || (name === 'card_token' && endpoint.startsWith('session')) ? 'array' : 'string'
}

/** Not looked at: the page's own, and those of hosted fields. */
const ignoredBy: Readonly<Record<string, readonly string[]>> = {
  session: ['return_url'],
  'session-token': ['methods', 'recurring_consent_required', 'form_id'],
}

test('Checkout: a value of another type is reported with the type that belongs there', () => {
  for (const { name: endpoint, params } of endpoints) {
    const skipped = [...judgedLater, ...(ignoredBy[endpoint] ?? [])]
    for (const name of Object.keys(params).filter((one) => !skipped.includes(one))) {
      const type = typeOf(endpoint, name)
      const value = type === 'object' ? [new JsonNumber('1')] : { a: new JsonNumber('1') }
      const rows = rowsOf(params, jsonFormat, name, { operation: 'purchase', [name]: value })
      assert.deepEqual(rows, [`This value should be of type ${type}.`], `${endpoint} ${name}`)
    }
  }
})
