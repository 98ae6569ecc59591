import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountRows, countText, limitFrom, noLimit } from './typed-settings.ts'

test('a limit is typed and read back unchanged; an empty field means no limit', () => {
  for (const limit of [
    { amounts: { EUR: '100000', JPY: '500' }, count: 5 },
    noLimit,
    { amounts: { KWD: '0' }, count: 0 },
  ]) {
    const rows = amountRows(limit, noLimit)
    assert.deepEqual(limitFrom(rows, 'day', countText(limit)), limit)
    assert.deepEqual(limitFrom(rows, 'longer', ''), noLimit)
  }
})
