/**
 * The days on which transactions may be missing in settlement files, and were not looked at by an earlier import. See
 * decisions/settlement#missing-transactions.
 */
import { addDays } from '../schedule/day.ts'
import { usualSettlementDays } from './settlement-match.ts'

interface FileDays {
  readonly id: string
  /** Null if the file has no rows. */
  readonly firstDay: string | null
  readonly lastDay: string | null
  /** `YYYY-MM-DD` in UTC. */
  readonly importedOn: string
}

export interface DayRange {
  readonly first: string
  readonly last: string
}

/** When a file was imported, outcomes of that day and of the midnight before it were still being written. */
const unwrittenDays = 2

/**
 * Coverage ends the usual settlement days before the last row. A day once checked needs no second check: a transaction ends at the time of its
 * outcome, so none appears on such a day later.
 */
export function uncheckedDays(files: readonly FileDays[], importedId: string): readonly DayRange[] {
  const whole = coverage(files)
  if (whole === null) return []
  const before = coverage(files.filter(({ id }) => id !== importedId))
  if (before === null) return ranges([{ first: whole.first, last: whole.last }])
  return ranges([
    { first: whole.first, last: earlier(addDays(before.first, -1), whole.last) },
    { first: later(addDays(before.checked, 1), whole.first), last: whole.last },
  ])
}

function coverage(files: readonly FileDays[]) {
  const days = files.flatMap(({ firstDay, lastDay, importedOn }) => {
    if (firstDay === null || lastDay === null) return []
    const last = addDays(lastDay, -usualSettlementDays)
    return [{ first: firstDay, last, checked: earlier(last, addDays(importedOn, -unwrittenDays)) }]
  })
  if (days.length === 0) return null
  return days.reduce((sum, one) => ({
    first: earlier(sum.first, one.first),
    last: later(sum.last, one.last),
    checked: later(sum.checked, one.checked),
  }))
}

const ranges = (wanted: readonly DayRange[]): readonly DayRange[] => wanted.filter(({ first, last }) => first <= last)

const earlier = (one: string, other: string): string => (one < other ? one : other)
const later = (one: string, other: string): string => (one > other ? one : other)
