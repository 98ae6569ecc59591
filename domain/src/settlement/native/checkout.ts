/**
 * Checkout.com's Financial Actions by Payout ID Report as CSV (checkout.com/docs/funds-management/retrieve-financial-reports/settlement-reports,
 * read on 17 November 2026; `FX Rate Applied` by two public readers of its sample, not by that page).
 *
 * An action has one line for its amount, if it moves any, and one for each fee and each tax on it, with up to eight decimals. Lines of an
 * action that follow each other become one row. Fees that come later than their action, such as interchange, are rows of their own. The form
 * has no total: a file that was cut between two rows cannot be told from a whole one.
 */
import { exponentOf } from '../../money/money.ts'
import type { SettlementKind } from '../settlement-kind.ts'
import { addDecimals, isZero, negate } from './decimal-sum.ts'
import {
  directedKind,
  headingOf,
  isMatchedKind,
  missingColumns,
  type NativeLine,
  type NativeReader,
  namedCells,
  noRow,
  paymentIn,
} from './native-form.ts'
import { roundedSums } from './rounded-sums.ts'

// biome-ignore format: a list of names.
const required = [
  'Action Type', 'Action ID', 'Payment ID', 'Reference', 'Processed On', 'Processing Currency', 'Holding Currency', 'Breakdown Type',
  'Processing Currency Amount', 'Holding Currency Amount',
]

type Kind = SettlementKind | 'bank'
type Cell = (name: string) => string

// biome-ignore format: a table is read in columns.
const kinds: Readonly<Record<string, Kind>> = {
  Capture:       'charge', 'Partial Capture':   'charge',
  Refund:        'refund', 'Partial Refund':    'refund',
  'Card Payout': 'payout', 'Pay to Card':       'payout', 'Bank Payout': 'payout',
  // The merchant lost, and pays the scheme for the arbitration.
  'Chargeback (ARBL)': 'fee',
}

interface ActionAmount {
  readonly kind: Kind
  /** In the holding currency. */
  readonly gross: string
  readonly breakdown: string
  /** In the processing currency; null if the two are one. */
  readonly processed: string | null
}

/** The lines of one action that were read so far. */
interface Action {
  readonly cell: Cell
  readonly number: number
  /** Null while only fees were read. */
  readonly amount: ActionAmount | null
  readonly costs: string
}

export function readCheckout(): NativeReader {
  let heading: readonly string[] | null = null
  let open: Action | null = null
  let rows = 0
  const rounding = new Map<string, (amount: string) => string | null>()
  const finish = (next: Action | null): NativeLine => {
    const ended = open
    open = next
    return ended === null ? noRow : rowOf(ended, rounding)
  }
  return {
    read(cells) {
      if (heading === null) {
        heading = headingOf(cells)
        return missingColumns(heading, required) ?? noRow
      }
      rows += 1
      if (cells.length !== heading.length)
        return { kind: 'fault', text: `The row has ${cells.length} cells instead of ${heading.length}.` }
      const named = namedCells(heading, cells)
      const cell: Cell = (name) => named[name] ?? ''
      const line = partOf(cell, rows)
      if (typeof line === 'string') return { kind: 'fault', text: line }
      const joined = open === null ? null : join(open, line)
      if (joined === null) return finish(line)
      open = joined
      return noRow
    },
    rest: () => finish(null),
    close: () => null,
  }
}

/** One line as an action; or what is wrong with it. */
function partOf(cell: Cell, number: number): Action | string {
  const held = addDecimals(cell('Holding Currency Amount'))
  if (held === null || cell('Holding Currency Amount') === '') return 'The Holding Currency Amount is not a number.'
  if (cell('Action ID') === '') return 'The Action ID is missing.'
  const breakdown = cell('Breakdown Type')
  const kind = kindOf(cell, breakdown, held)
  if (kind === 'fee') return { cell, number, amount: null, costs: negate(held) }
  const isConverted = isMatchedKind(kind) && cell('Processing Currency') !== cell('Holding Currency')
  const processed = isConverted ? addDecimals(cell('Processing Currency Amount')) : null
  if (isConverted && processed === null) return 'The Processing Currency Amount is not a number.'
  return { cell, number, amount: { kind, gross: held, breakdown, processed }, costs: '0' }
}

function kindOf(cell: Cell, breakdown: string, held: string): Kind {
  const known = kinds[breakdown]
  if (known !== undefined) return directedKind(known, held)
  if (/\b(?:Fee|Tax|VAT)$/.test(breakdown)) return 'fee'
  // One that is won or withdrawn comes back.
  if (breakdown.startsWith('Chargeback')) return isZero(held) ? 'adjustment' : directedKind('chargeback', held)
  // The settlement itself, unless it pays out a payment.
  if (breakdown === 'Payout') return cell('Payment ID') === '' ? 'bank' : directedKind('payout', held)
  return 'adjustment'
}

/** Null if the line belongs to another action, or is a second amount of this one. */
function join(open: Action, line: Action): Action | null {
  if (open.cell('Action ID') !== line.cell('Action ID')) return null
  if (open.cell('Holding Currency') !== line.cell('Holding Currency')) return null
  if (open.amount !== null && line.amount !== null) return null
  const named = line.amount === null ? open : line
  return { ...named, amount: open.amount ?? line.amount, costs: addDecimals(open.costs, line.costs) ?? '' }
}

function rowOf(
  { cell, number, amount, costs }: Action,
  rounding: Map<string, (sum: string) => string | null>,
): NativeLine {
  const currency = cell('Holding Currency')
  const kind = amount?.kind ?? 'fee'
  if (kind === 'bank') return noRow
  const exponent = exponentOf(currency)
  if (exponent === undefined) return { kind: 'fault', text: `The currency ${currency} is not known.` }
  const round = rounding.get(currency) ?? roundedSums(exponent)
  rounding.set(currency, round)
  const isMatched = isMatchedKind(kind)
  const fee = negate(round(negate(costs)) ?? '')
  const processed = amount?.processed ?? null
  // A conversion leaves parts of a cent, as fees do; the amount of the payment itself has none.
  const isRounded = kind === 'adjustment' || processed !== null
  const gross = amount === null ? '0' : isRounded ? (round(amount.gross) ?? '') : amount.gross
  return {
    kind: 'row',
    cells: {
      row:
        amount === null
          ? `${cell('Action ID')} fees ${cell('Payout ID')} ${number}`
          : `${cell('Action ID')} ${amount.breakdown}`,
      type: kind,
      payment_id: isMatched ? paymentIn(cell('Reference')) : '',
      transaction_id: '',
      reference: isMatched ? cell('Action ID') : '',
      currency,
      gross,
      fee,
      net: addDecimals(gross, negate(fee)) ?? '',
      date: cell('Processed On').slice(0, 10),
      payout: cell('Payout ID'),
      mid: cell('Processing Channel ID'),
      ...(processed !== null && {
        processing_currency: cell('Processing Currency'),
        processing_gross: processed,
        rate: cell('FX Rate Applied'),
      }),
    },
  }
}
