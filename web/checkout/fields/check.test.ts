/** Validation of the page's fields. Chapter 30 §7.3. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FieldView } from '../page-api.ts'
import type { TextKey } from '../state/texts.ts'
import { complaintOf, type Surroundings } from './check.ts'

const around: Surroundings = {
  today: '2026-11-15',
  currency: 'EUR',
  network: 'visa',
  networks: ['visa', 'amex'],
  atPay: false,
}
const field = (name: string, more: Partial<FieldView> = {}): FieldView => ({
  name,
  required: true,
  title: null,
  type: 'string',
  min: null,
  max: null,
  pattern: null,
  values: [],
  default: null,
  ...more,
})

// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [string, TextKey, readonly string[], readonly string[]])[] = [
  // field                                 message             valid                                                invalid
  ['card.number',                        'wrongCardNumber',  ['4111 1111 1111 1111', '36227206271667'],           ['4111 1111 1111 1112', '5555 5555 5555 4445', '378282246310006']],
  ['card.expiry',                        'wrongExpiry',      ['11/26', '1226', '01-38', '05/2038'],               ['1/3', '12', '12/', 'soon']],
  ['card.cvv',                           'wrongCode',        ['123'],                                             ['12', '1234', 'abc']],
  ['customer.name',                      'wrongName',        ['Jane Roe', 'Zoë O’Neill-Doe', '山田太郎', 'Suharto', 'J. R. Roe'],  ['Jane 2', '4111', '-', `${'x'.repeat(16)} ${'y'.repeat(16)}`]],
  ['customer.email',                     'wrongEmail',       ['jane@example.com'],                                ['', 'jane', 'jane@', 'jane@example', 'a b@example.com', 'jane@example..com']],
  ['customer.birth_date',                'wrongValue',       ['1990-05-01'],                                      ['2026-11-15', '01.05.1990']],
  ['billing_address.country',            'wrongCountry',     ['DE'],                                              ['']],
  ['billing_address.state',              'wrongState',       ['CA'],                                              ['']],
  ['billing_address.city',               'wrongCity',        ['Ürümqi', 'x'.repeat(40)],                          ['', 'x'.repeat(41)]],
  ['billing_address.address',            'wrongAddress',     ['x'.repeat(255)],                                   ['', 'x'.repeat(256)]],
  ['billing_address.zip',                'wrongZip',         ['12345-6789'],                                      ['', '12345-67890']],
  ['billing_address.phone_country_code', 'wrongPhoneCode',   ['49', '1-684'],                                     ['', 'DE', '12345678901']],
  ['billing_address.phone',              'wrongPhone',       ['(030) 123/45-6.7'],                                ['', 'call me', '()', '1'.repeat(33)]],
  ['amount',                             'wrongAmount',      ['12.50', '1'],                                      ['', '0', '-1', '1.005', '1,50']],
]
for (const [name, text, good, bad] of rows) {
  describe(name, () => {
    for (const value of good)
      test(`${value} is valid`, () => assert.equal(complaintOf(field(name), value, around), null))
    for (const value of bad)
      test(`${value || 'nothing'} is invalid`, () => assert.equal(complaintOf(field(name), value, around), text))
  })
}

// biome-ignore format: a table is read in columns.
const faults: readonly (readonly [string, string, TextKey])[] = [
  // field                entered           what to do
  ['card.number',       '',               'emptyCardNumber'],
  ['card.number',       '4111 1111 1111', 'shortCardNumber'],
  ['card.number',       '3782 822463',    'shortCardNumber'],
  ['card.expiry',       '',               'emptyExpiry'],
  ['card.expiry',       '13/38',          'wrongMonth'],
  ['card.expiry',       '00',             'wrongMonth'],
  ['card.expiry',       '10/26',          'pastExpiry'],
  ['card.cvv',          '',               'emptyCode'],
  ['customer.name',     '',               'emptyName'],
  ['payee_card.number', '',               'emptyCardNumber'],
  ['payee.name',        '',               'missing'],
]
for (const [name, entered, text] of faults)
  test(`${entered || 'nothing'} as ${name} has its own message`, () =>
    assert.equal(complaintOf(field(name), entered, around), text))

test('the security code has four digits if the network has four, and is optional where it is not required', () => {
  assert.equal(complaintOf(field('card.cvv'), '1234', { ...around, network: 'amex' }), null)
  assert.equal(complaintOf(field('card.cvv'), '123', { ...around, network: 'amex' }), 'wrongCode')
  assert.equal(complaintOf(field('card.cvv', { required: false }), '', around), null)
})

test('at pay, an unsupported network is reported before the check digit', () => {
  const atPay = { ...around, atPay: true }
  assert.equal(complaintOf(field('card.number'), '1111 2222 3333 4444', atPay), 'wrongNetwork')
  assert.equal(complaintOf(field('card.number'), '5555 5555 5555 4444', atPay), 'wrongNetwork')
  assert.equal(complaintOf(field('card.number'), '4111 1111 1111 1112', atPay), 'wrongCardNumber')
  assert.equal(complaintOf(field('card.number'), '5555 5555 5555 4444', around), null)
})

// biome-ignore format: a table is read in columns.
const parameters: readonly (readonly [Partial<FieldView>, string, TextKey | null])[] = [
  // rules from the server                          entered          message
  [{ type: 'digits', min: 5, max: 20 },            '12345',         null],
  [{ type: 'digits', min: 5, max: 20 },            '1234',          'wrongValue'],
  [{ type: 'digits', min: 5, max: 20 },            '1234a',         'wrongValue'],
  [{ pattern: '^[a-z]+@[a-z]+$' },                 'jane@bank',     null],
  [{ pattern: '^[a-z]+@[a-z]+$' },                 'jane',          'wrongValue'],
  [{ type: 'enum', values: ['A', 'B'] },           'B',             null],
  [{ type: 'enum', values: ['A', 'B'] },           'C',             'wrongValue'],
  [{ type: 'integer', min: 1, max: 5 },            '5',             null],
  [{ type: 'integer', min: 1, max: 5 },            '6',             'wrongValue'],
  [{ type: 'email' },                              'jane',          'wrongValue'],
  [{},                                             '',              'missing'],
  [{ required: false },                            '',              null],
]
for (const [more, value, said] of parameters) {
  test(`a parameter ${JSON.stringify(more)} takes ${value || 'nothing'}: ${said ?? 'fine'}`, () =>
    assert.equal(complaintOf(field('fields.extra', more), value, around), said))
}

test('an amount has at most the decimals of its currency', () => {
  const saysOf = (value: string, currency: string) => complaintOf(field('amount'), value, { ...around, currency })
  assert.deepEqual(
    [saysOf('500', 'JPY'), saysOf('500.00', 'JPY'), saysOf('1.234', 'KWD'), saysOf('0.00000001', 'USDT')],
    [null, null, null, null],
  )
  assert.deepEqual([saysOf('500.5', 'JPY'), saysOf('1.2345', 'KWD')], ['wrongAmount', 'wrongAmount'])
})
