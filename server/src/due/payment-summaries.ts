/** Keeps the summaries of payments, from which the page Analytics is read. Chapter 70 §6. */
import type { Clock, Ids, Log } from '../contracts/ports.ts'
import type { DueWork } from './due-work.ts'
import { runStatementJob } from './statement-job.ts'

interface SummaryParts {
  readonly summarise: (now: Date) => Promise<unknown>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const pollMs = 60_000

/** No lease: of two workers that look at the same time, one adds. */
export function runPaymentSummaries({ summarise, ...parts }: SummaryParts): DueWork {
  return runStatementJob({ name: 'payment-summaries', execute: summarise, pollMs, ...parts })
}
