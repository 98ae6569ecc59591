import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { member, strictJsonBytes, strictJsonObject } from './strict-json.ts'

test('any small and shallow JSON object is read as JSON.parse reads it', () => {
  const values = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 8 })
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value)
      assert.deepEqual(strictJsonObject(text), JSON.parse(text))
    }),
  )
})

// biome-ignore format: a table is read in columns.
const refused = [
  ['a name twice',                    '{"a":1,"a":1}'],
  ['a name twice, once with escapes', '{"a":1,"\\u0061":1}'],
  ['a name twice inside',             '{"x":[{"a":1,"b":{"a":2},"a":3}]}'],
  ['a quote in a name twice',         '{"\\"":1,"\\"" : 2}'],
  ['nine levels',                     '{"a":[[[[[[[[1]]]]]]]]}'],
  ['an array',                        '[]'],
  ['a text',                          '"{}"'],
  ['half an object',                  '{"a":'],
  ['a lone surrogate',                `{"a":"${String.fromCharCode(0xd800)}"}`],
  ['more than 32 KiB',                `{"a":"${'x'.repeat(32_768)}"}`],
] as const
for (const [what, text] of refused) {
  test(`${what} is refused`, () => assert.equal(strictJsonObject(text), null))
}

test('eight levels, the same name in different objects, and names inside texts are accepted', () => {
  assert.notEqual(strictJsonObject('{"a":[[[[[[[1]]]]]]]}'), null)
  assert.notEqual(strictJsonObject('{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"\\"a\\":1,{[","d":"a"}'), null)
})

test('bytes that are not UTF-8 are refused', () => {
  assert.deepEqual(strictJsonBytes(Buffer.from('{"a":"é"}')), { a: 'é' })
  assert.equal(strictJsonBytes(Buffer.from('{"a":"é"}', 'latin1')), null)
})

test('an inherited property is not a member', () => {
  assert.equal(member({}, 'constructor'), undefined)
  assert.equal(member(strictJsonObject('{"__proto__":1}') ?? {}, '__proto__'), 1)
})
