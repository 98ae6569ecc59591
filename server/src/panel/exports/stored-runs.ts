/** The runs of a scheduled export as people see them, and their files. Chapter 70 §5. */
import { exportFileName } from '#domain/export/export-file-name.ts'
import { dayIn, isZone } from '#domain/schedule/day.ts'
import { exportFileStore } from '../../store/exports/export-files.ts'
import { type ExportRunRow, exportRunStore } from '../../store/exports/export-runs.ts'
import { notFound } from '../admin-refused.ts'
import type { AdminContext } from '../context.ts'
import { requireScheduleFor, type SchedulePlace, type Viewer } from './export-schedules.ts'

interface ShownRun extends ExportRunRow {
  /** A day in the middle of the period: asking for it asks for the same period, also if the time zone was changed. */
  readonly day: string
}

/** Newest first. */
export async function listRuns(
  context: AdminContext,
  { viewer, id }: SchedulePlace,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly ShownRun[]> {
  const { timeZone } = await requireScheduleFor(context, viewer, id)
  const zone = isZone(timeZone) ? timeZone : 'UTC'
  const middleOf = ({ periodFrom, periodTo }: ExportRunRow) => new Date((periodFrom.getTime() + periodTo.getTime()) / 2)
  const runs = await exportRunStore(context.pool).list(id, before, limit)
  return runs.map((run) => ({ ...run, day: dayIn(middleOf(run), zone) }))
}

/** For a person who may see all merchants whose data it has; it may have been written when its owner had more. */
export async function readStoredFile(
  context: AdminContext,
  { viewer, id }: SchedulePlace,
  runId: string,
): Promise<{ readonly fileName: string; readonly parts: AsyncIterable<string> }> {
  const { kind } = await requireScheduleFor(context, viewer, id)
  const run = await exportRunStore(context.pool).find(id, runId)
  if (run === null || run.fileId === null || !run.isStored || !reachesAll(viewer, run)) throw notFound()
  const parts = openTexts(exportFileStore(context.pool).parts(run.fileId))
  return { fileName: exportFileName(kind, run.period), parts }
}

function reachesAll(viewer: Viewer, { merchants }: ExportRunRow): boolean {
  if (viewer === 'everyone') return true
  const own = viewer.grant.merchants
  return own === 'all' || merchants?.every((one) => own.has(one)) === true
}

/** A part ends with a line, and so never within a character. */
async function* openTexts(parts: AsyncIterable<Buffer>): AsyncIterable<string> {
  for await (const part of parts) yield part.toString('utf8')
}
