import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastDay, monthOf, neighbour, weeksOf } from './month.ts'

test('a month is shown in whole weeks from Monday, without the days of adjacent months', () => {
  const weeks = weeksOf('2026-02')
  assert.deepEqual(
    weeks.map(({ begins }) => begins),
    ['2026-01-26', '2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23'],
  )
  assert.deepEqual(weeks[0]?.days, [null, null, null, null, null, null, '2026-02-01'])
  assert.equal(weeks.flatMap(({ days }) => days).filter((day) => day !== null).length, 28)
})

test('every month of a leap year has the right length and the right neighbours', () => {
  let month = '2028-01'
  let days = 0
  for (let count = 0; count < 12; count += 1) {
    days += Number(lastDay(month).slice(8))
    assert.equal(neighbour(neighbour(month, 1), -1), month)
    month = neighbour(month, 1)
  }
  assert.equal(days, 366)
  assert.equal(month, '2029-01')
})

test('a day belongs to the month in its date', () => {
  assert.equal(monthOf('2026-11-30'), '2026-11')
})
