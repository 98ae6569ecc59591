/**
 * The file of a run, written once with the rights that its owner has at that time, and read again for every attempt to send it. It is stored
 * before it is sent, so that each attempt sends the same bytes, also after a crash. Chapter 70 §5.
 */
import { exportLimits } from '#domain/export/export-limits.ts'
import type { DueRun, ExportFile, WrittenFile } from '../../contracts/exports/export-ports.ts'
import type { Clock, Ids } from '../../contracts/ports.ts'
import type { JsonObject } from '../../contracts/records.ts'
import type { Pool } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { exportFileStore } from '../../store/exports/export-files.ts'
import { type ExportRunRow, endRefused, exportRunStore } from '../../store/exports/export-runs.ts'
import { type ExportScheduleRow, exportScheduleStore } from '../../store/exports/export-schedules.ts'
import { type Grant, may } from '../access/permissions.ts'
import { readGrant } from '../access/users.ts'
import { AdminRefused } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import { findPaymentsFor, interpretQuery, type PaymentQuery, type SearchContext } from '../payments/payments.ts'
import { readFileRows, scheduledHead } from '../reports/exported-rows.ts'
import { exportWorker } from './export-worker.ts'
import { listMovementPages } from './moved-rows.ts'

interface RunContext extends SearchContext {
  readonly pool: Pool
  readonly clock: Clock
  readonly ids: Ids
  /** Reads a stored filter by the schema of the search; throws a refusal. */
  readonly readFilter: (sent: JsonObject) => PaymentQuery
}

const rowsAtOnce = 1000

export async function writeRunFile(context: RunContext, { id, scheduleId }: DueRun): Promise<WrittenFile> {
  const schedule = await exportScheduleStore(context.pool).find(scheduleId)
  const run = await exportRunStore(context.pool).find(scheduleId, id)
  if (schedule === null || run === null) return { kind: 'refused', reason: 'The schedule was removed.' }
  const fault = rightsFault(await readGrant(context, schedule.ownerId), schedule)
  if (fault !== null) return { kind: 'refused', reason: fault }
  if (run.fileId !== null) return { kind: 'file', file: await readFile(context, run) }
  const query = understood(context, schedule)
  if (typeof query === 'string') return { kind: 'refused', reason: query }
  if (!(await writeFile(context, { schedule, run, query }))) return { kind: 'too large', reason: tooLarge }
  const written = await exportRunStore(context.pool).find(scheduleId, id)
  if (written === null) return { kind: 'refused', reason: 'The schedule was removed.' }
  return { kind: 'file', file: await readFile(context, written) }
}

const tooLarge = `The file is larger than ${exportLimits.fileBytes / 1024 / 1024} MB. Choose a shorter period, fewer columns or more filters.`

/** Null if the owner may have the data of all merchants that were agreed when the schedule was saved. */
function rightsFault(grant: Grant | null, { merchants, ownerEmail }: ExportScheduleRow): string | null {
  if (grant === null) return `The account of its owner ${ownerEmail} is disabled.`
  if (!may(grant, 'payments.export')) return `Its owner ${ownerEmail} may no longer export payments.`
  const own = grant.merchants
  const hasAll = own === 'all' || merchants?.every((id) => own.has(id)) === true
  return hasAll
    ? null
    : `Its owner ${ownerEmail} no longer has access to all of its merchants. Save it again, then resume it.`
}

/** The filter, or what it no longer means. */
function understood(context: RunContext, { filter }: ExportScheduleRow): PaymentQuery | string {
  try {
    const query = context.readFilter(filter)
    // Refused as in a search: its fields may be known, and still no search can be made of them.
    interpretQuery(context, query)
    return query
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error
    return `Its filter is no longer understood: ${error.fields.map(({ field, text }) => `${field}: ${text}`).join(' ')}`
  }
}

interface Writing {
  readonly schedule: ExportScheduleRow
  readonly run: ExportRunRow
  readonly query: PaymentQuery
}

/** False if it became too large. */
async function writeFile(context: RunContext, { schedule, run, query }: Writing): Promise<boolean> {
  const { pool, clock, ids } = context
  const files = exportFileStore(pool)
  const id = ids.next()
  let [part, rowCount, byteCount] = [0, 0n, 0n]
  const add = async (text: string): Promise<void> => {
    const content = Buffer.from(text)
    await files.addPart(id, part, content, clock.now())
    part += 1
    byteCount += BigInt(content.length)
  }
  await add(scheduledHead(schedule))
  for await (const rows of pagesOf(context, { schedule, run, query })) {
    if (rows.length > 0) await add(rows.join(''))
    rowCount += BigInt(rows.length)
    if (byteCount <= exportLimits.fileBytes) continue
    await files.remove(id)
    return false
  }
  await inTransaction(pool, async (client) => {
    const file = { id, rowCount, byteCount, merchants: schedule.merchants }
    if (!(await exportFileStore(client).give(run.id, file))) return exportFileStore(client).remove(id)
    const { name, ownerEmail, kind, filter, columns } = schedule
    await note(client, clock, exportWorker, {
      action: 'payment.export',
      subject: `export-schedule ${schedule.id}`,
      merchantId: null,
      after: { name, owner: ownerEmail, kind, filter, columns, period: run.period, rows: rowCount },
    })
  })
  return true
}

function pagesOf(context: RunContext, { schedule, run, query }: Writing): AsyncIterable<readonly string[]> {
  const { merchants, columns } = schedule
  const period = { from: run.periodFrom, to: run.periodTo }
  if (schedule.kind === 'payments') return paymentPages(context, schedule, { ...query, ...period })
  return listMovementPages(context, { merchants, columns, ...period, filter: interpretQuery(context, query) })
}

async function* paymentPages(
  context: RunContext,
  schedule: ExportScheduleRow,
  query: PaymentQuery,
): AsyncIterable<readonly string[]> {
  // Merchants that the owner got later are not part of it.
  const merchants = schedule.merchants === null ? 'all' : new Set(schedule.merchants)
  const grant: Grant = { permissions: new Set(['payments.export']), merchants }
  for (let before: string | undefined; ; ) {
    const page = await findPaymentsFor(context, grant, { ...query, before }, rowsAtOnce)
    yield await readFileRows(context, schedule, page)
    if (page.length < rowsAtOnce) return
    before = page.at(-1)?.id
  }
}

async function readFile({ pool }: RunContext, { fileId, rowCount, byteCount }: ExportRunRow): Promise<ExportFile> {
  const parts: Buffer[] = []
  if (fileId !== null) for await (const part of exportFileStore(pool).parts(fileId)) parts.push(part)
  return { rowCount: rowCount ?? 0n, byteCount: byteCount ?? 0n, content: Buffer.concat(parts) }
}

/** Pauses the schedule, with an alert and an entry of the audit log. */
export const refuseRun = (
  context: Pick<RunContext, 'pool' | 'clock' | 'ids'>,
  run: DueRun,
  fault: { readonly at: Date; readonly text: string },
): Promise<void> =>
  inTransaction(context.pool, async (client) => {
    if (!(await endRefused(client, context, run, fault))) return
    await note(client, context.clock, exportWorker, {
      action: 'export-schedule.pause',
      subject: `export-schedule ${run.scheduleId}`,
      merchantId: null,
      after: { reason: fault.text },
    })
  })
