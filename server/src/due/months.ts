/**
 * Gives the coming months of payments parts of their own, and removes the months that retention lets go. Chapter 80 §2,
 * decisions/months#the-last-part-has-no-end.
 *
 * There are weeks of time for it, so a new process serves for ten minutes first. If a month is missing a week before it begins, an alert
 * says why; payments continue in the part before it.
 */

import { missingMonthMs } from '#domain/retention.ts'
import { dayMs } from '#domain/time.ts'
import type { Alerts, Clock, Ids, Log } from '../contracts/ports.ts'
import { type DueWork, runDueWork } from './due-work.ts'

interface PreparedMonths {
  readonly made: readonly Date[]
  readonly obstacle: string | null
  /** How many of the coming months have a part of their own. */
  readonly ahead: number
}

interface MonthParts {
  /** Null if another process does it. */
  readonly prepare: (now: Date) => Promise<PreparedMonths | null>
  /** Brings the figures for query plans up to date. */
  readonly analyse: () => Promise<unknown>
  /** Removes the oldest month if it may go; returns its name. */
  readonly remove: (now: Date) => Promise<string | null>
  readonly alerts: Alerts
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly pollMs?: number
}

const usualPollMs = 10 * 60_000

export function runMonths({
  prepare,
  analyse,
  remove,
  alerts,
  clock,
  ids,
  log,
  pollMs = usualPollMs,
}: MonthParts): DueWork {
  // By the monotonic clock: a poll between two rounds, such as after the test clock was moved, does nothing.
  let nextMs = performance.now() + pollMs
  let tendedAt: Date | null = null

  const makeMonths = async (now: Date): Promise<void> => {
    const months = await prepare(now)
    if (months === null) return
    for (const month of months.made) log.info({ part: nameOf(month) }, 'The month has a part of its own.')
    if (months.ahead > 0 || nextMonth(now).getTime() - now.getTime() > missingMonthMs) return
    const text = alertText(now, months.obstacle)
    await alerts.raise({ kind: 'month-missing', merchantId: null, paymentId: null, text, once: true })
  }

  /** Once a day, also by a clock that was set back, and at most one month: a removal reads it whole. */
  const tend = async (now: Date): Promise<void> => {
    if (tendedAt !== null && Math.abs(now.getTime() - tendedAt.getTime()) < dayMs) return
    tendedAt = now
    await analyse()
    const month = await remove(now)
    if (month !== null) log.info({ part: month }, 'A month of payments was removed.')
  }

  return runDueWork<'months'>({
    name: 'months',
    claim: async () => {
      if (performance.now() < nextMs) return []
      nextMs = performance.now() + pollMs
      return ['months']
    },
    run: async () => {
      await makeMonths(clock.now())
      await tend(clock.now())
    },
    concurrency: 1,
    pollMs,
    ids,
    log,
  })
}

const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
const nameOf = (month: Date): string => month.toISOString().slice(0, 7)

const reasons: Readonly<Record<string, string>> = {
  busy: 'Its tables were locked by other sessions at every attempt.',
  'rows beyond': 'Payments with identifiers of that month exist already; check the clocks of all machines.',
  claims: 'The claims of earlier payments are not written yet.',
}

const alertText = (now: Date, obstacle: string | null): string =>
  `The payments of ${nameOf(nextMonth(now))} have no part of their own. ${reasons[obstacle ?? ''] ?? 'No worker has prepared it.'}`
