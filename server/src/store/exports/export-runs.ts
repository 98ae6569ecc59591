/** Runs of scheduled exports: one for each period, and further ones that people asked for. Chapter 70 §5. */
import { exportLimits } from '#domain/export/export-limits.ts'
import type { DueRun, DueRuns } from '../../contracts/exports/export-ports.ts'
import type { Clock, Ids } from '../../contracts/ports.ts'
import { PLATFORM_SCOPE, type Vault } from '../../vault/port.ts'
import { type Holder, isFree, lease } from '../database/lease.ts'
import { type Nothing, type Pool, type Queryable, query, sql } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { alertStore } from '../instance/alerts.ts'

type RunState = 'waiting' | 'sent' | 'failed' | 'refused'

export interface ExportRunRow {
  readonly id: string
  readonly scheduleId: string
  readonly period: string
  readonly repetition: number
  readonly periodFrom: Date
  readonly periodTo: Date
  readonly state: RunState
  /** Null if the schedule began it. */
  readonly askedBy: string | null
  readonly attempts: number
  readonly nextAt: Date
  readonly fileId: string | null
  /** Whether the file can still be fetched. */
  readonly isStored: boolean
  readonly rowCount: bigint | null
  readonly byteCount: bigint | null
  /** The merchants whose data the file has; null for all. */
  readonly merchants: readonly string[] | null
  readonly fault: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

const columns = `r.id, r.schedule_id as "scheduleId", r.period, r.repetition, r.period_from as "periodFrom", r.period_to as "periodTo", r.state,
  r.asked_by as "askedBy", r.attempts, r.next_at as "nextAt", r.file_id as "fileId",
  exists (select from export_file_parts p where p.file_id = r.file_id) as "isStored", r.row_count as "rowCount", r.byte_count as "byteCount",
  r.merchants, r.fault, r.created_at as "createdAt", r.ended_at as "endedAt"`

const listRuns = sql<ExportRunRow, readonly [string, string | null, number]>(
  'export-run.list',
  `select ${columns} from export_runs r where r.schedule_id = $1 and r.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
   order by r.id desc limit $3`,
)
const findRun = sql<ExportRunRow, readonly [string, string]>(
  'export-run.find',
  `select ${columns} from export_runs r where r.schedule_id = $1 and r.id = $2`,
)
/** The schedule is locked meanwhile, so that two people who ask get two numbers. */
const repeatRun = sql<{ id: string }, readonly unknown[]>(
  'export-run.repeat',
  `insert into export_runs (id, schedule_id, period, repetition, period_from, period_to, state, asked_by, next_at, created_at)
   select $1::uuid, $2::uuid, $3::text, coalesce(max(repetition) + 1, 0), $4::timestamptz, $5::timestamptz, 'waiting', $6::text,
     $7::timestamptz, $7::timestamptz
   from export_runs where schedule_id = $2 and period = $3
   returning id`,
)
const isOpen = sql<{ open: boolean }, readonly [string, string]>(
  'export-run.open',
  `select exists (select from export_runs where schedule_id = $1 and period = $2 and state = 'waiting') as open`,
)

interface ClaimedColumns {
  id: string
  schedule_id: string
  name: string
  kind: DueRun['kind']
  period: string
  repetition: number
  attempts: number
  delivered: readonly string[]
  addresses: readonly string[]
  url_sealed: Buffer | null
  secret_sealed: Buffer | null
}

/** A later period waits for the first attempt of an earlier one, so that files leave in order also if several workers run. */
const claimRuns = sql<ClaimedColumns, readonly [Date, number, number, Holder]>(
  'export-run.claim',
  `with due as (
     select r.id from export_runs r
     where r.state = 'waiting' and r.next_at <= $1 and ${isFree}
       and (r.asked_by is not null or exists (select from export_schedules s where s.id = r.schedule_id and s.paused_at is null))
       and not exists (select from export_runs earlier where earlier.schedule_id = r.schedule_id and earlier.state = 'waiting'
         and earlier.attempts = 0 and earlier.period_from < r.period_from)
     order by r.period_from limit $2
     for update skip locked
   )
   update export_runs held set ${lease('$3', '$4')}
   from due, export_schedules s where held.id = due.id and s.id = held.schedule_id
   returning held.id, held.schedule_id, s.name, s.kind, held.period, held.repetition, held.attempts, held.delivered, s.addresses,
     s.url_sealed, s.secret_sealed`,
)
const addDelivered = sql<Nothing, readonly [string, string]>(
  'export-run.delivered',
  'update export_runs set delivered = array_append(delivered, $2) where id = $1',
)
const endRun = sql<{ id: string }, readonly [string, RunState, string | null, Date]>(
  'export-run.end',
  `update export_runs set state = $2, fault = $3, ended_at = $4, attempts = attempts + 1, lease_until = null
   where id = $1 and state = 'waiting' returning id`,
)
const postponeRun = sql<Nothing, readonly [string, string, Date]>(
  'export-run.postpone',
  `update export_runs set fault = $2, next_at = $3, attempts = attempts + 1, lease_until = null where id = $1 and state = 'waiting'`,
)
const pauseSchedule = sql<{ name: string }, readonly [string, Date, string]>(
  'export-schedule.pause',
  'update export_schedules set paused_at = $2, pause_reason = $3 where id = $1 and paused_at is null returning name',
)
const merchantOfSchedule = sql<{ merchant: string | null }, readonly [string]>(
  'export-schedule.merchant',
  `select filter->>'merchantId' as merchant from export_schedules where id = $1`,
)
const sweepRuns = sql<Nothing, readonly [Date]>('export-run.sweep', 'delete from export_runs where created_at < $1')
const sweepParts = sql<Nothing, readonly [Date]>(
  'export-file.sweep',
  `delete from export_file_parts p where written_at < $1
     and not exists (select from export_runs r where r.file_id = p.file_id and r.state = 'waiting')`,
)

interface AskedRun {
  readonly id: string
  readonly scheduleId: string
  readonly period: string
  readonly from: Date
  readonly to: Date
  readonly askedBy: string
  readonly at: Date
}

export const exportRunStore = (on: Queryable) => ({
  list: (scheduleId: string, before: string | null, limit: number): Promise<readonly ExportRunRow[]> =>
    query(on, listRuns, [scheduleId, before, limit]),
  find: async (scheduleId: string, id: string): Promise<ExportRunRow | null> =>
    (await query(on, findRun, [scheduleId, id]))[0] ?? null,
  /** Whether a run of the period waits. */
  isOpen: async (scheduleId: string, period: string): Promise<boolean> =>
    (await query(on, isOpen, [scheduleId, period]))[0]?.open === true,
  add: async ({ id, scheduleId, period, from, to, askedBy, at }: AskedRun): Promise<void> => {
    await query(on, repeatRun, [id, scheduleId, period, from, to, askedBy, at])
  },
})

interface AlertParts {
  readonly clock: Clock
  readonly ids: Ids
}

interface StoreParts extends AlertParts {
  readonly vault: Vault
  readonly holder: Holder
}

export const dueRunStore = (pool: Pool, parts: StoreParts): Omit<DueRuns, 'recordRefused'> => ({
  claim: async (now, limit, leaseSeconds) => {
    const claimed = await query(pool, claimRuns, [now, limit, leaseSeconds, parts.holder])
    return Promise.all(claimed.map((row) => openDueRun(parts.vault, row)))
  },
  recordDelivered: async ({ id }, address) => {
    await query(pool, addDelivered, [id, address])
  },
  recordSent: async ({ id }, at) => {
    await query(pool, endRun, [id, 'sent', null, at])
  },
  recordFailed: async (run, { at, text, nextAt }) => {
    if (nextAt !== null) {
      await query(pool, postponeRun, [run.id, text, nextAt])
      return
    }
    await inTransaction(pool, async (client) => {
      if ((await query(client, endRun, [run.id, 'failed', text, at])).length === 0) return
      await raise(client, parts, run, `was not delivered. ${text} Correct it, then press Run again.`)
    })
  },
  sweep: async (now) => {
    await query(pool, sweepParts, [new Date(now.getTime() - exportLimits.keptMs)])
    await query(pool, sweepRuns, [new Date(now.getTime() - exportLimits.historyMs)])
  },
})

/** Ends the run and pauses its schedule, with an alert; call in a transaction. False if the run has ended already. */
export async function endRefused(
  client: Queryable,
  parts: AlertParts,
  run: DueRun,
  { at, text }: { readonly at: Date; readonly text: string },
): Promise<boolean> {
  if ((await query(client, endRun, [run.id, 'refused', text, at])).length === 0) return false
  await query(client, pauseSchedule, [run.scheduleId, at, text])
  await raise(client, parts, run, `was refused, and its schedule is paused. ${text}`)
  return true
}

/** Pauses a schedule of which no period can be found, with an alert; call in a transaction. False if it is paused already. */
export async function pauseWithAlert(
  client: Queryable,
  parts: AlertParts,
  id: string,
  { at, text }: { readonly at: Date; readonly text: string },
): Promise<boolean> {
  const [schedule] = await query(client, pauseSchedule, [id, at, text])
  if (schedule === undefined) return false
  await raiseFor(client, parts, id, `The export ${schedule.name} is paused. ${text}`)
  return true
}

const raise = (on: Queryable, parts: AlertParts, run: DueRun, what: string): Promise<void> =>
  raiseFor(on, parts, run.scheduleId, `The export ${run.scheduleName} of ${run.period} ${what}`)

async function raiseFor(on: Queryable, parts: AlertParts, scheduleId: string, text: string): Promise<void> {
  const [schedule] = await query(on, merchantOfSchedule, [scheduleId])
  await alertStore(on, parts).raise({
    kind: 'export-failed',
    merchantId: schedule?.merchant ?? null,
    paymentId: null,
    text,
  })
}

async function openDueRun(vault: Vault, row: ClaimedColumns): Promise<DueRun> {
  const open = (sealed: Buffer) => vault.open(PLATFORM_SCOPE, 'export-target', sealed)
  const { url_sealed: url, secret_sealed: secret } = row
  return {
    id: row.id,
    scheduleId: row.schedule_id,
    scheduleName: row.name,
    kind: row.kind,
    period: row.period,
    repetition: row.repetition,
    attempts: row.attempts,
    addresses: url === null ? row.addresses.filter((address) => !row.delivered.includes(address)) : null,
    https: url === null || secret === null ? null : { url: await open(url), secret: await open(secret) },
  }
}
