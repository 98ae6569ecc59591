/** A scheduled export as its form holds it, and as the API takes it. */

import { clockText } from '#domain/time.ts'
import type { Answer, Body } from '../../api/call.ts'
import { browserTimeZone } from '../../kit/form/time-zones.ts'
import { minutesOf } from '../../kit/values/minutes-of-day.ts'
import { splitList } from '../../kit/values/split-list.ts'
import type { Mode } from '../../session/mode.ts'

type List = Answer<'GET /export-schedules'>
export type Schedule = List['schedules'][number]
export type ColumnNames = List['columns']
type Filter = Readonly<Record<string, string>>

export interface ScheduleValues {
  readonly name: string
  readonly kind: Schedule['kind']
  readonly period: Schedule['period']
  readonly time: string
  readonly timeZone: string
  readonly merchantId: string
  readonly status: string
  readonly test: string
  /** Filters without a field of their own, from the search. */
  readonly otherFilters: Filter
  /** Empty for all. */
  readonly columns: readonly string[]
  readonly targetKind: Schedule['targetKind']
  readonly addresses: string
  /** Empty keeps the address. */
  readonly url: string
}

/** Null: the payments of the selected mode. */
export const newSchedule = (filter: Filter | null, mode: Mode): ScheduleValues => ({
  name: '',
  kind: 'payments',
  period: 'day',
  time: '06:00',
  timeZone: browserTimeZone(),
  ...filterValues(filter ?? { test: String(mode === 'test') }),
  columns: [],
  targetKind: 'mail',
  addresses: '',
  url: '',
})

export const valuesOf = (schedule: Schedule, names: ColumnNames): ScheduleValues => ({
  name: schedule.name,
  kind: schedule.kind,
  period: schedule.period,
  time: clockText(schedule.minuteOfDay),
  timeZone: schedule.timeZone,
  ...filterValues(wordsOf(schedule.filter)),
  columns: schedule.columns.length === names[schedule.kind].length ? [] : schedule.columns,
  targetKind: schedule.targetKind,
  addresses: schedule.addresses.join(', '),
  url: '',
})

export function bodyOf(values: ScheduleValues, names: ColumnNames): Body<'POST /export-schedules'> {
  const { name, kind, period, timeZone, targetKind, merchantId, status, test } = values
  const filter = Object.entries({ ...values.otherFilters, merchantId, status, test }).filter(
    ([, value]) => value !== '',
  )
  const chosen = names[kind].filter((column) => values.columns.includes(column))
  const addresses = splitList(values.addresses)
  const url = values.url.trim()
  return {
    name,
    kind,
    filter: Object.fromEntries(filter),
    columns: chosen.length === 0 ? [...names[kind]] : chosen,
    period,
    timeZone,
    minuteOfDay: minutesOf(values.time),
    target: targetKind === 'mail' ? { kind: 'mail', addresses } : { kind: 'https', ...(url === '' ? {} : { url }) },
  }
}

/** The filter that a link from the Transactions page has; null if there is none. */
export function filterIn(text: string): Filter | null {
  try {
    return wordsOf(JSON.parse(text))
  } catch {
    return null
  }
}

const wordsOf = (filter: unknown): Filter =>
  typeof filter === 'object' && filter !== null
    ? Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]))
    : {}

const filterValues = ({ merchantId = '', status = '', test = '', ...otherFilters }: Filter) => ({
  merchantId,
  status,
  test,
  otherFilters,
})
