import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstId, isStoredUuid, isUuid } from './uuid.ts'

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
