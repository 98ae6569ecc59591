import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays } from '../schedule/day.ts'
import { usualSettlementDays } from './settlement-match.ts'
import { uncheckedDays } from './unchecked-days.ts'

const file = (id: string, firstDay: string | null, lastDay: string | null, importedOn = '2026-06-01') => ({
  id,
  firstDay,
  lastDay,
  importedOn,
})
const texts = (files: Parameters<typeof uncheckedDays>[0], id: string) =>
  uncheckedDays(files, id).map(({ first, last }) => `${first} ${last}`)

test('the first file of a MID is compared with all days that it covers, but the usual days of settlement', () => {
  assert.deepEqual(texts([file('a', '2026-03-01', '2026-03-20')], 'a'), ['2026-03-01 2026-03-15'])
  assert.deepEqual(texts([file('a', '2026-03-01', '2026-03-05')], 'a'), [])
  assert.deepEqual(texts([file('a', null, null)], 'a'), [])
})

test('a further file is compared with the days that it adds, before and after', () => {
  const known = file('a', '2026-03-01', '2026-03-20')
  assert.deepEqual(texts([known, file('b', '2026-03-21', '2026-03-21')], 'b'), ['2026-03-16 2026-03-16'])
  assert.deepEqual(texts([known, file('b', '2026-02-10', '2026-02-12')], 'b'), ['2026-02-10 2026-02-28'])
  assert.deepEqual(texts([known, file('b', '2026-03-02', '2026-03-19')], 'b'), [])
})

test('days that were not over when a file was imported are compared again, also if the file names days to come', () => {
  const early = file('a', '2026-03-01', '2099-01-01', '2026-03-10')
  assert.deepEqual(texts([early, file('b', '2026-03-12', '2026-03-12')], 'b'), ['2026-03-09 2098-12-27'])
})

test('imports one after the other look at every day that is covered, whatever the order of their files', () => {
  const start = '2026-03-01'
  const spans = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 12 })), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(spans, (all) => {
      const files = all.map(([from, days], index) =>
        file(String(index), addDays(start, from), addDays(start, from + days), addDays('2026-06-01', index)),
      )
      const looked = new Set<string>()
      for (let count = 1; count <= files.length; count += 1)
        for (const { first, last } of uncheckedDays(files.slice(0, count), String(count - 1)))
          for (let day = first; day <= last; day = addDays(day, 1)) looked.add(day)
      const first = all.map(([from]) => from).toSorted((one, other) => one - other)[0] ?? 0
      const last = Math.max(...all.map(([from, days]) => from + days)) - usualSettlementDays
      for (let day = first; day <= last; day += 1) assert.ok(looked.has(addDays(start, day)), addDays(start, day))
    }),
  )
})
