import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderWith, statusQueryWith } from '../testing/contract-samples.ts'
import { toOutcome, toReversal } from './answer.ts'
import { answerType, packMessage } from './codec/message.ts'
import { writeSubfields } from './codec/subfields.ts'
import { credentialsSchema, dialectOf } from './credentials.ts'
import sample from './fixtures/credentials.json' with { type: 'json' }
import { fromOrder, reversalOf } from './request.ts'

/** Codes that ISO 8583 gives to answers about cards, from its public tables. */
// biome-ignore format: a table is read in columns.
const dialects = [
  { name: 'iso1987-ascii',  approved: '00',  tags: ['63', '87'],
    standard: '00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 19 21 25 30 33 34 36 38 39 41 43 51 54 55 57 58 59 61 62 63 65 68 75 91 92 93 94 96' },
  { name: 'iso1993-binary', approved: '000', tags: ['005', '007'],
    standard: `000 001 002 003 ${range(100, 125)} ${range(200, 210)} 400 902 903 904 906 907 908 909 910 911 912 913 914 923` },
] as const

function range(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index)).join(' ')
}

for (const { name, approved, tags, standard } of dialects) {
  const credentials = credentialsSchema.parse({ ...sample, dialect: name })
  const dialect = dialectOf(credentials)
  const { message: request } = fromOrder('sale', orderWith({}), { dialect, credentials })
  const answered = (more: Readonly<Record<number, string>>, to = request) => {
    const echoed = [4, 7, 11, 37].map((number) => [number, to.fields.get(number) ?? ''] as const)
    const changes = Object.entries(more).map(([number, value]) => [Number(number), value] as const)
    return packMessage(dialect, { mti: answerType(to.mti), fields: new Map([...echoed, ...changes]) })
  }

  test(`${name}: approval code, reference, network's id, AVS and CVV results of the host become facts`, () => {
    const [network, cvv] = tags
    const format = dialect.subfields['48'] ?? assert.fail()
    const elements = writeSubfields(format, [
      [network, 'MCC1234560301'],
      [cvv, 'M'],
    ])
    const reply = answered({ 37: 'HOSTRRN00001', 38: 'A1B2C3', 39: approved, 44: 'Y', 48: elements })
    assert.deepEqual(toOutcome(dialect, request, reply), {
      result: 'approved',
      facts: {
        reference: `${request.mti}-HOSTRRN00001`,
        rrn: 'HOSTRRN00001',
        approvalCode: 'A1B2C3',
        networkTransactionId: 'MCC1234560301',
        extended: { avs_result: 'Y', cvv_result: 'M' },
      },
    })
  })

  test(`${name}: every response code of the standard has a meaning, and only approvals approve`, () => {
    const approvals = new Set(['00', '08', '11', '000', '001', '003', '400'])
    for (const code of standard.split(' ')) {
      assert.ok(dialect.codes[code], code)
      const { result } = toOutcome(dialect, request, answered({ 39: code }))
      assert.equal(result === 'approved', approvals.has(code), code)
    }
  })

  test(`${name}: only the codes of an acknowledgement end a reversal`, () => {
    const { mti } = dialect.messages.sale
    const first = { purpose: 'reversal', requestPurpose: 'request', isRepeated: false } as const
    const { message: reversal } = reversalOf(statusQueryWith({}), mti, { dialect, credentials }, first)
    for (const code of Object.keys(dialect.codes)) {
      const { result } = toReversal(dialect, reversal, answered({ 39: code }, reversal))
      assert.equal(result, dialect.reversed.includes(code) ? 'not-executed' : 'unknown', code)
    }
  })
}
