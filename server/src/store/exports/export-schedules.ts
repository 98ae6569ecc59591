/** Schedules of exports, as the panel shows and changes them, and as a worker finds those that are due. Chapter 70 §5. */
import type { ExportTimes } from '#domain/export/export-period.ts'
import type { PlannedSchedules } from '../../contracts/exports/export-ports.ts'
import type { Ids } from '../../contracts/ports.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { json } from '../database/insertion.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'
import type { ExportKind } from '../instance/exports.ts'

export const exportTargets = ['mail', 'https'] as const
type ExportTarget = (typeof exportTargets)[number]

export interface ExportScheduleRow extends ExportTimes {
  readonly id: string
  readonly ownerId: string
  readonly ownerEmail: string
  readonly name: string
  readonly kind: ExportKind
  readonly filter: JsonObject
  /** The merchants of its owner when it was saved, or the one of the filter; null for all. */
  readonly merchants: readonly string[] | null
  /** In the order of the file. */
  readonly columns: readonly string[]
  readonly targetKind: ExportTarget
  /** Empty for an HTTPS target. */
  readonly addresses: readonly string[]
  readonly urlSealed: Buffer | null
  readonly secretSealed: Buffer | null
  /** What people may see of the target. */
  readonly shownTarget: string
  readonly pausedAt: Date | null
  readonly pauseReason: string | null
  /** The first day of the next period, `YYYY-MM-DD`. */
  readonly nextDay: string
  readonly nextAt: Date
  readonly createdAt: Date
  /** Of the newest run; null before the first. */
  readonly lastState: string | null
}

const columns = `s.id, s.user_id as "ownerId", u.email as "ownerEmail", s.name, s.kind, s.filter, s.merchants, s.columns, s.period,
  s.time_zone as "timeZone", s.minute_of_day as "minuteOfDay", s.target_kind as "targetKind", s.addresses, s.url_sealed as "urlSealed",
  s.secret_sealed as "secretSealed", s.shown_target as "shownTarget", s.paused_at as "pausedAt", s.pause_reason as "pauseReason",
  s.next_day::text as "nextDay", s.next_at as "nextAt", s.created_at as "createdAt",
  (select r.state from export_runs r where r.schedule_id = s.id order by r.created_at desc, r.id desc limit 1) as "lastState"`
const source = 'export_schedules s join users u on u.id = s.user_id'

/** Null lists those of all owners. */
const listSchedules = sql<ExportScheduleRow, readonly [string | null]>(
  'export-schedule.list',
  `select ${columns} from ${source} where s.user_id = coalesce($1::uuid, s.user_id) order by s.name, s.id`,
)
const findSchedule = sql<ExportScheduleRow, readonly [string]>(
  'export-schedule.find',
  `select ${columns} from ${source} where s.id = $1`,
)
const lockSchedule = sql<{ id: string }, readonly [string]>(
  'export-schedule.lock',
  'select id from export_schedules where id = $1 for update',
)
type WrittenSchedule = Omit<ExportScheduleRow, 'ownerEmail' | 'lastState'>

// biome-ignore format: a table is read in columns.
const written: readonly (readonly [column: string, value: (row: WrittenSchedule) => unknown])[] = [
  ['id',            ({ id }) => id],
  ['user_id',       ({ ownerId }) => ownerId],
  ['created_at',    ({ createdAt }) => createdAt],
  ['name',          ({ name }) => name],
  ['kind',          ({ kind }) => kind],
  ['filter',        ({ filter }) => json(filter)],
  ['merchants',     ({ merchants }) => merchants],
  ['columns',       ({ columns: chosen }) => chosen],
  ['period',        ({ period }) => period],
  ['time_zone',     ({ timeZone }) => timeZone],
  ['minute_of_day', ({ minuteOfDay }) => minuteOfDay],
  ['target_kind',   ({ targetKind }) => targetKind],
  ['addresses',     ({ addresses }) => addresses],
  ['url_sealed',    ({ urlSealed }) => urlSealed],
  ['secret_sealed', ({ secretSealed }) => secretSealed],
  ['shown_target',  ({ shownTarget }) => shownTarget],
  ['paused_at',     ({ pausedAt }) => pausedAt],
  ['pause_reason',  ({ pauseReason }) => pauseReason],
  ['next_day',      ({ nextDay }) => nextDay],
  ['next_at',       ({ nextAt }) => nextAt],
]
const names = written.map(([column]) => column)
const neverChanged: ReadonlySet<string> = new Set(['id', 'user_id', 'created_at'])
const changed = names.filter((name) => !neverChanged.has(name))

const putSchedule = sql<Nothing, readonly unknown[]>(
  'export-schedule.put',
  `insert into export_schedules (${names.join(', ')}) values (${names.map((_name, index) => `$${index + 1}`).join(', ')})
   on conflict (id) do update set ${changed.map((name) => `${name} = excluded.${name}`).join(', ')}`,
)
const isNameTaken = sql<{ taken: boolean }, readonly [string, string, string]>(
  'export-schedule.name-taken',
  'select exists (select from export_schedules where user_id = $1 and name = $2 and id <> $3) as taken',
)
const removeParts = sql<Nothing, readonly [string]>(
  'export-file.remove-of-schedule',
  'delete from export_file_parts where file_id in (select file_id from export_runs where schedule_id = $1)',
)
const removeSchedule = sql<Nothing, readonly [string]>(
  'export-schedule.remove',
  'delete from export_schedules where id = $1',
)
const dueSchedules = sql<ExportTimes & { id: string; nextDay: string }, readonly [Date, number]>(
  'export-schedule.due',
  `select id, period, time_zone as "timeZone", minute_of_day as "minuteOfDay", next_day::text as "nextDay" from export_schedules
   where paused_at is null and next_at <= $1 order by next_at limit $2`,
)
/** The run is written with the move, and only by the worker whose move counts. A period that was run before is passed over. */
const planRun = sql<Nothing, readonly unknown[]>(
  'export-schedule.plan',
  `with moved as (
     update export_schedules set next_day = $3, next_at = $4 where id = $1 and next_day = $2::date and paused_at is null returning id
   )
   insert into export_runs (id, schedule_id, period, repetition, period_from, period_to, state, next_at, created_at)
   select $5::uuid, id, $6::text, 0, $7::timestamptz, $8::timestamptz, 'waiting', $9::timestamptz, $9::timestamptz from moved
   on conflict (schedule_id, period, repetition) do nothing`,
)

export const exportScheduleStore = (on: Queryable) => ({
  list: (ownerId: string | null): Promise<readonly ExportScheduleRow[]> => query(on, listSchedules, [ownerId]),
  find: async (id: string): Promise<ExportScheduleRow | null> => (await query(on, findSchedule, [id]))[0] ?? null,
  lock: async (id: string): Promise<ExportScheduleRow | null> => {
    await query(on, lockSchedule, [id])
    return (await query(on, findSchedule, [id]))[0] ?? null
  },
  isNameTaken: async ({ ownerId, name, id }: Pick<ExportScheduleRow, 'ownerId' | 'name' | 'id'>): Promise<boolean> =>
    (await query(on, isNameTaken, [ownerId, name, id]))[0]?.taken === true,
  put: async (row: WrittenSchedule): Promise<void> => {
    await query(
      on,
      putSchedule,
      written.map(([, value]) => value(row)),
    )
  },
  /** With its runs and files. */
  remove: async (id: string): Promise<void> => {
    await query(on, removeParts, [id])
    await query(on, removeSchedule, [id])
  },
})

export const dueScheduleStore = (
  on: Queryable,
  { ids, now }: { readonly ids: Ids; readonly now: () => Date },
): PlannedSchedules => ({
  list: (at, limit) => query(on, dueSchedules, [at, limit]),
  plan: async ({ id, nextDay }, { label, from, to }, next) => {
    await query(on, planRun, [id, nextDay, next.firstDay, next.dueAt, ids.next(), label, from, to, now()])
  },
})
