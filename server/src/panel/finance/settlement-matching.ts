/** Finds the transactions that a portion of a settlement file belongs to, and what differs. Each portion takes as long as the one before. */
import {
  chargedBy,
  differenceOf,
  movementOf,
  type SettledTransaction,
  transactionOf,
} from '#domain/settlement/settlement-match.ts'
import type { SettlementRow } from '#domain/settlement/settlement-row.ts'
import type { SettlementCandidate, SettlementCandidates } from '../../store/finance/settlement-candidates.ts'
import type { MatchedRow } from '../../store/finance/settlement-import.ts'

export type NumberedRow = SettlementRow & { readonly line: number }

export interface PortionRow extends MatchedRow {
  readonly match: SettledTransaction | null
}

export async function matchPortion(
  candidates: SettlementCandidates,
  midId: string,
  rows: readonly NumberedRow[],
): Promise<readonly PortionRow[]> {
  const isReversed = rows.some(({ kind }) => kind === 'chargeback-reversal')
  const withReturns = (of: readonly SettlementCandidate[]) => (isReversed ? candidates.withReturns(of) : of)
  const named = await withReturns(await candidates.listOfPayments(distinct(rows, ({ paymentId }) => paymentId)))
  const payments = Map.groupBy(named, ({ paymentId }) => paymentId)
  // Of a row that names its payment, the reference only chooses among the payment's transactions.
  const unnamed = rows.filter(({ paymentId }) => paymentId === null)
  const referred = await withReturns(await candidates.listByReference(distinct(unnamed, ({ reference }) => reference)))
  const references = Map.groupBy(referred, ({ reference }) => reference)
  const found = rows.map((row) => {
    const ofPayment = row.paymentId === null ? [] : (payments.get(row.paymentId) ?? [])
    const choice = row.paymentId === null ? (references.get(row.reference) ?? []) : ofPayment
    const isOfOtherMid = ofPayment.some(({ paymentMidId }) => paymentMidId !== null && paymentMidId !== midId)
    return { row, match: transactionOf(row, midId, choice), isOfOtherMid }
  })
  const matched = found.flatMap(({ row: { kind }, match }) =>
    match === null ? [] : [{ transactionId: match.id, kind }],
  )
  const before = await candidates.listSettledBefore(matched)
  const settled = new Set(before.map(({ transactionId, kind }) => `${transactionId} ${kind}`))
  return found.map(({ row, match, isOfOtherMid }) => {
    const key = `${match?.id} ${row.kind}`
    const kind = differenceOf(row, { transaction: match, isOfOtherMid, isSettled: settled.has(key) })
    // The next row of the same transaction settles it once more.
    if (match !== null) settled.add(key)
    if (kind === null) return { row, match, difference: null }
    const { currency, minor } = chargedBy(row)
    // What failed here moved nothing.
    const oursMinor = kind === 'other-outcome' ? 0n : match && (movementOf(row.kind, match)?.amountMinor ?? null)
    return { row, match, difference: { kind, currency, oursMinor, theirsMinor: minor } }
  })
}

const distinct = <T>(of: readonly T[], value: (one: T) => string | null): readonly string[] => [
  ...new Set(of.map(value).filter((one) => one !== null)),
]
