/**
 * Stripe's itemized reports as CSV: payout reconciliation and balance change from activity (docs.stripe.com, read in November 2026). With the
 * columns `payment_intent_id` and `payment_metadata[payment_id]` every row is found without reading all transactions.
 *
 * The form has no total: a file that was cut between two rows cannot be told from a whole one.
 */

import type { SettlementKind } from '../settlement-kind.ts'
import { addDecimals, negate } from './decimal-sum.ts'
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

const required = ['balance_transaction_id', 'reporting_category', 'currency', 'gross', 'fee', 'net', 'source_id']

// biome-ignore format: a table is read in columns.
const kinds: Readonly<Record<string, SettlementKind | 'bank'>> = {
  charge:  'charge',     partial_capture_reversal: 'refund',  refund: 'refund',
  dispute: 'chargeback', dispute_reversal:         'chargeback-reversal',
  fee:     'fee',        network_cost:             'fee',     tax:    'fee',
  payout:  'bank',       payout_reversal:          'bank',    payout_minimum_balance_hold: 'bank', payout_minimum_balance_release: 'bank',
}

export function readStripe(): NativeReader {
  let heading: readonly string[] | null = null
  return {
    read(cells) {
      if (heading === null) {
        heading = headingOf(cells)
        const dated = ['created_utc', 'created', 'available_on_utc', 'available_on'].some((name) =>
          heading?.includes(name),
        )
        return missingColumns(heading, dated ? required : [...required, 'created_utc']) ?? noRow
      }
      if (cells.length !== heading.length)
        return { kind: 'fault', text: `The row has ${cells.length} cells instead of ${heading.length}.` }
      const named = namedCells(heading, cells)
      return lineOf((name) => named[name] ?? '')
    },
    close: () => null,
  }
}

/** Reads what the payer paid if Stripe converted it; the report has it only if these columns were chosen. */
function chargedOf(cell: (name: string) => string, isOutgoing: boolean) {
  const currency = cell('customer_facing_currency').toUpperCase()
  const amount = cell('customer_facing_amount').replace(/^-/, '')
  if (currency === '' || amount === '' || currency === cell('currency').toUpperCase()) return {}
  return { processing_currency: currency, processing_gross: isOutgoing ? `-${amount}` : amount }
}

function lineOf(cell: (name: string) => string): NativeLine {
  const usual = kinds[cell('reporting_category')] ?? 'adjustment'
  if (usual === 'bank') return noRow
  const net = addDecimals(cell('net'))
  const [ownFee, ownGross] = [addDecimals(cell('fee')), addDecimals(cell('gross'))]
  if (net === null || ownFee === null || ownGross === null)
    return { kind: 'fault', text: 'The amounts are not numbers.' }
  const kind = directedKind(usual, ownGross)
  const fee = kind === 'fee' ? negate(net) : ownFee
  const isMatched = isMatchedKind(kind)
  return {
    kind: 'row',
    cells: {
      row: cell('balance_transaction_id'),
      type: kind,
      payment_id: isMatched ? paymentIn(cell('payment_metadata[payment_id]')) : '',
      transaction_id: '',
      reference: isMatched ? referenceOf(kind, cell) : '',
      currency: cell('currency').toUpperCase(),
      gross: kind === 'fee' ? '0' : ownGross,
      fee,
      net,
      date: (cell('available_on_utc') || cell('available_on') || cell('created_utc') || cell('created')).slice(0, 10),
      payout: cell('automatic_payout_id'),
      mid: '',
      ...(isMatched && chargedOf(cell, ownGross.startsWith('-'))),
    },
  }
}

/** A charge is filed under its intent, a refund and a dispute under themselves. */
const referenceOf = (kind: string, cell: (name: string) => string): string =>
  kind === 'charge' ? cell('payment_intent_id') || cell('source_id') : cell('source_id')
