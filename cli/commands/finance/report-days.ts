/** The days of a report. */
import { addDays } from '#domain/schedule/day.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import { CommandError } from '../../kit/command-error.ts'
import { flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'

const usualDays = 30
const longestDays = 366

export const reportDays = {
  from: value('DAY', `First day, such as 2026-03-01; default ${usualDays} days up to the last day.`, readers.day),
  to: value('DAY', 'Last day; default today.', readers.day),
  json: flag('Prints JSON.'),
}

export function requireRange(now: Date, from: string | undefined, to: string | undefined) {
  const last = to ?? utcDay(now)
  const first = from ?? addDays(last, 1 - usualDays)
  if (first > last) throw new CommandError('--to is before --from.', 'Exchange the two days.')
  if (Date.parse(last) - Date.parse(first) > longestDays * dayMs)
    throw new CommandError(`The report has more than ${longestDays} days.`, 'Choose fewer days.')
  return { from: first, to: last }
}
