import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainJson, readJsonBody } from './json-body.ts'
import { isTree, JsonNumber } from './value-tree.ts'

const untouched = ['custom_data', 'parameters']
const read = (text: string) => readJsonBody(Buffer.from(text), untouched)

function members(text: string) {
  const reading = read(text)
  assert.ok(reading.ok)
  return reading.tree
}

test('a number keeps the text that stands in the body', () => {
  const { amount, big, order } = members('{"amount":0.10,"big":12345678901234567890.5,"order":{"n":1e2}}')
  assert.deepEqual([amount, big], [new JsonNumber('0.10'), new JsonNumber('12345678901234567890.5')])
  assert.deepEqual(isTree(order) && order['n'], new JsonNumber('1e2'))
})

test('white space around keys is taken off at every level, and an exact key wins', () => {
  assert.deepEqual(members('{"req_token ":true," order":{" number ":"1"}}'), {
    req_token: true,
    order: { number: '1' },
  })
  assert.deepEqual(members('{"a":"exact"," a":"other"}'), { a: 'exact' })
  assert.deepEqual(members('{" a":"other","a":"exact"}'), { a: 'exact' })
})

test('what belongs to the merchant is not touched', () => {
  assert.deepEqual(members('{"custom_data":{" k ":{" l ":"1"}}}'), { custom_data: { ' k ': { ' l ': '1' } } })
})

test('a byte-order mark is no part of the body, and an empty list is an empty object', () => {
  assert.deepEqual(members('\uFEFF{"a":"b"}'), { a: 'b' })
  assert.deepEqual(members('[]'), {})
})

for (const [what, text] of [
  ['nothing', ''],
  ['half an object', '{"a":'],
  ['a text', '"a"'],
  ['a list', '["a"]'],
  ['a form', 'a=b'],
] as const) {
  test(`${what} is not a JSON request`, () => assert.deepEqual(read(text), { ok: false, fault: 'not-json' }))
}

test('bytes that are not UTF-8 are not a JSON request', () => {
  assert.deepEqual(readJsonBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), []), { ok: false, fault: 'not-json' })
})

test('more than 8 levels or 400 members are too much', () => {
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  assert.equal(read(nested(8)).ok, true)
  assert.deepEqual(read(nested(9)), { ok: false, fault: 'too-large' })
  const wide = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, ''])))
  assert.equal(read(wide(400)).ok, true)
  assert.deepEqual(read(wide(401)), { ok: false, fault: 'too-large' })
})

test('what is stored is ordinary JSON, and a number that would be rounded becomes text', () => {
  const { custom_data } = members('{"custom_data":{"a":1,"b":0.10,"c":[12345678901234567890,null,true]}}')
  assert.deepEqual(plainJson(custom_data ?? null), { a: 1, b: '0.10', c: ['12345678901234567890', null, true] })
})

test('a key that names the prototype is only a key', () => {
  const read = members('{"__proto__":{"polluted":"yes"},"a":"b"}')
  assert.equal(read['a'], 'b')
  assert.equal(Object.getPrototypeOf(read), Object.prototype)
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('a text that no database could keep is none, wherever it stands', () => {
  for (const body of ['{"a":"x\\u0000"}', '{"a":{"b":["\\ud800"]}}', '{"a\\u0000":1}', '{"a":"\\udc00x"}'])
    assert.deepEqual(readJsonBody(Buffer.from(body), []), { ok: false, fault: 'not-json' }, body)
  assert.ok(readJsonBody(Buffer.from('{"a":"\\ud83d\\ude00"}'), []).ok, 'a whole pair is a character')
})
