/**
 * The acquirer's settlement file: what it pays the next day for each effect of the ledger, less its fee. Holds, voids and voided sales are not
 * settled. Of a transfer it keeps its fee: the money went from one card to the other.
 */
import { dayMs, utcDay } from '#domain/time.ts'
import type { LedgerEntry } from './ledger.ts'
import { amountOf } from './transaction.ts'

interface SettledDays {
  readonly mid: string
  /** First and last day of settlement, `YYYY-MM-DD`. */
  readonly from: string
  readonly to: string
}

const heading = 'entry,mid,effect,payment_id,transaction_id,currency,gross_minor,fee_minor,net_minor,settled_on,payout'

/** 1.4 % of a charge, rounded down; nothing else costs a fee. */
const feeOf = (movedMinor: bigint): bigint => (movedMinor > 0n ? (movedMinor * 14n) / 1000n : 0n)

const outgoing: readonly string[] = ['refund', 'reverse', 'chargeback', 'credit']
const settled: readonly string[] = ['sale', 'debit', 'transfer', 'capture', ...outgoing]

export function settlementFile(entries: readonly LedgerEntry[], { mid, from, to }: SettledDays): string {
  const own = entries.filter(({ transaction }) => transaction.record.mid === mid)
  const undone = new Set(
    own.filter(({ type }) => type === 'void').map(({ transaction }) => transaction.record.paymentId),
  )
  const captured = new Set(
    own
      .filter(({ type }) => type !== 'authorize' && !outgoing.includes(type))
      .map(({ transaction }) => transaction.record.paymentId),
  )
  const rows = own
    .filter(
      ({ type, transaction: { record } }) =>
        settled.includes(type) &&
        !undone.has(record.paymentId) &&
        (type !== 'reverse' || captured.has(record.paymentId)),
    )
    .map(rowOf)
    .filter(({ day }) => day >= from && day <= to)
  return [heading, ...rows.map(({ line }) => line), `total,${rows.length}`, ''].join('\n')
}

function rowOf(entry: LedgerEntry): { readonly day: string; readonly line: string } {
  const { sequence, at, type, transaction } = entry
  const { record } = transaction
  const day = utcDay(at + dayMs)
  const moved = outgoing.includes(type) ? -amountOf(transaction) : amountOf(transaction)
  const gross = type === 'transfer' ? 0n : moved
  const fee = feeOf(moved)
  // A chargeback is an effect of its own and has no request of the gateway.
  const transactionId = type === 'chargeback' ? '' : record.id
  const cells = [
    sequence,
    record.mid,
    type,
    record.paymentId,
    transactionId,
    record.currency,
    gross,
    fee,
    gross - fee,
    day,
    `PAYOUT-${day}`,
  ]
  return { day, line: cells.join(',') }
}
