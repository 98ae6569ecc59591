import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encode, indefinite, octets, oid, sequence } from '../testing/der.ts'
import { mint } from '../testing/wallet-a.ts'
import { Asn1Error } from './asn1-error.ts'
import { readCertificate } from './certificate.ts'
import { childrenOf, readElement } from './element.ts'
import { oids } from './oids.ts'
import { readSignedData } from './signed-data.ts'
import { namedBitsOf, naturalOf, octetsOf, oidOf, timeOf } from './values.ts'

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex')
const der = (text: string) => readElement(hex(text), 'DER')
const ber = (text: string) => readElement(hex(text), 'BER')

// biome-ignore format: a table is read in columns.
const onlyBer = [
  // what                                   bytes
  ['an indefinite length',                  '30 80 02 01 05 00 00'],
  ['a length in more octets than needed',   '30 81 03 02 01 05'],
  ['a length with a leading zero',          `04 82 00 81${'00'.repeat(0x81)}`],
  ['a string in pieces',                    '24 06 04 01 01 04 01 02'],
] as const
for (const [what, bytes] of onlyBer) {
  test(`${what} is BER and not DER`, () => {
    assert.doesNotThrow(() => ber(bytes))
    assert.throws(() => der(bytes), Asn1Error)
  })
}

// biome-ignore format: a table is read in columns.
const never = [
  // what                              bytes
  ['nothing',                          ''],
  ['a tag alone',                      '30'],
  ['content cut short',                '04 02 01'],
  ['bytes after the end',              '04 01 01 00'],
  ['a tag number above 30',            '1f 81 01 00'],
  ['an end mark without a beginning',  '00 00'],
  ['an indefinite length never ended', '30 80 02 01 05'],
  ['a damaged end mark',               '30 80 00 01 00'],
  ['an indefinite primitive',          '04 80 00 00'],
  ['a length of five octets',          '04 85 00 00 00 00 01 00'],
  ['the reserved length',              '04 ff'],
  ['a primitive sequence',             '10 00'],
  ['a constructed number',             '22 03 02 01 05'],
] as const
for (const [what, bytes] of never) {
  test(`${what} is refused by either rules`, () => {
    assert.throws(() => ber(bytes), Asn1Error)
    assert.throws(() => der(bytes), Asn1Error)
  })
}

test('elements nested too deeply are refused', () => {
  const nested = (depth: number): Buffer =>
    Array.from({ length: depth }).reduce((inner: Buffer) => indefinite(0x30, inner), Buffer.alloc(0))
  assert.doesNotThrow(() => readElement(nested(20), 'BER'))
  assert.throws(() => readElement(nested(40), 'BER'), Asn1Error)
  assert.throws(() => readElement(nested(8000), 'BER'), Asn1Error)
})

test('more than 64 KiB are refused unread', () => {
  assert.throws(() => readElement(Buffer.alloc(65_537, 0x04), 'BER'), Asn1Error)
})

test('children of both forms are the same', () => {
  const inner = [oid(oids.data), octets(Buffer.from('x'))]
  const contents = (bytes: Buffer) => childrenOf(readElement(bytes, 'BER')).map(({ whole }) => whole.toString('hex'))
  assert.deepEqual(contents(indefinite(0x30, inner)), contents(sequence(inner)))
})

test('object identifiers are read as written, including 128-bit arcs', () => {
  for (const dotted of Object.values(oids)) assert.equal(oidOf(readElement(oid(dotted), 'DER')), dotted)
})

test('strings in pieces are joined', () => {
  assert.equal(octetsOf(ber('24 80 04 01 01 24 03 04 01 02 00 00')).toString('hex'), '0102')
})

const naturalFaults = ['02 00', '02 02 00 01', '02 02 ff 80', '02 01 80', '04 01 01']
const bitFaults = ['03 00', '03 01 01', '03 02 08 00', '03 02 01 01']
const timeFaults = [
  [0x17, '2105060708Z'],
  [0x17, '210506070809'],
  [0x17, '210231000000Z'],
  [0x17, '210506240000Z'],
  [0x18, '20210506070809.5Z'],
  [0x18, '20210506070809+0100'],
  [0x04, '210506070809Z'],
] as const

test('times of the last century and of both forms are read, others refused', () => {
  const read = (tag: number, text: string) => timeOf(readElement(encode(tag, Buffer.from(text)), 'DER')).toISOString()
  assert.equal(read(0x17, '491231235959Z'), '2049-12-31T23:59:59.000Z')
  assert.equal(read(0x17, '500101000000Z'), '1950-01-01T00:00:00.000Z')
  assert.equal(read(0x18, '20500228000000Z'), '2050-02-28T00:00:00.000Z')
  for (const [tag, text] of timeFaults) assert.throws(() => read(tag, text), Asn1Error, text)
})

test('numbers and bit strings have one encoding only', () => {
  for (const bytes of naturalFaults) assert.throws(() => naturalOf(der(bytes)), Asn1Error, bytes)
  for (const bytes of bitFaults) assert.throws(() => namedBitsOf(der(bytes)), Asn1Error, bytes)
  assert.deepEqual([...namedBitsOf(der('03 02 01 86'))], [0, 5, 6])
})

const readers = {
  element: (bytes: Buffer) => childrenOf(readElement(bytes, 'BER')),
  certificate: readCertificate,
  'signed data': readSignedData,
}
const seedBytes = Buffer.from(mint({}, { form: 'BER' }).paymentData.signature, 'base64')
for (const [name, read] of Object.entries(readers)) {
  test(`the reader of a ${name} throws only its own error, for any bytes`, () => {
    const damaged = fc
      .array(fc.tuple(fc.nat(seedBytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((edits) => edits.reduce((copy, [at, value]) => Buffer.from(copy.with(at, value)), seedBytes))
    const random = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.oneof(damaged, random), (bytes) => {
        try {
          read(bytes)
        } catch (error) {
          assert.ok(error instanceof Asn1Error, String(error))
        }
      }),
      { numRuns: 1000 },
    )
  })
}
