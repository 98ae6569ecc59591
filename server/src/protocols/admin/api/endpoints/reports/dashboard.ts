/** The dashboard: figures, open tasks, and the state of the money checks. Chapter 50 §8. */

import { z } from 'zod'
import { addDays, dayIn, instantAt, isZone } from '#domain/schedule/day.ts'
import { dayMs } from '#domain/time.ts'
import { invalid } from '../../../../../panel/admin-refused.ts'
import type { PanelContext } from '../../../../../panel/panel-context.ts'
import { readMoneyChecksFor } from '../../../../../panel/payments/money-checks.ts'
import { type DashboardQuery, readFiguresFor, readRisksFor } from '../../../../../panel/reports/dashboard.ts'
import { readReportSource } from '../../../../../panel/reports/report-source.ts'
import { type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { id, instant, instantInput, minor } from '../../values.ts'

const usualDays = 7
const longestDays = 400

const range = {
  from: instantInput.optional(),
  to: instantInput.optional(),
  merchantId: z.uuid().optional(),
  test: z.enum(['true', 'false']).optional(),
  zone: z.string().refine(isZone, 'Enter a time zone such as Europe/Paris.').default('UTC'),
}

const figures = z.object({
  payments: z.number(),
  approved: z.number(),
  declined: z.number(),
  open: z.number(),
  approvalRate: z.number().nullable(),
  authorisedMinor: minor,
  capturedMinor: minor,
  refundedMinor: minor,
  chargedBackMinor: minor,
  currency: z.string(),
  decimals: z.number(),
})
const namedFigures = z.array(figures.extend({ name: z.string().nullable() })).readonly()
/** Adds up what was paid out or transferred in one step of time. */
const moved = z
  .array(z.object({ at: instant, currency: z.string(), decimals: z.number(), amountMinor: minor }))
  .readonly()
const wallet = z.string()

export const dashboardEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/dashboard',
    summary:
      'Returns payments, approval rate and amounts of a time range: in total, over time, and by attribute, of sales and debits; payouts and transfers by kind. A cascade counts once, by its last attempt, except by MID. Above the limit only the newest payments are counted.',
    access: 'dashboard.read',
    query: range,
    output: z.object({
      from: instant,
      to: instant,
      /** The start of the counted period: later than requested if the period has too many payments. */
      countedFrom: instant,
      complete: z.boolean(),
      bucket: z.enum(['hour', 'day', 'week']),
      totals: z.array(figures).readonly(),
      overTime: z.array(figures.extend({ at: instant })).readonly(),
      payoutsOverTime: moved,
      transfersOverTime: moved,
      /** How many names there are in all currencies; each list has at most the 20 with the most payments. */
      namesTotal: z.object({
        byMid: z.number(),
        byNetwork: z.number(),
        byWallet: z.number(),
        byCountry: z.number(),
        byDeclineReason: z.number(),
      }),
      /** By the MID's id. Attempts of a cascade are counted separately, because each has its own MID. */
      byMid: z.array(figures.extend({ name: z.string().nullable(), midName: z.string().nullable() })).readonly(),
      byNetwork: namedFigures,
      byWallet: namedFigures,
      byCountry: namedFigures,
      byDeclineReason: namedFigures,
      /** Every kind by itself: sale, debit, credit (payout), transfer. All other figures are of sales and debits. */
      byKind: z
        .array(
          figures.omit({ authorisedMinor: true, capturedMinor: true }).extend({ kind: z.string(), amountMinor: minor }),
        )
        .readonly(),
    }),
    run: ({ query }, { context, grant }) =>
      readFiguresFor(context, grant, { ...readWish(context, query), zone: query.zone }),
  }),
  queryEndpoint({
    path: '/reports/source',
    summary: 'Returns whether searches, figures and exports come from a read replica, and how old they are.',
    access: 'dashboard.read',
    output: z.object({
      source: z.enum(['primary', 'replica']),
      /** Of the replica; null if the primary answers. */
      secondsBehind: z.number().nullable(),
      /** For people; null on an instance without a replica. */
      sentence: z.string().nullable(),
    }),
    run: (_, { context }) => readReportSource(context),
  }),
  queryEndpoint({
    path: '/dashboard/risks',
    summary: 'Returns what needs attention: waiting and failed callbacks, unknown outcomes, certificates and domains.',
    access: 'dashboard.read',
    query: { merchantId: z.uuid().optional() },
    output: z.object({
      now: instant,
      callbacks: z.object({ waiting: z.number(), late: z.number(), failed: z.number() }),
      unknownOutcomes: z.object({
        count: z.number(),
        oldest: z.array(z.object({ merchantId: id, paymentId: id, type: z.string(), since: instant })).readonly(),
      }),
      certificates: z
        .array(
          z.object({
            merchantId: id,
            mode: z.string(),
            wallet,
            role: z.string(),
            fingerprint: z.string(),
            until: instant,
            daysLeft: z.number(),
          }),
        )
        .readonly(),
      domains: z
        .array(
          z.object({
            merchantId: id,
            wallet,
            domain: z.string(),
            state: z.string(),
            lastFault: z.string().nullable(),
            lastCheck: instant.nullable(),
          }),
        )
        .readonly(),
    }),
    run: ({ query: { merchantId } }, { context, grant }) => readRisksFor(context, grant, merchantId ?? null),
  }),
  queryEndpoint({
    path: '/dashboard/money',
    summary: 'Returns the result of each reconciliation check, with the payments that fail it.',
    access: 'dashboard.read',
    query: range,
    output: z.object({
      ok: z.boolean(),
      checkedPayments: z.number(),
      complete: z.boolean(),
      checks: z
        .array(
          z.object({
            name: z.string(),
            title: z.string(),
            ok: z.boolean(),
            against: z.string(),
            /** How old what was compared is; null if it is read with each answer. */
            asOf: instant.nullable(),
            checked: z.number(),
            /** Live MIDs in use without an acquirer's record (`at` null) or with an old one: the first of `gapCount`. */
            gaps: z.array(z.object({ midName: z.string(), at: instant.nullable() })).readonly(),
            gapCount: z.number(),
            /** Why it was not compared, in which case `ok` is false; null if it was. */
            failure: z.string().nullable(),
            offending: z
              .array(
                z.object({
                  merchantId: id.nullable(),
                  paymentId: id.nullable(),
                  text: z.string(),
                  difference: z.object({ kind: z.string(), day: z.string() }).nullable(),
                  statements: z
                    .object({ currency: z.string(), lastDay: z.string(), statementsMinor: minor, ledgerMinor: minor })
                    .nullable(),
                }),
              )
              .readonly(),
          }),
        )
        .readonly(),
    }),
    run: ({ query }, { context, grant }) => readMoneyChecksFor(context, grant, readWish(context, query)),
  }),
]

interface RangeQuery {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly merchantId?: string | undefined
  readonly test?: 'true' | 'false' | undefined
  readonly zone: string
}

/** Without a range in the query: the last seven days of the zone, of which today is one. */
function readWish({ clock }: PanelContext, { from, to, merchantId, test, zone }: RangeQuery): DashboardQuery {
  const end = to ?? new Date(clock.now().getTime() + 1)
  const begin = from ?? startOfDay(addDays(dayIn(new Date(end.getTime() - 1), zone), 1 - usualDays), zone)
  if (begin >= end) throw invalid('to', 'The end must be after the start.')
  if (end.getTime() - begin.getTime() > longestDays * dayMs)
    throw invalid('from', `Select at most ${longestDays} days.`)
  return {
    from: begin,
    to: end,
    merchantId: merchantId ?? null,
    mode: test === undefined ? null : test === 'true' ? 'test' : 'live',
  }
}

const startOfDay = (date: string, zone: string): Date => instantAt(`${date} 00:00:00`, zone)
