import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differencesOf } from './differences.ts'

test('only members that differ are listed, by path, before and after', () => {
  const before = { name: 'a', limits: { day: 1, month: 2 }, list: ['x'], same: null }
  const after = { name: 'b', limits: { day: 1, month: 3 }, list: ['x', 'y'], same: null }
  assert.deepEqual(differencesOf(before, after), [
    { path: 'name', before: 'a', after: 'b' },
    { path: 'limits.month', before: '2', after: '3' },
    { path: 'list.1', before: null, after: 'y' },
  ])
})

test('an added member has no value before, and a removed one none after', () => {
  assert.deepEqual(differencesOf(null, { a: true }), [{ path: 'a', before: null, after: 'true' }])
  assert.deepEqual(differencesOf({ a: {} }, null), [{ path: 'a', before: '{}', after: null }])
  assert.deepEqual(differencesOf({ a: 1 }, { a: 1 }), [])
})
