/** Exports that are written and sent by a schedule. A caller sees the own ones, and with all merchants those of everyone. Chapter 70 §5. */
import { z } from 'zod'
import { exportPeriods } from '#domain/export/export-period.ts'
import { isDay } from '#domain/schedule/day.ts'
import { readGrant } from '../../../../../panel/access/users.ts'
import {
  changeExportSchedule,
  createExportSchedule,
  exportTargets,
  listSchedulesFor,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
  runSchedule,
} from '../../../../../panel/exports/export-schedules.ts'
import { listRuns, readStoredFile } from '../../../../../panel/exports/stored-runs.ts'
import { scheduledColumnNames } from '../../../../../panel/reports/exported-rows.ts'
import { exportKinds } from '../../../../../panel/reports/exports.ts'
import { type Caller, changeEndpoint, downloadEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { anything, doneAnswer, doneOutput, emptyBody, id, instant, minor, pageLimit, textInput } from '../../values.ts'
import { requireExportFilter } from './export-filter.ts'

const shownSchedule = z.object({
  id,
  name: z.string(),
  ownerEmail: z.string(),
  kind: z.enum(exportKinds),
  filter: anything,
  columns: z.array(z.string()).readonly(),
  period: z.enum(exportPeriods),
  timeZone: z.string(),
  /** Minutes since midnight in the time zone, on the day after the period. */
  minuteOfDay: z.number(),
  targetKind: z.enum(exportTargets),
  /** Empty for an HTTPS address. */
  addresses: z.array(z.string()).readonly(),
  /** E-mail addresses, or the host of a web address, whose path is secret. */
  shownTarget: z.string(),
  pausedAt: instant.nullable(),
  /** Why the service paused it; null if a person did. */
  pauseReason: z.string().nullable(),
  nextAt: instant,
  lastState: z.string().nullable(),
})

const shownRun = z.object({
  id,
  period: z.string(),
  /** One of its days, for a further run. */
  day: z.string(),
  /** 0 for the run of the schedule; further ones were asked for. */
  repetition: z.number(),
  periodFrom: instant,
  periodTo: instant,
  state: z.enum(['waiting', 'sent', 'failed', 'refused']),
  askedBy: z.string().nullable(),
  attempts: z.number(),
  nextAt: instant,
  rowCount: minor.nullable(),
  byteCount: minor.nullable(),
  /** Whether the file can be downloaded. */
  isStored: z.boolean(),
  fault: z.string().nullable(),
  createdAt: instant,
  endedAt: instant.nullable(),
})

const wishes = z.strictObject({
  name: textInput(100),
  kind: z.enum(exportKinds),
  /** As in `POST /exports`, without `from` and `to`. */
  filter: z.record(z.string().max(64), z.string().max(255)),
  columns: z.array(z.string().max(64)).max(100),
  period: z.enum(exportPeriods),
  timeZone: textInput(64),
  minuteOfDay: z.int().min(0).max(1439),
  target: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('mail'), addresses: z.array(textInput(254)).max(100) }),
    /** Without `url` the address stays. */
    z.strictObject({ kind: z.literal('https'), url: textInput(1024).optional() }),
  ]),
})

const withSecret = z.object({ schedule: shownSchedule, secret: z.string().nullable() })

export const exportScheduleEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/export-schedules',
    summary: 'Lists the scheduled exports, and the columns that files can have.',
    access: 'payments.export',
    output: z.object({
      schedules: z.array(shownSchedule).readonly(),
      columns: z.object({ payments: z.array(z.string()).readonly(), transactions: z.array(z.string()).readonly() }),
      sendsMail: z.boolean(),
    }),
    run: async (_, caller) => ({
      schedules: await listSchedulesFor(caller.context, viewerOf(caller)),
      columns: { payments: scheduledColumnNames('payments'), transactions: scheduledColumnNames('transactions') },
      sendsMail: caller.context.sendsMail,
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/export-schedules',
    summary: 'Schedules an export; the secret that signs what an HTTPS address receives is shown once.',
    access: 'payments.export',
    stepUp: true,
    body: wishes,
    output: withSecret,
    run: async ({ body }, { context, actor, user, grant }) => {
      requireExportFilter(context, body.filter)
      const owner = { id: user.id, email: user.email, grant }
      const { schedule, secret } = await createExportSchedule(context, actor, owner, body)
      return { answer: { schedule, secret: secret?.reveal() ?? null }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/export-schedules/:exportScheduleId',
    summary: 'Changes a scheduled export; a new HTTPS address gets a new signing secret.',
    access: 'payments.export',
    stepUp: true,
    body: wishes,
    output: withSecret,
    run: async ({ params: { exportScheduleId }, body }, caller) => {
      const { context, actor } = caller
      requireExportFilter(context, body.filter)
      const readOwner = (ownerId: string) => readGrant(context, ownerId)
      const place = { ...placeOf(caller, exportScheduleId), readOwner }
      const { schedule, secret } = await changeExportSchedule(context, actor, place, body)
      return { answer: { schedule, secret: secret?.reveal() ?? null }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/export-schedules/:exportScheduleId/pause',
    summary: 'Pauses a scheduled export.',
    access: 'payments.export',
    body: emptyBody,
    output: shownSchedule,
    run: async ({ params: { exportScheduleId } }, caller) => ({
      answer: await pauseSchedule(caller.context, caller.actor, placeOf(caller, exportScheduleId)),
      audit: 'written',
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/export-schedules/:exportScheduleId/resume',
    summary: 'Resumes a scheduled export; missed periods are not run automatically.',
    access: 'payments.export',
    body: emptyBody,
    output: shownSchedule,
    run: async ({ params: { exportScheduleId } }, caller) => ({
      answer: await resumeSchedule(caller.context, caller.actor, placeOf(caller, exportScheduleId)),
      audit: 'written',
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/export-schedules/:exportScheduleId/run',
    summary: 'Runs the last period that is over, or the period of a day, also if it was run before.',
    access: 'payments.export',
    body: z.strictObject({ day: z.string().refine(isDay, 'Enter a day such as 2026-03-01.').optional() }),
    output: z.object({ period: z.string() }),
    run: async ({ params: { exportScheduleId }, body }, caller) => ({
      answer: {
        period: await runSchedule(caller.context, caller.actor, placeOf(caller, exportScheduleId), body.day),
      },
      audit: 'written',
    }),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/export-schedules/:exportScheduleId',
    summary: 'Removes a scheduled export with its runs and files.',
    access: 'payments.export',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { exportScheduleId } }, caller) => {
      await removeSchedule(caller.context, caller.actor, placeOf(caller, exportScheduleId))
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
  queryEndpoint({
    path: '/export-schedules/:exportScheduleId/runs',
    summary: 'Lists the runs of a scheduled export, newest first; the next page starts before the last id.',
    access: 'payments.export',
    query: { before: z.uuid().optional(), limit: pageLimit },
    output: z.object({ runs: z.array(shownRun).readonly() }),
    run: async ({ params: { exportScheduleId }, query: { before, limit } }, caller) => ({
      runs: await listRuns(caller.context, placeOf(caller, exportScheduleId), { before: before ?? null, limit }),
    }),
  }),
  downloadEndpoint({
    path: '/export-schedules/:exportScheduleId/runs/:exportRunId/content',
    summary: 'Downloads the stored file of a run.',
    access: 'payments.export',
    fileType: 'text/csv; charset=utf-8',
    run: ({ params: { exportScheduleId, exportRunId } }, caller) =>
      readStoredFile(caller.context, placeOf(caller, exportScheduleId), exportRunId),
  }),
]

const viewerOf = ({ user, grant }: Caller) => ({ userId: user.id, grant })

const placeOf = (caller: Caller, scheduleId: string) => ({ viewer: viewerOf(caller), id: scheduleId })
