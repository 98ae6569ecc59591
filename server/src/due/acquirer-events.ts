/**
 * Enters the events of acquirers' notifications. Chapter 60 §2.
 *
 * Notifications come in any order, and sooner than our own record is written: an event about a transaction that is not there yet, or whose
 * answer is still awaited, is tried again. An event that fits no transaction for a day is reported to the operator, unless nothing may have happened
 * here: an acquirer reports the end of a dispute that took no money, too.
 */
import { dayMs } from '#domain/time.ts'
import type { AcquirerEvents, DueEvent } from '../contracts/notification-ports.ts'
import { enterEvent } from '../payments/commands/acquirer-event.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'
import { paymentOfEvent, traceWork } from './job.ts'

/** Above the duration of one exchange, so that a lease expires only if its process is dead. */
const leaseSeconds = 90
const firstPauseMs = 1000
const longestPauseMs = 3_600_000

export function runAcquirerEvents(deps: Deps, events: AcquirerEvents): DueWork {
  return runDueWork({
    name: 'acquirer-events',
    claim: (limit) => events.claim(deps.clock.now(), limit, leaseSeconds),
    run: traceWork(
      deps,
      'acquirer-events',
      ({ event }) => paymentOfEvent(event),
      (due: DueEvent) => enterDue(deps, events, due),
    ),
    // As many as are read and ended by one statement.
    concurrency: 64,
    ids: deps.ids,
    log: deps.log,
  })
}

async function enterDue(deps: Deps, events: AcquirerEvents, due: DueEvent): Promise<void> {
  const entry = await enterEvent(deps, due.midId, due.event, due)
  if (entry.kind === 'entered') return events.recordEntered(due)
  const now = deps.clock.now()
  if (now.getTime() - due.receivedAt.getTime() < dayMs) {
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(due.tries - 1, 20))
    return events.postpone(due, new Date(now.getTime() + pauseMs), entry.reason)
  }
  if (!entry.isFault) return events.recordEntered(due)
  await deps.alerts.raise({
    kind: 'acquirer-event',
    merchantId: null,
    paymentId: null,
    text: `The ${due.event.kind} ${due.event.reference} could not be entered: ${entry.reason} Look at payment ${due.event.paymentId ?? 'of that reference'} at the acquirer.`,
  })
  await events.fail(due, entry.reason)
}
