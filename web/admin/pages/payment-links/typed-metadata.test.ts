import assert from 'node:assert/strict'
import { test } from 'node:test'
import { membersOf } from './typed-metadata.ts'

test('each line has a name and a value, empty lines are skipped, and a line without a name is refused', () => {
  assert.deepEqual(membersOf(' customer = 42 \n\nnote=a=b\nempty='), { customer: '42', note: 'a=b', empty: '' })
  assert.deepEqual(membersOf(''), {})
  assert.equal(membersOf('customer'), null)
  assert.equal(membersOf('=42'), null)
})
