/** Books monthly fees and releases reserves when their day has come. Chapter 70 §3. */
import type { Clock, Ids, Log } from '../contracts/ports.ts'
import type { DueWork } from './due-work.ts'
import { runStatementJob } from './statement-job.ts'

interface ChargeParts {
  readonly book: (now: Date) => Promise<number>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const pollMs = 10 * 60_000

/** No lease: an entry that another worker has booked is not booked again. */
export function runPeriodicCharges({ book, ...parts }: ChargeParts): DueWork {
  return runStatementJob({ name: 'periodic-charges', execute: book, pollMs, ...parts })
}
