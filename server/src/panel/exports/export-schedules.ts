/** Scheduled exports: created, changed, paused, run and removed at the panel and on the command line. Chapter 70 §5. */

import { exportLimits } from '#domain/export/export-limits.ts'
import { firstPeriodDueAfter, lastPeriodEndedAt, periodOf, readyAt } from '#domain/export/export-period.ts'
import { type Secret, secret } from '#domain/secret.ts'
import { utcText } from '#domain/time.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { exportRunStore } from '../../store/exports/export-runs.ts'
import { type ExportScheduleRow, exportScheduleStore } from '../../store/exports/export-schedules.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'
import type { Grant } from '../access/permissions.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { difference, note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'
import { scheduledColumnNames } from '../reports/exported-rows.ts'
import {
  requireMerchants,
  requireWishes,
  type ScheduleContext,
  type ScheduleWishes,
  shownUrl,
} from './schedule-wishes.ts'
import { requireKnownZone } from './unknown-zone.ts'

export { exportTargets } from '../../store/exports/export-schedules.ts'

/** Whose exports are meant: one's own, or with all merchants those of everyone; the command line sees all. */
export type Viewer = { readonly userId: string; readonly grant: Grant } | 'everyone'

interface ScheduleOwner {
  readonly id: string
  readonly email: string
  readonly grant: Grant
}

const seesAll = (viewer: Viewer): boolean => viewer === 'everyone' || viewer.grant.merchants === 'all'

export const listSchedulesFor = ({ pool }: AdminContext, viewer: Viewer): Promise<readonly ExportScheduleRow[]> =>
  exportScheduleStore(pool).list(viewer === 'everyone' || seesAll(viewer) ? null : viewer.userId)

/** One out of sight is answered like one that does not exist. */
export async function requireScheduleFor(
  { pool }: AdminContext,
  viewer: Viewer,
  id: string,
): Promise<ExportScheduleRow> {
  return visible(viewer, await exportScheduleStore(pool).find(id))
}

function visible(viewer: Viewer, row: ExportScheduleRow | null): ExportScheduleRow {
  const isVisible = row !== null && (viewer === 'everyone' || seesAll(viewer) || row.ownerId === viewer.userId)
  if (!isVisible) throw notFound()
  return row
}

/** The secret signs what an HTTPS target receives; it is shown once. */
export async function createExportSchedule(
  context: ScheduleContext,
  actor: Actor,
  owner: ScheduleOwner,
  wishes: ScheduleWishes,
): Promise<{ readonly schedule: ExportScheduleRow; readonly secret: Secret<string> | null }> {
  requireWishes(context, wishes)
  const { ids, clock, pool } = context
  if ((await exportScheduleStore(pool).list(owner.id)).length >= exportLimits.schedules)
    throw new AdminRefused('conflict', {
      message: `An owner can have at most ${exportLimits.schedules} scheduled exports. Remove one first.`,
    })
  const { target, ...terms } = wishes
  if (target.kind === 'https' && target.url === undefined) throw invalid('target', 'Enter the address of the receiver.')
  const now = clock.now()
  const first = firstPeriodDueAfter(wishes, now)
  const newTarget = await sealTarget(context, target, null)
  const schedule: ExportScheduleRow = {
    ...terms,
    ...newTarget.columns,
    id: ids.next(),
    ownerId: owner.id,
    ownerEmail: owner.email,
    columns: inOrder(wishes),
    merchants: requireMerchants(owner.grant, wishes.filter),
    pausedAt: null,
    pauseReason: null,
    nextDay: first.firstDay,
    nextAt: first.dueAt,
    createdAt: now,
    lastState: null,
  }
  await inTransaction(pool, async (client) => {
    await write({ ...context, pool: client }, schedule)
    await note(client, clock, actor, {
      ...subjectOf(schedule),
      action: 'export-schedule.create',
      after: showSchedule(schedule),
    })
  })
  return { schedule, secret: newTarget.secret }
}

/** Periods go on where they were; another kind of period begins with the one that becomes due next. */
export async function changeExportSchedule(
  context: ScheduleContext,
  actor: Actor,
  place: SchedulePlace & { readonly readOwner: (ownerId: string) => Promise<Grant | null> },
  wishes: ScheduleWishes,
): Promise<{ readonly schedule: ExportScheduleRow; readonly secret: Secret<string> | null }> {
  requireWishes(context, wishes)
  return changeSchedule(context, place, async (on, before) => {
    const grant = await place.readOwner(before.ownerId)
    if (grant === null) throw new AdminRefused('conflict', { message: 'The owner is disabled. Remove this export.' })
    const { target, ...terms } = wishes
    const next =
      wishes.period === before.period
        ? periodOf(wishes, before.nextDay)
        : firstPeriodDueAfter(wishes, context.clock.now())
    const newTarget = await sealTarget(context, target, before)
    const schedule: ExportScheduleRow = {
      ...before,
      ...terms,
      ...newTarget.columns,
      columns: inOrder(wishes),
      merchants: requireMerchants(grant, wishes.filter),
      nextDay: next.firstDay,
      nextAt: next.dueAt,
    }
    await write(on, schedule)
    const change = difference(showSchedule(before), showSchedule(schedule))
    await note(on.pool, context.clock, actor, { ...subjectOf(schedule), action: 'export-schedule.change', ...change })
    return { schedule, secret: newTarget.secret }
  })
}

export interface SchedulePlace {
  readonly viewer: Viewer
  readonly id: string
}

export const pauseSchedule = (context: AdminContext, actor: Actor, place: SchedulePlace): Promise<ExportScheduleRow> =>
  changeSchedule(context, place, async (on, before) => {
    if (before.pausedAt !== null) return before
    const schedule = { ...before, pausedAt: context.clock.now(), pauseReason: null }
    await exportScheduleStore(on.pool).put(schedule)
    await note(on.pool, context.clock, actor, { ...subjectOf(before), action: 'export-schedule.pause' })
    return schedule
  })

/** Periods that became due meanwhile are not exported automatically: a person can request them. */
export const resumeSchedule = (context: AdminContext, actor: Actor, place: SchedulePlace): Promise<ExportScheduleRow> =>
  changeSchedule(context, place, async (on, before) => {
    if (before.pausedAt === null) return before
    requireKnownZone(before)
    const now = context.clock.now()
    const next = before.nextAt > now ? periodOf(before, before.nextDay) : firstPeriodDueAfter(before, now)
    const schedule = { ...before, pausedAt: null, pauseReason: null, nextDay: next.firstDay, nextAt: next.dueAt }
    await exportScheduleStore(on.pool).put(schedule)
    await note(on.pool, context.clock, actor, { ...subjectOf(before), action: 'export-schedule.resume' })
    return schedule
  })

export const removeSchedule = (context: AdminContext, actor: Actor, place: SchedulePlace): Promise<void> =>
  changeSchedule(context, place, async (on, before) => {
    await exportScheduleStore(on.pool).remove(before.id)
    const entry = { ...subjectOf(before), action: 'export-schedule.remove', before: showSchedule(before) }
    await note(on.pool, context.clock, actor, entry)
  })

/** Runs the period of a day, or the last one that is over, now; also if it was run before. Returns the period's name. */
export const runSchedule = (
  context: AdminContext,
  actor: Actor,
  place: SchedulePlace,
  day: string | undefined,
): Promise<string> =>
  changeSchedule(context, place, async (on, schedule) => {
    requireKnownZone(schedule)
    const now = context.clock.now()
    const { label, from, to } = day === undefined ? lastPeriodEndedAt(schedule, now) : periodOf(schedule, day)
    if (readyAt(to) > now) {
      const text = `The period ${label} is not over. It can be exported from ${utcText(readyAt(to))}.`
      throw invalid('day', text)
    }
    const runs = exportRunStore(on.pool)
    if (await runs.isOpen(schedule.id, label))
      throw new AdminRefused('conflict', { message: `The export of ${label} is already under way.` })
    const id = context.ids.next()
    await runs.add({ id, scheduleId: schedule.id, period: label, from, to, askedBy: actor.label, at: now })
    const entry = { ...subjectOf(schedule), action: 'export-schedule.run', after: { period: label } }
    await note(on.pool, context.clock, actor, entry)
    return label
  })

type InTransaction = AdminContext & { readonly pool: Parameters<Parameters<typeof inTransaction>[1]>[0] }

/** Locks the schedule: neither a worker nor another person changes it meanwhile. */
const changeSchedule = <T>(
  context: AdminContext,
  { viewer, id }: SchedulePlace,
  work: (on: InTransaction, before: ExportScheduleRow) => Promise<T>,
): Promise<T> =>
  inTransaction(context.pool, async (client) => {
    const before = visible(viewer, await exportScheduleStore(client).lock(id))
    return work({ ...context, pool: client }, before)
  })

async function write({ pool }: AdminContext, schedule: ExportScheduleRow): Promise<void> {
  const store = exportScheduleStore(pool)
  if (await store.isNameTaken(schedule)) throw invalid('name', 'Another export of the same owner has this name.')
  await store.put(schedule)
}

/** A target that becomes HTTPS gets a new secret; one that stays HTTPS keeps its own. */
async function sealTarget(context: AdminContext, wish: ScheduleWishes['target'], before: ExportScheduleRow | null) {
  const seal = (value: Secret<string>) => context.vault.seal(PLATFORM_SCOPE, 'export-target', value)
  if (wish.kind === 'mail') {
    const addresses = [...new Set(wish.addresses)]
    const columns = { targetKind: 'mail', addresses, urlSealed: null, secretSealed: null } as const
    return { columns: { ...columns, shownTarget: addresses.join(', ') }, secret: null }
  }
  const isHttps = before?.targetKind === 'https'
  if (wish.url === undefined && !isHttps) throw invalid('target', 'Enter the address of the receiver.')
  const signing = isHttps ? null : secret(`whsec_${Buffer.from(context.ids.random(32), 'hex').toString('base64')}`)
  const columns = {
    targetKind: 'https' as const,
    addresses: [],
    urlSealed: wish.url === undefined ? (before?.urlSealed ?? null) : await seal(secret(wish.url)),
    secretSealed: signing === null ? (before?.secretSealed ?? null) : await seal(signing),
    shownTarget: wish.url === undefined ? (before?.shownTarget ?? '') : shownUrl(wish.url),
  }
  return { columns, secret: signing }
}

/** The file has its columns in one order, whatever the order of the choice. */
const inOrder = ({ kind, columns }: ScheduleWishes): readonly string[] =>
  scheduledColumnNames(kind).filter((name) => columns.includes(name))

const subjectOf = ({ id, merchants }: ExportScheduleRow) => ({
  subject: `export-schedule ${id}`,
  merchantId: merchants?.length === 1 ? (merchants[0] ?? null) : null,
})

/** Without what is sealed. */
function showSchedule({
  name,
  ownerEmail,
  kind,
  filter,
  columns,
  period,
  timeZone,
  minuteOfDay,
  ...row
}: ExportScheduleRow) {
  const { targetKind, shownTarget: target } = row
  return { name, owner: ownerEmail, kind, filter, columns, period, timeZone, minuteOfDay, targetKind, target }
}
