import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { refusedBy } from './constraint.ts'

const errorOf = (message: string, constraint?: string): DatabaseError =>
  Object.assign(new DatabaseError(message, message.length, 'error'), { constraint })

test('a constraint has its name on one server and on the shard of another one', () => {
  const text = (name: string): string => `duplicate key value violates unique constraint "${name}"`
  assert.equal(
    refusedBy(errorOf(text('payments_alone_in_order'), 'payments_alone_in_order')),
    'payments_alone_in_order',
  )
  assert.equal(refusedBy(errorOf(text('payments_alone_in_order_102037'))), 'payments_alone_in_order')
  assert.equal(
    refusedBy(errorOf('new row for relation "limit_uses" violates check constraint "mid_day_limit"')),
    'mid_day_limit',
  )
  assert.equal(refusedBy(errorOf('deadlock detected')), null)
  assert.equal(refusedBy(new Error('constraint "mid_day_limit"')), null)
})
