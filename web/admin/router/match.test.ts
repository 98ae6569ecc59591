import assert from 'node:assert/strict'
import { test } from 'node:test'
import { match } from './match.ts'

test('a path fits a pattern of as many parts, and tells what its names stand for', () => {
  assert.deepEqual(match('/merchants/:merchantId', '/merchants/a%20b'), { merchantId: 'a b' })
  assert.deepEqual(match('/', '/'), {})
  assert.equal(match('/merchants/:merchantId', '/merchants'), null)
  assert.equal(match('/merchants/:merchantId', '/merchants/'), null)
  assert.equal(match('/merchants/:merchantId', '/merchants/a/b'), null)
  assert.equal(match('/users', '/merchants'), null)
})

test('an address that cannot be read fits nothing', () => {
  assert.equal(match('/brands/:brand', '/brands/%E0%A4%A'), null)
})
