import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCode } from './error-code.ts'

test('the code of an error is a text; without one, or with a number, it is empty', () => {
  const withCode = (code: unknown): Error => Object.assign(new Error('failed'), { code })
  assert.equal(errorCode(withCode('ENOENT')), 'ENOENT')
  const others = [new Error('failed'), withCode(undefined), withCode(7), { code: 'ENOENT' }, 'ENOENT', null, undefined]
  for (const other of others) assert.equal(errorCode(other), '')
})
