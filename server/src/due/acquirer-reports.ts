/**
 * Reads the events that acquirers report by themselves: chargebacks, expired holds, late decisions. Chapter 10 §6, §7.16, chapter 20 §6.3.
 *
 * The cursor advances after its events are entered, and an event that is read twice counts once, so that a crash loses nothing.
 */
import { limits } from '#domain/limits.ts'
import type { AcquirerCursor, AcquirerCursors } from '../contracts/ports.ts'
import { enterEvent } from '../payments/commands/acquirer-event.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'
import { paymentOfEvent, traceWork } from './job.ts'

type AcquirerEvent = Parameters<typeof enterEvent>[2]

/** Above the duration of a report and of entering its events, so that a lease expires only if its process is dead. */
const leaseSeconds = 120
const pollMs = 1000

export function runAcquirerReports(deps: Deps, cursors: AcquirerCursors): DueWork {
  return runDueWork({
    name: 'acquirer reports',
    claim: (limit) => cursors.claim(reportingMids(deps), deps.clock.now(), limit, leaseSeconds),
    run: (cursor) => readEvents(deps, cursors, cursor),
    concurrency: 4,
    pollMs,
    ids: deps.ids,
    log: deps.log,
  })
}

/** Includes disabled MIDs: disputes come months after the payment. */
const reportingMids = ({ configuration, acquirers }: Deps): readonly string[] =>
  configuration
    .mids()
    .filter(({ connector }) => acquirers.connector(connector)?.operations.has('events'))
    .map(({ id }) => id)

async function readEvents(deps: Deps, cursors: AcquirerCursors, { midId, cursor }: AcquirerCursor): Promise<void> {
  const acquirer = await deps.acquirers.find(midId)
  const report = await acquirer.events(cursor)
  const enter = traceWork(deps, 'acquirer-reports', paymentOfEvent, (event: AcquirerEvent) =>
    enterReported(deps, midId, event),
  )
  for (const event of report?.events ?? []) await enter(event)
  const waitMs = report?.more ? 0 : limits.worker.reportsEveryMs
  const nextAt = new Date(deps.clock.now().getTime() + waitMs)
  await cursors.keep({ midId, cursor: report?.cursor ?? cursor }, nextAt)
}

/** The cursor moves on, so that a dispute about an unknown payment is not read again. What decides an open transaction is asked for by the reconciler. */
async function enterReported(deps: Deps, midId: string, event: AcquirerEvent): Promise<void> {
  const entry = await enterEvent(deps, midId, event)
  if (entry.kind === 'entered' || !entry.isFault || event.kind === 'decided') return
  const text = `The ${event.kind} ${event.reference} could not be entered: ${entry.reason} Look at payment ${event.paymentId} at the acquirer.`
  await deps.alerts.raise({ kind: 'acquirer-event', merchantId: null, paymentId: null, text })
}
