import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accept } from '#domain/reading.ts'
import { nearest } from './nearest.ts'
import { day, duration } from './readers.ts'
import { table } from './table.ts'

test('columns are as wide as their widest cell, without trailing spaces', () => {
  const rows = [
    ['a', 'Zürich', null],
    ['longer', true, ['x', 'y']],
  ] as const
  assert.equal(
    table(['one', 'two', 'three'], rows),
    ['ONE     TWO     THREE', 'a       Zürich  -', 'longer  yes     x, y'].join('\n'),
  )
})

test('a word with one typing error of any kind is still found', () => {
  for (const slip of ['merchnt', 'merchaant', 'merchent', 'mrechant', 'Merchant'])
    assert.equal(nearest(slip, ['mid', 'merchant', 'mapping']), 'merchant')
})

test('the nearest word to a known word is itself', () => {
  const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 8 })
  fc.assert(fc.property(words, (known) => known.every((word) => nearest(word, known) === word)))
})

test('durations add up, whatever their units', () => {
  const part = fc.tuple(fc.nat(999), fc.constantFrom<[string, number]>(['s', 1], ['m', 60], ['h', 3600], ['d', 86_400]))
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const text = parts.map(([count, [unit]]) => `${count}${unit}`).join('')
      const seconds = parts.reduce((total, [count, [, size]]) => total + count * size, 0)
      assert.deepEqual(duration(10_000)(text), { ok: true, value: seconds * 1000 })
    }),
  )
})

test('a duration without a unit, below zero or above the limit is refused', () => {
  for (const text of ['', '5', '-5s', '1.5h', 'h', '3661d']) assert.ok(!duration(3660)(text).ok, text)
})

test('a day exists in the calendar of the database', () => {
  assert.deepEqual(day('2028-02-29'), accept('2028-02-29'))
  for (const text of ['0000-01-01', '2026-02-29', '2026-13-01', '2026-3-1', ''])
    assert.notDeepEqual(day(text), accept(text), text)
})
