/**
 * How long each kind of data is stored, and how often it is purged. Chapter 50 §5, "Retention".
 *
 * After its period data may be deleted, unless a running payment, a hold, a plan or a callback still needs it; it is then checked again
 * later. The ids of used wallet tokens are in no row of the table, because they are stored for ever (chapter 40 §13).
 */
import { limits } from './limits.ts'
import { riskLimits } from './risk/risk-limits.ts'
import type { RetryBudgets } from './routing/budget.ts'
import { dayMs as day, hourMs as hour } from './time.ts'

export const retainedKinds = [
  'idempotency keys',
  'typed cards',
  'limit counts',
  'trace numbers',
  'refused requests',
  'acquirer notifications',
  'card tries',
  'velocity',
  'sessions',
  'sign-ups',
  'payers',
  'cards',
] as const

export type RetainedKind = (typeof retainedKinds)[number]

/** The periods that an operator sets. */
export interface RetentionDays {
  readonly cards: number
  readonly payers: number
}

export interface RetentionPeriod {
  readonly keptMs: number
  readonly everyMs: number
}

/** An alert is raised if the coming month of payments has no part of its own this long before it begins. Chapter 80 §2. */
export const missingMonthMs = 7 * day

// biome-ignore format: a table is read in columns.
export const retention = (days: RetentionDays, budgets: RetryBudgets): Readonly<Record<RetainedKind, RetentionPeriod>> => ({
  // kind                 kept for                                  since                    looked through
  'idempotency keys':   { keptMs: limits.idempotency.keptMs,      /* the request */          everyMs: hour },
  'typed cards':        { keptMs: limits.retention.typedCardMs,   /* the session’s end */    everyMs: hour },
  'limit counts':       { keptMs: limits.retention.limitCountMs,  /* the period’s first day */ everyMs: day },
  'trace numbers':      { keptMs: limits.retention.traceNumberMs, /* the request */          everyMs: hour },
  'refused requests':   { keptMs: limits.refusedRequests.keptMs,  /* the request */          everyMs: hour },
  'acquirer notifications': { keptMs: limits.retention.notificationMs, /* its arrival */     everyMs: day },
  'card tries':         { keptMs: longestWindowMs(budgets),       /* the last try */         everyMs: day },
  'velocity':           { keptMs: riskLimits.velocityKeptMs,         /* the last payment */     everyMs: day },
  'sessions':           { keptMs: limits.retention.sessionMs,     /* the session’s end */    everyMs: day },
  'sign-ups':           { keptMs: day,                           /* its end */              everyMs: hour },
  'payers':             { keptMs: days.payers * day,              /* the last change */      everyMs: day },
  'cards':              { keptMs: days.cards * day,               /* the last use */         everyMs: 7 * day },
})

/** After the longest window a try no longer counts in any. */
function longestWindowMs(budgets: RetryBudgets): number {
  const windows = Object.values(budgets).flat()
  return Math.max(day, ...windows.map(({ withinMs }) => withinMs))
}
