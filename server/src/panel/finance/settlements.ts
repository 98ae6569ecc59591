/** Settlements at the panel: files, differences and days with the names that people know. */

import { setTimeout as sleep } from 'node:timers/promises'
import { exponentOf } from '#domain/money/money.ts'
import { isOverdue } from '#domain/payout/bank-comparison.ts'
import { addDays } from '#domain/schedule/day.ts'
import type { SettlementFormatName } from '#domain/settlement/settlement-format.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import { type Difference, type DifferenceFilter, differenceStore } from '../../store/finance/differences.ts'
import { type ReconciledDay, reconciledDays } from '../../store/finance/reconciled-days.ts'
import { endImport, readRunningImports } from '../../store/finance/running-imports.ts'
import { settlementStore } from '../../store/finance/settlements.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'
import { midNamed } from '../payments/payments.ts'
import { addMovements } from './difference-movement.ts'
import { addRequests } from './differences.ts'
import { type ImportEnd, watchEnd } from './import-end.ts'

/** What the command line has, too. */
export type SettlementContext = Pick<PanelContext, 'pool' | 'clock' | 'configuration'>

const withName = <Row extends { readonly midId: string }>(context: PanelContext, row: Row) => ({
  ...row,
  midName: midNamed(context, row.midId),
})

const withDecimals = <Row extends { readonly currency: string }>({ configuration }: SettlementContext, row: Row) => ({
  ...row,
  decimals: exponentOf(row.currency, configuration.cryptoCurrencies()) ?? 2,
})

export async function listSettlements(
  context: PanelContext,
  midId: string | null,
  before: string | null,
  limit: number,
) {
  return (await settlementStore(context.pool).list(midId, before, limit)).map((file) => withName(context, file))
}

export async function findSettlement(context: PanelContext, id: string) {
  const file = await settlementStore(context.pool).find(id)
  return file && withName(context, file)
}

export async function listRunningImports(context: PanelContext) {
  return (await readRunningImports(context.pool)).map((one) => withName(context, one))
}

/** Nothing of it is kept. */
export async function cancelImport({ pool }: PanelContext, importId: string): Promise<{ readonly midId: string }> {
  const found = (await readRunningImports(pool)).find((one) => one.importId === importId)
  if (found === undefined || !(await endImport(pool, importId)))
    throw new AdminRefused('conflict', { message: 'This import is not running any more.' })
  return found
}

export async function listDifferences(context: SettlementContext, filter: DifferenceFilter) {
  return readShownDifferences(context, await differenceStore(context.pool).list(filter))
}

/** Null if there is none with the id. */
export async function findDifference(context: PanelContext, id: string) {
  const difference = await differenceStore(context.pool).find(id)
  const [shown = null] = difference === null ? [] : await readShownDifferences(context, [difference])
  return shown
}

async function readShownDifferences(context: SettlementContext, differences: readonly Difference[]) {
  const moved = await addMovements(context.pool, differences)
  return (await addRequests(context, moved)).map((one) => ({
    ...withDecimals(context, one),
    midName: one.midId === null ? null : midNamed(context, one.midId),
  }))
}

const usualDays = 31
/** As many transactions as one answer counts, about: a day of a large instance, or the whole period of a small one. */
const enoughTransactions = 50_000
/** A MID without transactions is not looked for in years at once. */
const enoughDays = 92

/** The newest days of a period, and the rest of it if they are enough for one answer. */
export async function listReconciledDays(context: PanelContext, midId: string, from?: string, to?: string) {
  const today = utcDay(context.clock.now())
  const last = to ?? today
  const first = from ?? addDays(last, -usualDays)
  const days: ReconciledDay[] = []
  let begin = last
  for await (const portion of reconciledDays(context.pool, midId, first, last)) {
    days.push(...portion.days)
    begin = portion.from
    if (isEnough(days, Date.parse(last) - Date.parse(begin))) break
  }
  return {
    days: days.map((one) => ({
      ...withDecimals(context, one),
      overdue: one.outstandingSince !== null && isOverdue(one.outstandingSince, one.currency, today),
    })),
    next: begin > first ? { from: first, to: addDays(begin, -1) } : null,
  }
}

const isEnough = (days: readonly ReconciledDay[], lengthMs: number): boolean =>
  lengthMs >= enoughDays * dayMs || days.reduce((sum, { ours, theirs }) => sum + ours + theirs, 0) >= enoughTransactions

interface UploadTerms {
  readonly midId: string
  readonly name: string
  readonly format: SettlementFormatName
  /** The name under which the acquirer knows the MID. */
  readonly acquirerMid: string | null
}

/** A proxy may give up on an answer after a minute or two, and a browser after five. */
const restsAtMostMs = 45_000

const paceUntil = ({ signal }: ImportEnd) => ({
  isHurried: (): boolean => signal.aborted,
  pause: (ms: number): Promise<unknown> => sleep(ms, null, { signal }).catch(() => null),
})

/** The content is in base64. Null if there is no such MID. */
export function prepareUpload(
  context: PanelContext,
  { content, ...terms }: UploadTerms & { readonly content: string },
) {
  const bytes = Buffer.from(content, 'base64')
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  const named = namedUpload(context, terms)
  const end = watchEnd(context)
  return named && { ...named, open, end, pace: { ...paceUntil(end), restsAtMostMs } }
}

/** A file that arrives while it is imported. Null if there is no such MID. */
export function prepareArrivingUpload(
  context: PanelContext,
  { importId, ...terms }: UploadTerms & { readonly importId: string | null },
  { bytes, signal }: { readonly bytes: AsyncIterable<Uint8Array>; readonly signal: AbortSignal },
) {
  const named = namedUpload(context, terms)
  const end = watchEnd(context, signal)
  return named && { ...named, importId, open: () => bytes, arrives: true as const, end, pace: paceUntil(end) }
}

function namedUpload({ configuration }: PanelContext, { midId, name, format, acquirerMid }: UploadTerms) {
  const mid = configuration.mid(midId)
  return mid ? { mid, acquirerMid, name, format } : null
}
