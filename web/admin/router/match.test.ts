import assert from 'node:assert/strict'
import { test } from 'node:test'
import { match } from './match.ts'

test('a path matches a pattern with the same number of parts, and its parameters are returned', () => {
  assert.deepEqual(match('/merchants/:merchantId', '/merchants/a%20b'), { merchantId: 'a b' })
  assert.deepEqual(match('/', '/'), {})
  assert.equal(match('/merchants/:merchantId', '/merchants'), null)
  assert.equal(match('/merchants/:merchantId', '/merchants/'), null)
  assert.equal(match('/merchants/:merchantId', '/merchants/a/b'), null)
  assert.equal(match('/users', '/merchants'), null)
})

test('a path that cannot be decoded matches nothing', () => {
  assert.equal(match('/brands/:brand', '/brands/%E0%A4%A'), null)
})
