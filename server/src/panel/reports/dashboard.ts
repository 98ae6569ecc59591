/** The dashboard: what happened in a time range, and what needs attention now. Chapter 50 §8. */
import type { Mode } from '#domain/merchant.ts'
import { dayMs } from '#domain/time.ts'
import { openRisks } from '../../store/instance/open-risks.ts'
import { findBeginningOfNewest } from '../../store/payments/newest-payments.ts'
import { type FigureKind, type FigureRow, readPaymentFigures } from '../../store/payments/payment-figures.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import type { PanelContext } from '../panel-context.ts'
import { midNamed } from '../payments/payments.ts'

const hourlyUpTo = 3 * dayMs
const dailyUpTo = 92 * dayMs
/** The number that can be read without delay: the panel's first page must not wait for a year of a busy gateway. */
const paymentsCounted = 30_000
const longestNames = 20
const shownAtMost = 50
/** When the first alert about a certificate is raised. Chapter 50 §5, "Wallet jobs". */
const certificateDays = 60

export interface DashboardQuery {
  readonly from: Date
  readonly to: Date
  readonly merchantId: string | null
  readonly mode: Mode | null
}

/** Figures of sales and debits. A cascade counts as one payment, by its last attempt; for MIDs each attempt counts. */
interface Figures {
  readonly payments: number
  readonly approved: number
  readonly declined: number
  /** Not decided yet. */
  readonly open: number
  /** Share of decided payments that were approved; null if none is decided. */
  readonly approvalRate: number | null
  readonly authorisedMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly chargedBackMinor: bigint
  readonly currency: string
  readonly decimals: number
}

type NamedFigures = Figures & { readonly name: string | null }

export async function readFiguresFor(
  context: PanelContext,
  grant: Grant,
  wish: DashboardQuery & { readonly zone: string },
) {
  const { from, to, mode, zone } = wish
  const range = { from, to, mode, merchantIds: scopeOf(grant, wish.merchantId) }
  const begins = await context.reports.read((on) => findBeginningOfNewest(on, range, paymentsCounted))
  const countedFrom = begins ?? from
  const bucket = bucketOf(to.getTime() - countedFrom.getTime())
  const rows = await context.reports.read((on) => readPaymentFigures(on, { ...range, from: countedFrom, zone, bucket }))
  return {
    from,
    to,
    countedFrom,
    complete: begins === null,
    bucket,
    totals: ofKind(rows, 'total').map(figuresOf),
    overTime: inOrder(ofKind(rows, 'time')).map((row) => ({ ...figuresOf(row), at: row.at ?? countedFrom })),
    payoutsOverTime: inOrder(ofKind(rows, 'payouts')).map((row) => movedAt(row, row.at ?? countedFrom)),
    transfersOverTime: inOrder(ofKind(rows, 'transfers')).map((row) => movedAt(row, row.at ?? countedFrom)),
    namesTotal: {
      byMid: namesIn(ofKind(rows, 'mid')),
      byNetwork: namesIn(ofKind(rows, 'network')),
      byWallet: namesIn(ofKind(rows, 'wallet')),
      byCountry: namesIn(ofKind(rows, 'country')),
      byDeclineReason: namesIn(ofKind(rows, 'reason')),
    },
    byMid: largest(ofKind(rows, 'mid')).map((row) => ({ ...row, midName: midNamed(context, row.name) })),
    byNetwork: largest(ofKind(rows, 'network')),
    byWallet: largest(ofKind(rows, 'wallet')),
    byCountry: largest(ofKind(rows, 'country')),
    byDeclineReason: largest(ofKind(rows, 'reason')),
    byKind: ofKind(rows, 'flow').map(kindFiguresOf),
  }
}

export async function readRisksFor(context: PanelContext, grant: Grant, merchantId: string | null) {
  const now = context.clock.now()
  const risks = openRisks(context.pool, scopeOf(grant, merchantId), shownAtMost)
  const [callbacks, unknownOutcomes, certificates, domains] = await Promise.all([
    risks.countCallbacks(now),
    risks.readUnknownOutcomes(),
    risks.listCertificates(new Date(now.getTime() + certificateDays * dayMs)),
    risks.listDomains(),
  ])
  const daysLeft = (until: Date): number => Math.floor((until.getTime() - now.getTime()) / dayMs)
  return {
    now,
    callbacks,
    unknownOutcomes,
    certificates: certificates.map((one) => ({ ...one, daysLeft: daysLeft(one.until) })),
    domains,
  }
}

/** Null means all merchants; an empty list if the merchant is not the caller's. */
export function scopeOf(grant: Grant, merchantId: string | null): readonly string[] | null {
  if (merchantId !== null) return reaches(grant, merchantId) ? [merchantId] : []
  return grant.merchants === 'all' ? null : [...grant.merchants]
}

function bucketOf(rangeMs: number): 'hour' | 'day' | 'week' {
  if (rangeMs <= hourlyUpTo) return 'hour'
  return rangeMs <= dailyUpTo ? 'day' : 'week'
}

const ofKind = (rows: readonly FigureRow[], kind: FigureKind): readonly FigureRow[] =>
  rows.filter((row) => row.kind === kind)

const inOrder = (rows: readonly FigureRow[]): readonly FigureRow[] =>
  rows.toSorted((one, other) => Number(one.at) - Number(other.at))

/** Adds up what was paid out or transferred in one step of time. */
const movedAt = ({ currency, decimals, capturedMinor: amountMinor }: FigureRow, at: Date) => ({
  at,
  currency,
  decimals,
  amountMinor,
})

const namesIn = (rows: readonly FigureRow[]): number => new Set(rows.map(({ name }) => name)).size

/** The names with the most payments in all currencies: amounts of different currencies cannot be compared. */
function largest(rows: readonly FigureRow[]): readonly NamedFigures[] {
  const counts = new Map<string | null, number>()
  for (const { name, payments } of rows) counts.set(name, (counts.get(name) ?? 0) + payments)
  const rank = (name: string | null): number => counts.get(name) ?? 0
  const names = [...counts.keys()].toSorted((one, other) => rank(other) - rank(one)).slice(0, longestNames)
  return rows
    .filter(({ name }) => names.includes(name))
    .toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name) || other.payments - one.payments)
    .map((row) => ({ ...figuresOf(row), name: row.name }))
}

/** Every kind by itself, payouts and transfers included. `amountMinor` is what was captured, paid out or transferred. */
function kindFiguresOf(row: FigureRow) {
  const { authorisedMinor: _, capturedMinor: amountMinor, ...figures } = figuresOf(row)
  return { ...figures, kind: row.name ?? '', amountMinor }
}

function figuresOf(row: FigureRow): Figures {
  const { payments, approved, declined, authorisedMinor, capturedMinor, refundedMinor } = row
  const { chargedBackMinor, currency, decimals } = row
  const decided = approved + declined
  const approvalRate = decided === 0 ? null : approved / decided
  const open = payments - decided
  return {
    payments,
    approved,
    declined,
    open,
    approvalRate,
    authorisedMinor,
    capturedMinor,
    refundedMinor,
    chargedBackMinor,
    currency,
    decimals,
  }
}
