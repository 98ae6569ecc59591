/** Reads one row of a settlement file; what is wrong with it is a value, so that a report can list all faults of a file. */

import type { Exponents } from '../money/currencies.ts'
import { exponentOf, formatAmount } from '../money/money.ts'
import { isBookingDay } from '../schedule/day.ts'
import { isStoredUuid } from '../uuid.ts'
import { type Conversion, readConversion } from './conversion.ts'
import type { SettlementFormat } from './settlement-format.ts'
import { isAgainst, type SettlementKind } from './settlement-kind.ts'
import { readSum } from './settlement-sum.ts'

export interface SettlementRow {
  /** The acquirer's identifier of the row: entered twice, it counts once. */
  readonly ref: string
  readonly kind: SettlementKind
  readonly paymentId: string | null
  readonly transactionId: string | null
  readonly reference: string | null
  readonly currency: string
  /** Positive if it comes to us, negative for refunds, chargebacks and payouts. */
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly netMinor: bigint
  /** `YYYY-MM-DD`. */
  readonly bookedOn: string
  readonly payout: string | null
  /** Null unless the acquirer converted the payment's amount to the row's currency. */
  readonly conversion: Conversion | null
}

type Cells = Readonly<Record<string, string>>

/** Identifiers of an acquirer, which indexes contain. */
const textMax = 200

interface RowTerms {
  readonly format: SettlementFormat
  /** The names under which the acquirer may know the MID; a row of any other is refused. */
  readonly midNames: readonly string[]
  /** Empty for every currency. */
  readonly currencies: readonly string[]
  readonly crypto: Exponents
}

/** The row, or the sentence that says what is wrong. */
export function readSettlementRow(cells: Cells, terms: RowTerms): SettlementRow | string {
  const { columns, kinds } = terms.format
  const cell = (name: string | null): string => (name === null ? '' : (cells[name] ?? '').trim())
  const ref = cell(columns.row)
  if (ref === '' || ref.length > textMax) return `The column ${columns.row} must have 1 to ${textMax} characters.`
  const kind = kinds[cell(columns.kind)]
  if (kind === undefined) return `The column ${columns.kind} must be one of ${Object.keys(kinds).join(', ')}.`
  const mid = cell(columns.mid)
  if (mid !== '' && !terms.midNames.includes(mid)) return `The row belongs to another MID: ${mid}.`
  const currency = cell(columns.currency)
  // The MID's currencies are those of its payments.
  const charged = cell(columns.processingCurrency) || currency
  if (terms.currencies.length > 0 && !terms.currencies.includes(charged)) return `The MID has no currency ${charged}.`
  const bookedOn = cell(columns.date)
  if (!isBookingDay(bookedOn)) return `The column ${columns.date} must be a date such as 2026-03-01, from 2000 to 2099.`
  const sums = readSums(cell, terms, currency)
  if (typeof sums === 'string') return sums
  if (isAgainst(kind, sums.grossMinor)) return directionFault(cell(columns.kind), terms.format, { ...sums, currency })
  const conversion = readConversion(cell, terms, { currency, ...sums })
  if (typeof conversion === 'string') return conversion
  if (conversion !== null && (kind === 'fee' || kind === 'adjustment'))
    return `A row of the kind ${kind} belongs to no payment and has no ${columns.processingCurrency}.`
  const ids = [cell(columns.paymentId), cell(columns.transactionId)].map((text) => text.toLowerCase() || null)
  const [paymentId = null, transactionId = null] = ids
  if (ids.some((id) => id !== null && !isStoredUuid(id)))
    return 'payment_id and transaction_id must be identifiers of this service.'
  const tooLong = [columns.reference, columns.payout].find((name) => cell(name).length > textMax)
  if (tooLong != null) return `The column ${tooLong} must have at most ${textMax} characters.`
  const reference = cell(columns.reference) || null
  return {
    ref,
    kind,
    paymentId,
    transactionId,
    reference,
    currency,
    ...sums,
    bookedOn,
    payout: cell(columns.payout) || null,
    conversion,
  }
}

function readSums(cell: (name: string | null) => string, { format, crypto }: RowTerms, currency: string) {
  const { columns, amounts } = format
  const exponent = amounts === 'minor' ? 0 : exponentOf(currency, crypto)
  if (exponentOf(currency, crypto) === undefined || exponent === undefined)
    return `The currency ${currency} is not known.`
  const [gross, fee, net] = [columns.gross, columns.fee, columns.net].map((name) => readSum(cell(name), exponent))
  if (gross == null || fee == null || net == null)
    return `The columns ${columns.gross}, ${columns.fee} and ${columns.net} must be amounts in ${currency}.`
  if (net !== gross - fee) return `${columns.net} is not ${columns.gross} less ${columns.fee}.`
  return { grossMinor: gross, feeMinor: fee, netMinor: net }
}

interface RowSums {
  readonly currency: string
  readonly grossMinor: bigint
  readonly feeMinor: bigint
}

/** Explains which sign the money has, and what to write. */
function directionFault(
  word: string,
  { columns: { gross, net }, amounts }: SettlementFormat,
  { currency, grossMinor, feeMinor }: RowSums,
): string {
  const writeMinor = (minor: bigint): string =>
    amounts === 'minor' ? String(minor) : formatAmount(minor, currency, exponentOf(currency) ?? 2)
  const way = grossMinor > 0n ? 'leaves' : 'comes in'
  return `Money of a ${word} ${way}: write ${writeMinor(-grossMinor)} in the column ${gross} and ${writeMinor(-grossMinor - feeMinor)} in ${net}.`
}
