import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCode } from './error-code.ts'

test('the code of an error is a text, and anything without one has an empty code', () => {
  const withCode = (code: unknown): Error => Object.assign(new Error('failed'), { code })
  assert.deepEqual([withCode('ENOENT'), withCode(23)].map(errorCode), ['ENOENT', '23'])
  const others = [new Error('failed'), withCode(undefined), { code: 'ENOENT' }, 'ENOENT', null, undefined]
  for (const other of others) assert.equal(errorCode(other), '')
})
