import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedCache } from './bounded-cache.ts'

test('a full cache drops the least recently used entry', () => {
  const cache = new BoundedCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3])
})

test('setting a key again replaces its value and drops no other', () => {
  const cache = new BoundedCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 3)
  assert.deepEqual([cache.get('a'), cache.get('b')], [3, 2])
})

test('an entry is removed only while it has the given value', () => {
  const cache = new BoundedCache<string, number>(2)
  cache.set('a', 1)
  cache.deleteIf('a', 2)
  assert.equal(cache.get('a'), 1)
  cache.deleteIf('a', 1)
  assert.equal(cache.get('a'), undefined)
})
