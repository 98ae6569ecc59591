import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { scheduleClock } from './schedule-clock.ts'

test('every due date of a year is charged exactly once, even if workers are killed', () =>
  smoke({ years: 1, kills: 2, workers: 2, longestJumpDays: 90, onTimePercent: 5 }, scheduleClock.run))
