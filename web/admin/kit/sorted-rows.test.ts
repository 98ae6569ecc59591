import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountRank, nextOrder, sortedRows } from './sorted-rows.ts'

test('rows are ordered by a column in both directions, and those without a value stay last', () => {
  const rows = [{ at: 'b' }, { at: null }, { at: 'a10' }, { at: 'a9' }]
  const order = (direction: 'ascending' | 'descending') =>
    sortedRows(rows, ({ at }) => at, direction).map(({ at }) => at)
  assert.deepEqual(order('ascending'), ['a9', 'a10', 'b', null])
  assert.deepEqual(order('descending'), ['b', 'a10', 'a9', null])
})

test('rows of equal value keep the order of the list', () => {
  const rows = [1, 2, 3, 4].map((id) => ({ id, of: id % 2 }))
  assert.deepEqual(
    sortedRows(rows, ({ of }) => of, 'descending').map(({ id }) => id),
    [1, 3, 2, 4],
  )
})

test('amounts are compared as they are shown, whatever decimals their currencies have', () => {
  assert.ok(amountRank('52100', 0) > amountRank('99999', 2))
  assert.ok(amountRank('1001', 3) > amountRank('100', 2))
})

test('a third click returns to the order of the list', () => {
  const first = nextOrder(null, 'Amount')
  assert.deepEqual(first, { column: 'Amount', direction: 'descending' })
  const second = nextOrder(first, 'Amount')
  assert.deepEqual(second, { column: 'Amount', direction: 'ascending' })
  assert.equal(nextOrder(second, 'Amount'), null)
  assert.deepEqual(nextOrder(second, 'Order'), { column: 'Order', direction: 'descending' })
})
