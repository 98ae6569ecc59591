/** Analytics: approval rates by day and attribute, and how far payers of the hosted page came. Chapter 70 §6. */

import { z } from 'zod'
import { addDays } from '#domain/schedule/day.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import { invalid } from '../../../../../panel/admin-refused.ts'
import type { PanelContext } from '../../../../../panel/panel-context.ts'
import { attributes, readAnalyticsFor, readFunnelFor } from '../../../../../panel/reports/analytics.ts'
import { type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { dayInput, instant, minor } from '../../values.ts'

const usualDays = 30
const longestDays = 366

const range = {
  /** The first day and the last one, in UTC. */
  from: dayInput.optional(),
  to: dayInput.optional(),
  merchantId: z.uuid().optional(),
  test: z.enum(['true', 'false']).default('false'),
}

const counts = z.object({
  payments: z.number(),
  approved: z.number(),
  declined: z.number(),
  /** Of the decided ones; null if none is. */
  approvalRate: z.number().nullable(),
})
/** What was approved, each currency by itself. */
const amounts = z.array(z.object({ currency: z.string(), decimals: z.number(), approvedMinor: minor })).readonly()

export const analyticsEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/analytics',
    summary:
      'Returns payments and approval rates by day (UTC) and by the values of an attribute, compared with as many days before. Of sales and debits; a cascade counts once, by its last attempt, except by MID.',
    access: 'dashboard.read',
    query: {
      ...range,
      by: z.enum(attributes).default('mid'),
      /** Counts over time the payments with this value only; empty for those without one. */
      value: z.string().max(255).optional(),
    },
    output: z.object({
      from: z.string(),
      to: z.string(),
      /** In UTC, by the instance’s clock. */
      today: z.string(),
      before: z.object({ from: z.string(), to: z.string() }),
      countedUntil: instant.nullable(),
      /** False while the count is behind: newer payments are missing. */
      complete: z.boolean(),
      totals: counts.extend({ amounts }),
      totalsBefore: counts,
      overTime: z.array(counts.extend({ day: z.string(), rateBefore: z.number().nullable() })).readonly(),
      /** How many values there are. */
      rowsTotal: z.number(),
      /** The fifty values with the most payments; `name` is the name of a MID. */
      rows: z
        .array(counts.extend({ value: z.string(), name: z.string().nullable(), amounts, before: counts }))
        .readonly(),
    }),
    run: ({ query: { by, value, ...wish } }, { context, grant }) =>
      readAnalyticsFor(context, grant, { ...readRange(context, wish), by, value: value ?? null }),
  }),
  queryEndpoint({
    path: '/analytics/funnel',
    summary:
      'Returns how far the payers of hosted pages came: sessions, pages opened, attempts, challenges, payments, pages left.',
    access: 'dashboard.read',
    query: range,
    output: z.object({
      sessions: z.number(),
      /** By a payer’s browser. */
      opened: z.number(),
      attempted: z.number(),
      challenged: z.number(),
      paid: z.number(),
      /** Ended without a payment. */
      left: z.number(),
      /** False if only the newest sessions were counted. */
      complete: z.boolean(),
    }),
    run: ({ query }, { context, grant }) => readFunnelFor(context, grant, readRange(context, query)),
  }),
]

interface RangeQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly merchantId?: string | undefined
  readonly test: 'true' | 'false'
}

function readRange({ clock }: PanelContext, { from, to, merchantId, test }: RangeQuery) {
  const end = to ?? utcDay(clock.now())
  const begin = from ?? addDays(end, 1 - usualDays)
  if (begin > end) throw invalid('to', 'The last day must not be before the first.')
  if (Date.parse(end) - Date.parse(begin) > longestDays * dayMs)
    throw invalid('from', `Select at most ${longestDays} days.`)
  return {
    from: begin,
    to: end,
    merchantId: merchantId ?? null,
    mode: test === 'true' ? ('test' as const) : ('live' as const),
  }
}
