/** Settlements at the panel: files, differences and days with the names that people know. */
import { exponentOf } from '#domain/money/money.ts'
import { isOverdue } from '#domain/payout/bank-comparison.ts'
import type { SettlementFormatName } from '#domain/settlement/settlement-format.ts'
import { type DifferenceFilter, differenceStore } from '../../store/finance/differences.ts'
import { reconciledDays } from '../../store/finance/reconciled-days.ts'
import { runningImports } from '../../store/finance/running-imports.ts'
import { settlementStore } from '../../store/finance/settlements.ts'
import type { PanelContext } from '../panel-context.ts'
import { midNamed } from '../payments/payments.ts'

const withName = <Row extends { readonly midId: string }>(context: PanelContext, row: Row) => ({
  ...row,
  midName: midNamed(context, row.midId),
})

const withDecimals = <Row extends { readonly currency: string }>({ configuration }: PanelContext, row: Row) => ({
  ...row,
  decimals: exponentOf(row.currency, configuration.cryptoCurrencies()) ?? 2,
})

export async function settlementsOf(context: PanelContext, midId: string | null, before: string | null, limit: number) {
  return (await settlementStore(context.pool).list(midId, before, limit)).map((file) => withName(context, file))
}

export async function settlementOf(context: PanelContext, id: string) {
  const file = await settlementStore(context.pool).find(id)
  return file && withName(context, file)
}

export async function runningImportsOf(context: PanelContext) {
  return (await runningImports(context.pool)).map((one) => withName(context, one))
}

export async function differencesOf(context: PanelContext, filter: DifferenceFilter) {
  const differences = await differenceStore(context.pool).list(filter)
  return differences.map((one) => ({
    ...withDecimals(context, one),
    midName: one.midId === null ? null : midNamed(context, one.midId),
  }))
}

const usualDays = 31

export async function daysOf(context: PanelContext, midId: string, from?: string, to?: string) {
  const now = context.clock.now().getTime()
  const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  const [first, last] = [from ?? dayAt(now - usualDays * 86_400_000), to ?? dayAt(now)]
  return (await reconciledDays(context.pool, midId, first, last)).map((one) => ({
    ...withDecimals(context, one),
    overdue: one.outstandingSince !== null && isOverdue(one.outstandingSince, one.currency, dayAt(now)),
  }))
}

interface UploadedText {
  readonly midId: string
  readonly name: string
  readonly format: SettlementFormatName
  /** In base64. */
  readonly content: string
  /** The name under which the acquirer knows the MID. */
  readonly acquirerMid: string | null
}

/** A proxy may give up on an answer after a minute or two, and a browser after five. */
const restsAtMostMs = 45_000

/** Null if there is no such MID. */
export function uploadOf(
  { configuration, isEnding }: PanelContext,
  { midId, name, format, content, acquirerMid }: UploadedText,
) {
  const mid = configuration.mid(midId)
  if (!mid) return null
  const bytes = Buffer.from(content, 'base64')
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  return { mid, acquirerMid, name, format, open, pace: { isHurried: isEnding, restsAtMostMs } }
}
