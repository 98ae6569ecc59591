/** Chapter 20 §2, §5.2 and the parameter table of §5.4. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type BrandAction, brandNamed, parameterRows } from './brand.ts'
import {
  bySecrecy,
  type OrderOfParameters,
  type Parameters,
  readParameters,
  schemaViolation,
  translateParameters,
} from './brand-parameters.ts'
import { builtInBrands } from './built-in-brands.ts'
import { type ParameterRow, parameterRow } from './parameter-row.ts'

const euros: OrderOfParameters = { currency: 'EUR', amount: '10.00', payerCountry: 'DE' }
const rowsOf = (code: string, action: BrandAction) =>
  parameterRows(brandNamed(builtInBrands, code) ?? assert.fail(code), action)
const said = (rows: readonly ParameterRow[], sent: Parameters, order = euros): readonly string[] =>
  readParameters(rows, sent, order).violations.map(({ param, text }) => `${param}: ${text}`)

const blank = 'This value should not be blank.'
const notValid = 'This value is not valid.'
const tooLong = (limit: number): string => `This value is too long. It should have ${limit} characters or less.`
const notChoice = 'The value you selected is not a valid choice.'

describe('the built-in brands (chapter 20 §5.4)', () => {
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [string, BrandAction, string, Parameters, readonly string[]])[] = [
    // brand            action               currency  parameters                                                       violations
    ['walletapay',    'SALE',               'EUR', {},                                                                [`parameters[paymentToken]: ${blank}`]],
    ['walletapay',    'SALE',               'EUR', { paymentToken: '{"version":"EC_v1"}' },                           []],
    ['walletapay',    'SALE',               'EUR', { paymentToken: { version: 'EC_v1' } },                            [`parameters[paymentToken]: ${notValid}`]],
    ['walletbpay',    'SALE',               'EUR', { paymentToken: '{"version":' },                                   [`parameters[paymentToken]: ${notValid}`]],
    ['walletbpay',    'SALE',               'EUR', { paymentToken: `"${'a'.repeat(32 * 1024 - 2)}"` },                []],
    ['walletbpay',    'SALE',               'EUR', { paymentToken: `"${'a'.repeat(32 * 1024 - 1)}"` },                [`parameters[paymentToken]: ${notValid}`]],
    ['bank-redirect', 'SALE',               'EUR', {},                                                                []],
    ['bank-redirect', 'SALE',               'EUR', { bank_code: 'BANK-B' },                                           []],
    ['bank-redirect', 'SALE',               'EUR', { bank_code: 'bank-b' },                                           [`parameters[bank_code]: ${notChoice}`]],
    ['upi-like',      'SALE',               'INR', { virtual_address: 'jane.doe@bank' },                              []],
    ['upi-like',      'SALE',               'INR', { virtual_address: ' ' },                                          [`parameters[virtual_address]: ${blank}`]],
    ['upi-like',      'SALE',               'INR', { virtual_address: 'jane.doe@bank1' },                             [`parameters[virtual_address]: ${notValid}`]],
    ['upi-like',      'SALE',               'INR', { virtual_address: `${'a'.repeat(70)}@${'b'.repeat(30)}` },        [`parameters[virtual_address]: ${tooLong(97)}`]],
    ['voucher-cash',  'SALE',               'BRL', {},                                                                [`parameters[document_number]: ${blank}`]],
    ['voucher-cash',  'SALE',               'USD', {},                                                                []],
    ['voucher-cash',  'SALE',               'USD', { document_number: '1234' },                                       [`parameters[document_number]: ${notValid}`]],
    ['voucher-cash',  'SALE',               'BRL', { document_number: '12345x', store_chain: 'x'.repeat(41) },        [`parameters[document_number]: ${notValid}`, `parameters[store_chain]: ${tooLong(40)}`]],
    ['crypto-pay',    'SALE',               'EUR', {},                                                                [`parameters[payment_currency]: ${blank}`]],
    ['crypto-pay',    'SALE',               'BTC', {},                                                                []],
    ['crypto-pay',    'SALE',               'EUR', { payment_currency: 'DOGE' },                                      [`parameters[payment_currency]: ${notChoice}`]],
    ['crypto-pay',    'CREDIT2CRYPTO',      'BTC', { address: 'short' },                                              [`parameters[address]: ${notValid}`]],
    ['crypto-pay',    'CREDIT2CRYPTO',      'BTC', { address: 'b'.repeat(20), memo_id: 'm'.repeat(65) },              [`parameters[memo_id]: ${tooLong(64)}`]],
    ['account-debit', 'DEBIT2VIRTUAL',      'EUR', { account_number: 'DE02' },                                        [`parameters[account_number]: ${notValid}`]],
    ['account-debit', 'DEBIT2VIRTUAL_CALC', 'EUR', { account_number: 'de0212345' },                                   [`parameters[account_number]: ${notValid}`]],
    ['account-debit', 'DEBIT2VIRTUAL_CALC', 'EUR', { account_number: 'DE0212345', account_name: 'Jane' },             []],
    ['bank-payout',   'CREDIT2VIRTUAL',     'EUR', {},                                                                [`parameters[account_holder]: ${blank}`, `parameters[account_number]: ${blank}`, `parameters[payee_country]: ${blank}`]],
    ['bank-payout',   'CREDIT2VIRTUAL',     'EUR', { account_holder: 'Jane', account_number: 'DE0212', payee_country: 'DE' }, []],
    ['bank-payout',   'CREDIT2VIRTUAL',     'EUR', { account_holder: 'Jane', account_number: 'GB0212', payee_country: 'GB' }, [`parameters[bank_code]: ${blank}`]],
    ['bank-payout',   'CREDIT2VIRTUAL',     'EUR', { account_holder: 'Jane', account_number: 'DE0212', payee_country: 'XX', bank_code: '123', payee_phone: 'call me', payee_email: 'jane' },
      [`parameters[payee_country]: ${notValid}`, `parameters[payee_phone]: ${notValid}`, 'parameters[payee_email]: This value is not a valid email address.']],
    ['vcard',         'SALE',               'EUR', { anything: 'goes' },                                              []],
  ]
  for (const [code, action, currency, sent, expected] of rows) {
    const shown = JSON.stringify(sent)
    test(`${code} ${action} in ${currency}: ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}`, () => {
      assert.deepEqual(said(rowsOf(code, action), sent, { ...euros, currency }), expected)
    })
  }
})

describe('types (chapter 20 §5.2)', () => {
  const bounds = { min: 2, max: 5 }
  // biome-ignore format: a table is read in columns.
  const rows = [
    // type        more                        fits                                          does not
    ['string',   bounds,                      ['ab', 'äöüßé', '😀😀'],                        ['a']],
    ['digits',   bounds,                      ['00', '12345'],                              ['1', '1a', '-1', '٣٣']],
    ['integer',  { min: -2, max: 5 },         ['-2', '0', '5', '05'],                       ['-3', '6', '1.0', 'x', '1e0']],
    ['amount',   { min: 1, max: 2.5 },        ['1', '2.5', '2.50', '1.00'],                 ['0.99', '2.51', '1.001', '1,00', '-1']],
    ['email',    {},                          ['a@b', 'jürgen@example.com'],                []],
    ['phone',    {},                          ['+49 30 123456', '030-123456'], ['12', '+', 'abcdef', '++123456']],
    ['date',     {},                          ['2028-02-29'],                               ['2026-02-29', '2026-2-1', 'today']],
    ['datetime', {},                          ['2026-02-03 23:59:59', '2026-02-03T00:00:00'], ['2026-02-03', '2026-02-30 10:00:00', '2026-02-03 24:00:00']],
    ['country',  {},                          ['DE'],                                       ['de', 'XX', 'DEU']],
    ['boolean',  {},                          ['true', 'false', '1', '0'],                  ['yes', 'TRUE']],
    ['json',     { max: 20 },                 ['{}', '[1]', '"x"'],                         ['{', "{'a':1}", `"${'ä'.repeat(10)}"`]],
    ['object',   {},                          [],                                           ['text']],
    ['list',     {},                          [],                                           ['text']],
  ] as const
  for (const [type, more, fits, misfits] of rows) {
    const schema = [parameterRow('value', type, 'required', more)]
    for (const value of fits) test(`${value} is ${type}`, () => assert.deepEqual(said(schema, { value }), []))
    for (const value of misfits) {
      test(`${value} is no ${type}`, () =>
        assert.deepEqual(said(schema, { value }), [`parameters[value]: ${notValid}`]))
    }
  }
  test('a text without a bound of its own may have 1024 characters, an e-mail address 256', () => {
    const long = (type: 'string' | 'email', value: string) => said([parameterRow('value', type, 'optional')], { value })
    assert.deepEqual(long('string', 'é'.repeat(1024)), [])
    assert.deepEqual(long('string', 'é'.repeat(1025)), [`parameters[value]: ${tooLong(1024)}`])
    assert.deepEqual(long('email', `${'a'.repeat(256)}@b`), [`parameters[value]: ${tooLong(256)}`])
  })
  test('numbers and truth values of a JSON body are read as they would be written', () => {
    assert.deepEqual(said([parameterRow('value', 'integer', 'required')], { value: 5 }), [])
    assert.deepEqual(said([parameterRow('value', 'boolean', 'required')], { value: false }), [])
  })
  test('a value spread over names is not valid where one text is asked for', () => {
    assert.deepEqual(said([parameterRow('value', 'string', 'optional')], { value: { a: 'b' } }), [
      `parameters[value]: ${notValid}`,
    ])
  })
})

describe('objects and lists', () => {
  const schema = [
    parameterRow('list', 'list', 'required', {
      min: 1,
      max: 2,
      rows: [
        parameterRow('type', 'enum', 'required', { values: ['a', 'b'] }),
        parameterRow('text', 'string', 'optional'),
      ],
    }),
    parameterRow('address', 'object', 'optional', { rows: [parameterRow('street', 'string', 'required')] }),
  ]
  test('violations are named by their whole path', () => {
    assert.deepEqual(said(schema, { list: { 0: { type: 'a' }, 1: { text: 'x' } }, address: { zip: '1' } }), [
      `parameters[list][1][type]: ${blank}`,
      `parameters[address][street]: ${blank}`,
    ])
  })
  test('a list is one of a form or of JSON, and within its bounds', () => {
    assert.deepEqual(said(schema, { list: [{ type: 'a' }] }), [])
    assert.deepEqual(said(schema, { list: { 0: { type: 'a' } } }), [])
    for (const list of [[], { a: { type: 'a' } }, { 1: { type: 'a' } }, ['a'], [{}, {}, {}]])
      assert.deepEqual(said(schema, { list }), [`parameters[list]: ${notValid}`])
  })
})

describe('conditions', () => {
  const other = parameterRow('other', 'string', 'optional')
  const needed = (op: 'in' | 'not_in' | 'present' | 'absent' | 'greater', field: string, ...values: string[]) => [
    other,
    parameterRow('value', 'string', 'conditional', { when: [{ field, op, values }] }),
  ]
  const order: OrderOfParameters = { currency: 'EUR', amount: '10.00', payerCountry: null }
  // biome-ignore format: a table is read in columns.
  const rows = [
    // schema                                        parameters         needed
    [needed('in', 'order_currency', 'EUR', 'USD'),   {},                true],
    [needed('in', 'order_currency', 'USD'),          {},                false],
    [needed('not_in', 'order_currency', 'USD'),      {},                true],
    [needed('not_in', 'order_currency', 'EUR'),      {},                false],
    [needed('in', 'payer_country', 'DE'),            {},                false],
    [needed('not_in', 'payer_country', 'DE'),        {},                false],
    [needed('absent', 'payer_country'),              {},                true],
    [needed('present', 'payer_country'),             {},                false],
    [needed('present', 'other'),                     { other: 'x' },    true],
    [needed('present', 'other'),                     { other: ' ' },    false],
    [needed('absent', 'other'),                      {},                true],
    [needed('in', 'other', 'x'),                     { other: 'x' },    true],
    [needed('greater', 'order_amount', '9.999'),     {},                true],
    [needed('greater', 'order_amount', '10'),        {},                false],
    [needed('greater', 'order_amount', '100'),       {},                false],
    [needed('greater', 'other', '-1'),               { other: 'x' },    false],
  ] as const
  for (const [schema, sent, isNeeded] of rows) {
    const { when } = schema[1] ?? assert.fail()
    test(`${JSON.stringify(when[0])} ${isNeeded ? 'asks' : 'does not ask'} for the value with ${JSON.stringify(sent)}`, () => {
      assert.deepEqual(said(schema, sent, order), isNeeded ? [`parameters[value]: ${blank}`] : [])
    })
  }
  test('all conditions must hold', () => {
    const when = [
      { field: 'order_currency', op: 'in', values: ['EUR'] },
      { field: 'other', op: 'present', values: [] },
    ] as const
    const schema = [other, parameterRow('value', 'string', 'conditional', { when })]
    assert.deepEqual(said(schema, {}, order), [])
    assert.deepEqual(said(schema, { other: 'x' }, order), [`parameters[value]: ${blank}`])
  })
})

describe('what goes on', () => {
  const schema = [
    parameterRow('bank', 'string', 'required', { default: 'BANK-A', forwardAs: 'bank_id' }),
    parameterRow('account', 'object', 'optional', {
      forwardAs: 'acct',
      rows: [parameterRow('number', 'string', 'required', { secret: true, forwardAs: 'no' })],
    }),
    parameterRow('codes', 'list', 'optional', {
      rows: [parameterRow('code', 'string', 'optional', { forwardAs: 'c' })],
    }),
  ]
  test('a default stands in for what was not sent, and conditions see it', () => {
    const { values, violations } = readParameters(schema, {}, euros)
    assert.deepEqual([values, violations], [{ bank: 'BANK-A' }, []])
    const condition = { field: 'bank', op: 'in', values: ['BANK-A'] } as const
    const asking = parameterRow('branch', 'string', 'conditional', { when: [condition] })
    assert.deepEqual(said([...schema, asking], {}), [`parameters[branch]: ${blank}`])
  })
  test('the connector gets its own names, and what no row names as it came', () => {
    const sent = {
      bank: 'B',
      account: { number: '1' },
      codes: { 0: { code: 'x' } },
      own: { a: 'b' },
      bank_id: 'forged',
    }
    const { values } = readParameters(schema, sent, euros)
    assert.deepEqual(translateParameters(schema, values), {
      bank_id: 'B',
      acct: { no: '1' },
      codes: [{ c: 'x' }],
      own: { a: 'b' },
    })
  })
  test('what holds a secret is kept apart as a whole', () => {
    const values = { bank: 'B', account: { number: '1' }, own: 'x' }
    assert.deepEqual(bySecrecy(schema, values), { open: { bank: 'B', own: 'x' }, secret: { account: { number: '1' } } })
  })
  test('a name of the language’s own is a name like any other', () => {
    const sent: Parameters = JSON.parse('{"__proto__": {"bank": "X"}, "constructor": "y"}')
    assert.deepEqual(readParameters(schema, sent, euros).values['bank'], 'BANK-A')
    assert.equal(said([parameterRow('toString', 'string', 'required')], {}).length, 1)
  })
})

test('a brand may give the identifier a format of its own', () => {
  const row = parameterRow('identifier', 'digits', 'optional', { min: 10 })
  assert.deepEqual(schemaViolation(row, 'identifier', '123', euros), { param: 'identifier', text: notValid })
  assert.equal(schemaViolation(row, 'identifier', '1234567890', euros), null)
  assert.equal(schemaViolation(row, 'identifier', null, euros), null)
  assert.equal(schemaViolation(null, 'identifier', '123', euros), null)
})
