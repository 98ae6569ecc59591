import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstId, isStoredUuid, isUuid, mayNumberOrder } from './uuid.ts'

const id = '01923f5e-7b3c-7a41-9c1d-0a2b3c4d5e6f'

test('an identifier is stored in small letters and may be sent in capital ones', () => {
  assert.deepEqual([isStoredUuid(id), isUuid(id)], [true, true])
  assert.deepEqual([isUuid(id.toUpperCase()), isStoredUuid(id.toUpperCase())], [true, false])
})

test('a text with more than the identifier is none', () => {
  for (const text of ['', ` ${id}`, `${id}\n`, `${id}0`, id.replaceAll('-', ''), id.replace('e', 'g')])
    assert.deepEqual([isStoredUuid(text), isUuid(text)], [false, false], text)
})

test('every identifier sorts after the first one', () => {
  assert.ok(isStoredUuid(firstId))
  assert.ok(firstId < id)
})

test('an order number does not begin like an identifier, of which a payment may have one alone', () => {
  const former = 'dc66cdd8-d702-11ea-9a2f-0242c0a87002'
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [text: string, paysIn: boolean, paysOut: boolean])[] = [
    // the number                               of a payment  of a payout
    [`${id}INV-2026-`,                          false,        false],
    [`${id.toUpperCase()}1`,                    false,        false],
    [`${former}order-1`,                        false,        false],
    // Digits at the end of the identifier would count as an amount.
    [id.slice(0, 35),                           false,        false],
    [id.slice(0, 24),                           false,        false],
    // A ligature is two letters in the text of a hash.
    ['01923f5e-7b3c-7a41-9c1d-0a2b3c4d5eﬀ1',    false,        false],
    ['01923f5e-7b3c-7aﬀ-9c1d-0a2b3c4d5e6f1',    false,        false],
    [id,                                        true,         false],
    [former,                                    true,         false],
    // Of version 4, as merchants make them.
    ['5b6492f0-f8f5-41ea-976a-0242c0a85007',    true,         true],
    ['5b6492f0-f8f5-41ea-976a-0242c0a85007-2',  true,         true],
    [id.slice(0, 23),                           true,         true],
    [id.replaceAll('-', ''),                    true,         true],
    [`INV-${id}`,                               true,         true],
    ['ORDER-1',                                 true,         true],
  ]
  for (const [text, paysIn, paysOut] of rows)
    assert.deepEqual([mayNumberOrder(text, 'in'), mayNumberOrder(text, 'out')], [paysIn, paysOut], text)
})
