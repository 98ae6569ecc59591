import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesOf } from './codes.ts'

test('currencies and countries are suggested by code, with their names in the user’s language', () => {
  assert.equal(codesOf('currency', 'en').find(({ code }) => code === 'KWD')?.name, 'Kuwaiti Dinar')
  assert.equal(codesOf('country', 'de').find(({ code }) => code === 'AT')?.name, 'Österreich')
  assert.deepEqual(
    codesOf('country', 'en').map(({ code }) => code),
    codesOf('country', 'fr').map(({ code }) => code),
  )
})
