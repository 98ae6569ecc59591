/**
 * Writes and sends the files of scheduled exports, at least once: if a process dies between the receiver's answer and its record, the same
 * file is sent again under the same idempotency key. Chapter 70 §5.
 */

import { exportFileName } from '#domain/export/export-file-name.ts'
import { exportLimits } from '#domain/export/export-limits.ts'
import { dayMs } from '#domain/time.ts'
import type { DueRun, DueRuns, ExportFile, ExportSender, WrittenFile } from '../../contracts/exports/export-ports.ts'
import type { Clock, Ids, Log } from '../../contracts/ports.ts'
import type { MailSender } from '../../mail/mail.ts'
import { type DueWork, runDueWork } from '../due-work.ts'
import { nextSend } from '../next-send.ts'

interface ExportParts {
  readonly runs: DueRuns
  /** Writes the file at the first attempt, and reads it at later ones. */
  readonly writeFile: (run: DueRun) => Promise<WrittenFile>
  readonly sender: ExportSender
  /** Null without a mail server. */
  readonly mail: MailSender | null
  readonly panelUrl: () => string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Above the time that a file takes to be written and sent to all addresses, so that a lease expires only if its process is dead. */
const leaseSeconds = 900
const pollMs = 5000
/** One file at a time, because it is in memory while it is sent; one more may be claimed, so that a slow receiver does not look like a stalled worker. */
const concurrency = 2

export function runExports(parts: ExportParts): DueWork {
  const { runs, clock, ids, log, sender, mail } = parts
  return runDueWork({
    name: 'exports',
    claim: async (limit) => (limit < concurrency ? [] : runs.claim(clock.now(), 1, leaseSeconds)),
    run: (run) => perform(parts, run),
    concurrency,
    pollMs,
    ids,
    log,
    close: async () => {
      mail?.close()
      await sender.close()
    },
  })
}

async function perform(parts: ExportParts, run: DueRun): Promise<void> {
  const { runs, clock } = parts
  const written = await parts.writeFile(run).catch((error: unknown) => {
    parts.log.error({ err: error, scheduleId: run.scheduleId }, 'The file of a scheduled export could not be written.')
    return null
  })
  if (written === null) return postpone(parts, run, 'The file could not be written. The log says why.')
  if (written.kind !== 'file') {
    const fault = { at: clock.now(), text: written.reason }
    return written.kind === 'refused'
      ? runs.recordRefused(run, fault)
      : runs.recordFailed(run, { ...fault, nextAt: null })
  }
  const fault = await deliver(parts, run, written.file)
  if (fault !== null) return postpone(parts, run, fault)
  await runs.recordSent(run, clock.now())
  await runs.sweep(clock.now())
}

async function postpone({ runs, clock, log }: ExportParts, run: DueRun, text: string): Promise<void> {
  const at = clock.now()
  const nextAt = nextSend(run.attempts, at)
  log.warn(
    { scheduleId: run.scheduleId, attempts: run.attempts + 1 },
    nextAt === null ? 'A scheduled export was given up after all attempts.' : 'A scheduled export could not be sent.',
  )
  await runs.recordFailed(run, { at, text, nextAt })
}

/** Null if every receiver has accepted the file. */
async function deliver(parts: ExportParts, run: DueRun, file: ExportFile): Promise<string | null> {
  if (run.addresses === null) return parts.sender.send(run, file, parts.clock.now())
  if (parts.mail === null) return 'This instance sends no e-mail: SMTP_URL is not set.'
  let refused = 0
  for (const address of run.addresses) {
    if (await isMailed(parts.mail, mailOf(parts, run, { address, file })))
      await parts.runs.recordDelivered(run, address)
    else refused += 1
  }
  return refused === 0
    ? null
    : `The mail server did not accept the e-mail to ${refused} of ${run.addresses.length} addresses.`
}

/** The address is personal data and is not logged. */
const isMailed = (mail: MailSender, message: Parameters<MailSender['send']>[0]): Promise<boolean> =>
  mail.send(message).then(
    () => true,
    () => false,
  )

function mailOf(
  { panelUrl }: ExportParts,
  run: DueRun,
  { address, file }: { readonly address: string; readonly file: ExportFile },
): Parameters<MailSender['send']>[0] {
  const isAttached = file.content.length <= exportLimits.attachedBytes
  const days = exportLimits.keptMs / dayMs
  const where = isAttached
    ? 'The file is attached.'
    : `The file is too large for an e-mail. Download it within ${days} days: ${panelUrl()}/admin/export-schedules?schedule=${run.scheduleId}`
  return {
    to: address,
    subject: `${run.scheduleName}: ${run.kind} of ${run.period}`,
    text: `${run.kind} of ${run.period}: ${file.rowCount} ${file.rowCount === 1n ? 'row' : 'rows'}.\n${where}\n`,
    attachment: isAttached
      ? { name: exportFileName(run.kind, run.period), type: 'text/csv', content: file.content }
      : undefined,
  }
}
