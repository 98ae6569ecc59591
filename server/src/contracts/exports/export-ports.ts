/** Exports that are written and sent by a schedule, and the ports of the jobs that do it. Chapter 70 §5. */
import type { DuePeriod, ExportTimes } from '#domain/export/export-period.ts'
import type { Secret } from '#domain/secret.ts'

interface DueSchedule extends ExportTimes {
  readonly id: string
  /** The first day of the period that is due, `YYYY-MM-DD`. */
  readonly nextDay: string
}

export interface DueSchedules extends PlannedSchedules {
  /** Pauses one whose time zone is unknown, with an alert. */
  pauseForUnknownZone(schedule: DueSchedule): Promise<void>
}

export interface PlannedSchedules {
  list(now: Date, limit: number): Promise<readonly DueSchedule[]>
  /** Adds the run of a period, once, and moves the schedule on to the next; does nothing if another worker has moved it. */
  plan(schedule: DueSchedule, period: DuePeriod, next: DuePeriod): Promise<void>
}

/** A run whose file is to be written or sent. */
export interface DueRun {
  readonly id: string
  readonly scheduleId: string
  readonly scheduleName: string
  readonly kind: 'payments' | 'transactions'
  readonly period: string
  readonly repetition: number
  readonly attempts: number
  /** Mail addresses that still have to get the file; null for an HTTPS target. */
  readonly addresses: readonly string[] | null
  /** Null for mail. */
  readonly https: { readonly url: Secret<string>; readonly secret: Secret<string> } | null
}

export interface ExportFile {
  readonly rowCount: bigint
  readonly byteCount: bigint
  readonly content: Buffer
}

/** `refused`: the owner may no longer have this data. `too large`: a shorter period is needed. */
export type WrittenFile =
  | { readonly kind: 'file'; readonly file: ExportFile }
  | { readonly kind: 'refused' | 'too large'; readonly reason: string }

export interface DueRuns {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly DueRun[]>
  /** A mail server has accepted the file for this address. */
  recordDelivered(run: DueRun, address: string): Promise<void>
  recordSent(run: DueRun, at: Date): Promise<void>
  /** Null ends the run, with an alert. */
  recordFailed(run: DueRun, fault: RunFault & { readonly nextAt: Date | null }): Promise<void>
  /** Ends the run and pauses its schedule, with an alert. */
  recordRefused(run: DueRun, fault: RunFault): Promise<void>
  /** Removes files and runs that are no longer kept. */
  sweep(now: Date): Promise<void>
}

interface RunFault {
  readonly at: Date
  readonly text: string
}

/** Sends a file to an HTTPS target. */
export interface ExportSender {
  /** Null if it was accepted, else what went wrong. */
  send(run: DueRun, file: ExportFile, at: Date): Promise<string | null>
  close(): Promise<void>
}
