import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leanStatements } from './lean.ts'
import { pgbenchScript, textOfValue } from './pgbench-script.ts'
import type { SaleStatements } from './statements.ts'

const sale: SaleStatements = {
  identifiers: 2,
  statements: [
    {
      name: 'payment.open',
      text: 'insert into payments (id, at, note, city) select $1, $2::timestamptz, $3, $4',
      values: ['old', new Date(0), null, ''],
      fresh: [[0, 1]],
    },
    {
      name: 'transaction.settle',
      text: ' update payments set x = $2, y = $2 where id = $1 ',
      values: ['old', 5],
      fresh: [[0, 1]],
    },
  ],
}
const types = [
  ['uuid', 'timestamp with time zone', 'text', 'text'],
  ['text', 'integer'],
]
const milliseconds = 0x019a_0000_0000

test('parameters become variables of pgbench with the types of the server', () => {
  const { text, variables } = pgbenchScript(sale, { types, connections: 16, milliseconds })
  assert.deepEqual(text.split('\n').slice(3), [
    "insert into payments (id, at, note, city) select (('019a000000007' || :id1::text)::uuid::uuid), (:value0_1::timestamp with time zone)::timestamptz, (null::text), (''::text);",
    "update payments set x = (:value1_1::integer), y = (:value1_1::integer) where id = (('019a000000007' || :id1::text)::uuid::text);",
    '',
  ])
  assert.deepEqual(variables, { payments: '0', value0_1: '1970-01-01T00:00:00.000Z', value1_1: '5' })
})

test('identifiers are fresh for every payment, client and use, in order of time, and of version 7', () => {
  const { text } = pgbenchScript(sale, { types, connections: 16, milliseconds })
  const lines = text.split('\n').slice(1, 3)
  const ids = [1, 2, 10].flatMap((payments) =>
    [0, 1, 15].flatMap((client) => lines.map((line) => identifierBy(line, payments, client))),
  )
  assert.equal(new Set(ids).size, 18)
  assert.deepEqual(ids, ids.toSorted())
  for (const id of ids) assert.match(id, /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
})

/** As pgbench computes the variable, and as the server puts the constant before it. */
function identifierBy(line: string, payments: number, client: number): string {
  const [, first = '', connections = '', width = '', index = ''] =
    /^\\set id\d (\d+) \+ \(:payments \* (\d+) \+ :client_id\) \* (\d+) \+ (\d+)$/.exec(line) ?? []
  const count = BigInt(payments) * BigInt(connections) + BigInt(client)
  return `019a000000007${BigInt(first) + count * BigInt(width) + BigInt(index)}`
}

test('a statement that pgbench would misread is refused by name', () => {
  const statements = [{ name: 'payment.slice', text: "select 'a :b'", values: [], fresh: [] }]
  assert.throws(() => pgbenchScript({ identifiers: 0, statements }, { types, connections: 1, milliseconds }), {
    message: 'pgbench would take :b in the statement payment.slice for a variable.',
  })
})

test('values are written as PostgreSQL reads them', () => {
  assert.equal(textOfValue(undefined), null)
  assert.equal(textOfValue(true), 'true')
  assert.equal(textOfValue(1000n), '1000')
  assert.equal(textOfValue('a "b"'), 'a "b"')
  assert.equal(textOfValue(Buffer.from([1, 255])), '\\x01ff')
  assert.equal(textOfValue(['a', null, 'b "c" \\d']), '{"a",NULL,"b \\"c\\" \\\\d"}')
  assert.equal(textOfValue([[1], [2]]), '{{"1"},{"2"}}')
  assert.equal(textOfValue({ a: [1] }), '{"a":[1]}')
})

test('the lean floor writes the contents of the recorded SALE', () => {
  const settle = {
    name: 'transaction.settle',
    text: '',
    values: [
      'id',
      ['payer', 'acquirer'],
      ['acquirer', 'merchant'],
      ['1000', '1000'],
      'https://shop.example/notify',
      '{"callback":"body, the longest of all texts"}',
      [60],
    ],
    fresh: [],
  }
  const { statements, identifiers } = leanStatements({ identifiers: 3, statements: [...sale.statements, settle] })
  assert.equal(identifiers, 2)
  assert.equal(statements[0]?.values[2], 'old 1970-01-01T00:00:00.000Z  ')
  assert.deepEqual(statements[1]?.values.slice(3), [
    ['payer', 'acquirer'],
    ['acquirer', 'merchant'],
    ['1000', '1000'],
    null,
    'https://shop.example/notify',
    '{"callback":"body, the longest of all texts"}',
  ])
})
