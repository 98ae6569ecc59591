import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { credentialsSchema, dialectOf } from '../credentials.ts'
import sample from '../fixtures/credentials.json' with { type: 'json' }
import { FieldError } from './field.ts'
import { answerType, type MessageFormat, packMessage, unpackMessage } from './message.ts'

const dialectNamed = (dialect: string) => dialectOf(credentialsSchema.parse({ ...sample, dialect }))
const ascii = dialectNamed('iso1987-ascii')
const binary = dialectNamed('iso1993-binary')

/** The npm package has no types. */
interface Oracle {
  getRawMessage(): Buffer
  getIsoJSON(bytes: Buffer): Readonly<Record<string, string>>
}
const OracleMessage: new (message: object, formats?: object) => Oracle = createRequire(import.meta.url)('iso_8583')

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
const text = (least: number, most: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9]{${least},${most}}$`))
/** Field 90 is always there, since the package writes the second bitmap also where no field needs it. */
const fieldValues = fc.record(
  {
    2: fc.stringMatching(/^[0-9]{12,19}$/),
    3: digits(6),
    4: digits(12),
    7: digits(10),
    11: digits(6),
    14: digits(4),
    32: fc.stringMatching(/^[0-9]{1,11}$/),
    37: text(12, 12),
    41: text(8, 8),
    42: text(15, 15),
    49: digits(3),
    62: text(1, 99),
    90: digits(42),
  },
  { requiredKeys: ['3', '11', '90'] },
)

const asMap = (fields: object): Map<number, string> =>
  new Map(Object.entries(fields).map(([number, value]) => [Number(number), String(value)]))

describe('against the npm package iso_8583', () => {
  const formats: readonly (readonly [string, MessageFormat, object])[] = [
    ['hexadecimal bitmap', ascii, { 1: { ContentType: 'an', Label: 'Bitmap', LenType: 'fixed', MaxLen: 16 } }],
    ['binary bitmap', { ...ascii, bitmap: 'binary' }, {}],
  ]
  for (const [what, format, custom] of formats) {
    test(`${what}: the same fields become the same bytes, and are read from them`, () => {
      fc.assert(
        fc.property(fieldValues, (fields) => {
          const bytes = packMessage(format, { mti: '0200', fields: asMap(fields) })
          const oracle = new OracleMessage({ 0: '0200', ...fields }, custom)
          assert.equal(bytes.toString('hex'), oracle.getRawMessage().toString('hex'))
          assert.deepEqual(unpackMessage(format, bytes), { mti: '0200', fields: asMap(fields) })
        }),
        { numRuns: 50 },
      )
    })
  }
})

test('1993: digits are packed, an odd number has a zero in front, and the header goes first', () => {
  const fields = new Map([
    [2, '378282246310005'],
    [3, '0'],
    [39, '000'],
    [127, 'a1b2c3'],
  ])
  const bytes = packMessage(binary, { mti: '1210', fields })
  const bitmap = 'e0000000020000000000000000000002'
  assert.equal(
    bytes.toString('hex'),
    `6000010000${'1210'}${bitmap}${'15'}0378282246310005${'000000'}${'0000'}${'0003'}a1b2c3`,
  )
  assert.deepEqual(unpackMessage(binary, bytes).fields, new Map([...fields, [3, '000000']]))
})

for (const [name, dialect] of [
  ['1987', ascii],
  ['1993', binary],
] as const) {
  test(`${name}: whatever the bytes are, reading them gives a message or a FieldError`, () => {
    const whole = packMessage(dialect, {
      mti: dialect.messages.sale.mti,
      fields: new Map([
        [2, '4111111111111111'],
        [4, '1000'],
        [37, 'abcdefabcdef'],
      ]),
    })
    for (let end = 0; end < whole.length; end += 1)
      assert.throws(() => unpackMessage(dialect, whole.subarray(0, end)), FieldError)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          unpackMessage(dialect, Buffer.from(bytes))
        } catch (error) {
          assert.ok(error instanceof FieldError)
        }
      }),
    )
  })

  test(`${name}: a value that does not fit is refused, and the fault does not quote it`, () => {
    for (const [number, value] of [
      [4, '1234567890123'],
      [2, '4111 1111'],
      [43, `é${'x'.repeat(20)}`],
      [41, 'TERMINAL9'],
    ] as const)
      assert.throws(
        () => packMessage(dialect, { mti: '0200', fields: new Map([[number, value]]) }),
        (error) =>
          error instanceof FieldError && error.message.includes(`Field ${number}`) && !error.message.includes(value),
      )
  })
}

test('an advice, its repetition and a request have the answers of the standard', () => {
  const types = ['0100', '0200', '0220', '0221', '0420', '0421', '0800', '1804'].map(answerType)
  assert.deepEqual(types, ['0110', '0210', '0230', '0230', '0430', '0430', '0810', '1814'])
})
