import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from './json.ts'

test('a text that is no JSON has no value, unlike the text null', () => {
  assert.deepEqual(
    [parseJson('{"a":1}'), parseJson('null'), parseJson('{'), parseJson('')],
    [{ a: 1 }, null, undefined, undefined],
  )
})
