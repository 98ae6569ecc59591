import assert from 'node:assert/strict'
import { test } from 'node:test'
import currencies from 'currency-codes'
import { isoExponents } from '#domain/money/currencies.ts'
import { currencyNumber } from '#domain/money/currency-number.ts'
import { readValue } from '../../contracts/value-faults.ts'
import { canaries, followUpWith, orderWith, statusQueryWith } from '../testing/contract-samples.ts'
import { credentialsSchema, dialectOf } from './credentials.ts'
import own from './dialects/iso1987-ascii.json' with { type: 'json' }
import binaryDialect from './dialects/iso1993-binary.json' with { type: 'json' }
import sample from './fixtures/credentials.json' with { type: 'json' }
import { numbersOf } from './original.ts'
import { fromFollowUp, fromOrder, reversalOf } from './request.ts'
import { UnwritableError } from './values.ts'

const termsOf = (dialect: string, more: object = {}) => {
  const credentials = credentialsSchema.parse({ ...sample, dialect, ...more })
  return { dialect: dialectOf(credentials), credentials }
}
const terms = termsOf('iso1987-ascii')
const { stan } = numbersOf(orderWith({}), 'request')

test('a sale of 1987 stands in the fields of the standard', () => {
  const { message } = fromOrder('sale', orderWith({}), terms)
  assert.equal(message.mti, '0200')
  assert.deepEqual(Object.fromEntries(message.fields), {
    2: canaries.number,
    3: '000000',
    4: '1000',
    7: '0301115959',
    11: stan,
    12: '115959',
    13: '0301',
    14: '3801',
    18: '5661',
    22: '812',
    25: '59',
    32: '423935',
    37: '000000000001',
    41: 'TERM0001',
    42: 'ACCEPTOR0000001',
    43: `${'EXAMPLE SHOP'.padEnd(25)}${'Berlin'.padEnd(13)}DE`,
    48: `9203${canaries.verificationCode}`,
    49: '978',
    62: '0199a1b2-c3d4-7e5f-8a6b-00000000000a.000000000001',
    63: '0199a1b2-c3d4-7e5f-8a6b-000000000001',
  })
})

test('a capture and a refund have their own reference and name the original', () => {
  const first = { ...followUpWith({}).first, reference: '0100-000000000001', facts: { approvalCode: 'A12345' } }
  const capture = fromFollowUp('capture', followUpWith({ first }), terms).message
  assert.equal(capture.mti, '0220')
  assert.equal(capture.fields.get(37), '000000000002')
  assert.equal(capture.fields.get(38), 'A12345')
  assert.equal(capture.fields.get(90), `0100${stan}0301115959${'00000423935'}${'00000000000'}`)
  const refund = fromFollowUp(
    'refund',
    followUpWith({ first: { ...first, reference: '0200-000000000001' } }),
    terms,
  ).message
  assert.equal(`${refund.mti} ${refund.fields.get(3)}`, '0200 200000')
  assert.equal(refund.fields.get(90)?.slice(0, 4), '0200')
})

test('a void names the reference that the host gave to the sale', () => {
  const first = { ...followUpWith({}).first, facts: { rrn: 'HOSTRRN00001' } }
  assert.equal(fromFollowUp('void', followUpWith({ first }), terms).message.fields.get(37), 'HOSTRRN00001')
  assert.equal(fromFollowUp('void', followUpWith({}), terms).message.fields.get(37), '000000000001')
})

test('a reversal is built from the record alone, and its repetition differs only in its type', () => {
  const [once, again] = [false, true].map(
    (isRepeated) =>
      reversalOf(statusQueryWith({}), '0200', terms, { purpose: 'reversal', requestPurpose: 'request', isRepeated })
        .message,
  )
  assert.deepEqual([once?.mti, again?.mti], ['0420', '0421'])
  assert.deepEqual(once?.fields, again?.fields)
  assert.equal(once?.fields.get(37), '000000000001')
  assert.equal(once?.fields.get(90)?.slice(0, 20), `0200${stan}0301115959`)
  assert.notEqual(once?.fields.get(11), stan)
})

test('an amount without a payment verifies the account', () => {
  const { message } = fromOrder('sale', orderWith({ amountMinor: '0' }), terms)
  assert.deepEqual([message.mti, message.fields.get(25), message.fields.get(4)], ['0100', '51', '0'])
  assert.equal(
    fromOrder('authorize', orderWith({ amountMinor: '0' }), termsOf('iso1993-binary')).message.fields.get(24),
    '108',
  )
})

const subsequent = { initiator: 'merchant', sequence: 'subsequent', source: 'recurring', reference: null }
// biome-ignore format: a table is read in columns.
const situations = [
  // order                                                                       22     25    element 22 of 48
  [ { moto: true },                                                              '012', '08', undefined ],
  [ { recurringInit: true },                                                     '812', '59', 'C101' ],
  [ { storedCredential: subsequent },                                            '102', '01', 'M103' ],
  [ { storedCredential: { ...subsequent, source: 'card_token' } },               '102', '01', 'M101' ],
  [ { storedCredential: { ...subsequent, initiator: 'cardholder' } },            '102', '59', 'C102' ],
] as const

for (const [input, entry, condition, use] of situations) {
  test(`${JSON.stringify(input)} is entry mode ${entry}, condition ${condition}, use of the credential ${use}`, () => {
    const { fields } = fromOrder('sale', orderWith({ card: { verificationCode: null }, ...input }), terms).message
    assert.deepEqual([fields.get(22), fields.get(25), fields.get(48)], [entry, condition, use && `2204${use}`])
  })
}

test('authentication and cryptograms go into the fields of the dialect, as text or as bytes', () => {
  const threeDs = { eci: '05', authenticationValue: canaries.authenticationValue, dsTransId: 'ds', version: '2.2.0' }
  const decrypted = { panType: 'DPAN', dataType: '3DSecure', cryptogram: canaries.cryptogram, eci: '07' }
  const wallet = { wallet: { name: 'walletapay', decrypted } }
  const in48 = (input: Readonly<Record<string, unknown>>) =>
    fromOrder('sale', orderWith(input), terms).message.fields.get(48) ?? ''
  assert.ok(
    in48({ threeDs }).includes(
      `42020543${canaries.authenticationValue.length}${canaries.authenticationValue}4402ds45052.2.0`,
    ),
  )
  assert.ok(in48(wallet).includes(`42020746${canaries.cryptogram.length}${canaries.cryptogram}`))
  const binary = termsOf('iso1993-binary')
  const inHex = (value: string) => Buffer.from(value, 'base64').toString('hex')
  assert.equal(
    fromOrder('sale', orderWith({ threeDs }), binary).message.fields.get(126),
    inHex(canaries.authenticationValue),
  )
  assert.equal(fromOrder('sale', orderWith(wallet), binary).message.fields.get(127), inHex(canaries.cryptogram))
})

test('a dialect without a field for the proof refuses the order in place of dropping the proof', () => {
  const { card } = own.groups
  const groups = { ...own.groups, card: { ...card, 48: { 92: '{cvv}' } } }
  const poor = termsOf('own', { own_dialect: JSON.stringify({ ...own, groups }) })
  const threeDs = { eci: '05', authenticationValue: canaries.authenticationValue, dsTransId: 'ds', version: '2.2.0' }
  assert.throws(() => fromOrder('sale', orderWith({ threeDs }), poor), UnwritableError)
  assert.doesNotThrow(() => fromOrder('sale', orderWith({}), poor))
})

test('accents of a descriptor are dropped, since hosts know only ASCII', () => {
  const { fields } = fromOrder('sale', orderWith({ descriptor: 'Café Zürich' }), terms).message
  assert.equal(fields.get(43)?.slice(0, 25).trim(), 'Cafe Zurich')
})

test('amounts go in the minor units of the currency, by the host’s decimals where they differ', () => {
  const amountOf = (currency: string, used = terms) =>
    fromOrder('sale', orderWith({ currency }), used).message.fields.get(4)
  assert.deepEqual(
    ['EUR', 'JPY', 'KWD'].map((currency) => amountOf(currency)),
    ['1000', '1000', '1000'],
  )
  const withDecimals = termsOf('own', { own_dialect: JSON.stringify({ ...own, decimals: { JPY: 2, KWD: 2 } }) })
  assert.equal(amountOf('JPY', withDecimals), '100000')
  assert.equal(amountOf('KWD', withDecimals), '100')
  assert.throws(
    () => fromOrder('sale', orderWith({ currency: 'KWD', amountMinor: '1001' }), withDecimals),
    UnwritableError,
  )
})

test('the amount of the original goes in the same units as it went at first', () => {
  const withDecimals = termsOf('own', { own_dialect: JSON.stringify({ ...binaryDialect, decimals: { JPY: 2 } }) })
  const first = { ...followUpWith({}).first, amountMinor: 1000n }
  const { fields: sent } = fromFollowUp('capture', followUpWith({ currency: 'JPY', first }), withDecimals).message
  assert.equal(sent.get(30)?.slice(0, 12), '000000100000')
})

test('every currency of ours has its ISO number', () => {
  for (const code of isoExponents.keys()) {
    assert.match(currencyNumber(code) ?? '', /^[0-9]{3}$/, code)
    const listed = currencies.code(code)?.number
    if (listed !== undefined) assert.equal(currencyNumber(code), listed, code)
  }
})

const { groups, messages, fields } = own
const { sale } = messages
// biome-ignore format: a table is read in columns.
const contradictions: readonly (readonly [change: object, sentence: string])[] = [
  [{ groups: { ...groups, card: { 2: '{number}' } } },                        'groups.card.2: There is no value "number".'],
  [{ groups: { ...groups, card: { 2: '{pan' } } },                            'groups.card.2: A brace is not part of a name.'],
  [{ groups: { ...groups, card: { 64: '{pan}' } } },                          'groups.card.64: Say in fields.64 how the field is written.'],
  [{ groups: { ...groups, card: { 48: { 7: '{eci}' } } } },                   'groups.card.48.7: A tag has 2 characters.'],
  [{ groups: { ...groups, card: { 62: { 42: '{eci}' } } } },                  'groups.card.62: Say in subfields.62 how its elements are written.'],
  [{ messages: { ...messages, sale: { mti: '0200', with: ['cards'] } } },     'messages.sale.with: There is no group "cards".'],
  [{ messages: { ...messages, sale: { ...sale, mti: '0210' } } },             'messages.sale: 0210 is the type of an answer.'],
  [{ messages: { ...messages, sale: { ...sale, mti: '200' } } },              'messages.sale.mti: A type has four digits, such as 0200.'],
  [{ messages: { ...messages, undo: undefined } },                            'messages.undo: This value is required.'],
  [{ fields: { ...fields, 129: { type: 'n', length: 3 } } },                  'fields.129: Fields have numbers from 2 to 128.'],
  [{ fields: { ...fields, 62: { type: 'ans', length: 999, prefix: 2 } } },    'fields.62: A prefix of 2 digits cannot say a length of 999.'],
  [{ fields: { ...fields, 41: { type: 'ans', length: 8, encoding: 'bcd' } } }, 'fields.41: The encoding of type ans must be ascii.'],
  [{ header: '6' },                                                           'header: Enter bytes in hexadecimal, two digits each.'],
  [{ answer: { ...own.answer, rrn: '128' } },                                 'answer.rrn: Say in fields.128 how the field is written.'],
  [{ answer: { ...own.answer, cvvResult: 'cvv' } },                           'answer.cvvResult: Name a field, such as 48, or an element of it, such as 48.63.'],
  [{ matchBy: [11, 128] },                                                    'matchBy: Say in fields.128 how the field is written.'],
  [{ codes: { '05': own.codes['05'] } },                                      'codes: No code is an approval.'],
  [{ codes: { '00': { outcome: 'declined', class: 'harsh', reason: 'No' } } }, 'codes.00.class: Must be one of'],
  [{ bitmaps: 'hex' },                                                        'Remove bitmaps: this field is not known here.'],
]

for (const [change, sentence] of contradictions) {
  test(`a wrong dialect is refused when it is entered: ${sentence}`, () => {
    const entered = { ...sample, dialect: 'own', own_dialect: JSON.stringify({ ...own, ...change }) }
    const reading = readValue(credentialsSchema, entered)
    const [fault] = reading.ok ? [] : reading.faults
    assert.equal(fault?.path, 'own_dialect')
    assert.ok(fault.text.includes(sentence), fault.text)
  })
}

test('a dialect of one’s own is entered if it is chosen, and only then', () => {
  const text = JSON.stringify(own)
  assert.equal(credentialsSchema.safeParse({ ...sample, dialect: 'own', own_dialect: text }).success, true)
  assert.equal(credentialsSchema.safeParse({ ...sample, dialect: 'own' }).success, false)
  assert.equal(credentialsSchema.safeParse({ ...sample, own_dialect: text }).success, false)
  assert.equal(credentialsSchema.safeParse({ ...sample, dialect: 'own', own_dialect: '{' }).success, false)
})
