/**
 * CyberSource's Payment Batch Detail Report and Payment Submission Detail Report as CSV (developer.cybersource.com, read in November 2026).
 *
 * They list what CyberSource sent to the processor and what it credited, without fees, which the processor charges by its own invoice; those
 * are imported in the form `common`. The form has no total: a file that was cut between two rows cannot be told from a whole one.
 */
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

const reports = ['Payment Batch Detail Report', 'Payment Submission Detail Report']

// biome-ignore format: a list of names.
const required = [
  'batch_id', 'merchant_id', 'batch_date', 'request_id', 'merchant_ref_number', 'currency', 'amount', 'transaction_type',
]

// biome-ignore format: a table is read in columns.
const kinds: Readonly<Record<string, 'charge' | 'refund' | 'payout'>> = {
  ics_bill:          'charge', ics_credit:               'refund',
  ics_ecp_debit:     'charge', ics_ecp_credit:           'refund',
  ics_direct_debit:  'charge', ics_direct_debit_refund:  'refund',
  ics_bank_transfer: 'charge', ics_bank_transfer_refund: 'refund',
  ics_oct:           'payout',
}

export function readCybersource(): NativeReader {
  let isNamed = false
  let heading: readonly string[] | null = null
  return {
    read(cells) {
      if (!isNamed) {
        isNamed = reports.includes(headingOf(cells)[0] ?? '')
        return isNamed
          ? noRow
          : { kind: 'unreadable', text: `The first line does not begin with ${reports.join(' or ')}.` }
      }
      if (heading === null) {
        heading = headingOf(cells)
        return missingColumns(heading, required) ?? noRow
      }
      if (cells.length !== heading.length)
        return { kind: 'fault', text: `The row has ${cells.length} cells instead of ${heading.length}.` }
      const named = namedCells(heading, cells)
      return lineOf((name) => named[name] ?? '')
    },
    close: () =>
      heading === null ? 'The second line with the names of the columns is missing: the file was cut.' : null,
  }
}

function lineOf(cell: (name: string) => string): NativeLine {
  const type = cell('transaction_type')
  const usual = kinds[type]
  if (usual === undefined) return { kind: 'fault', text: `The transaction_type ${type} is not known.` }
  const amount = addDecimals(cell('amount'))
  if (amount === null || cell('amount') === '') return { kind: 'fault', text: 'The amount is not a number.' }
  // Some accounts get refunds with a sign and some without.
  const size = amount.startsWith('-') ? negate(amount) : amount
  const gross = usual === 'charge' ? amount : negate(size)
  const kind = directedKind(usual, gross)
  const isMatched = isMatchedKind(kind)
  return {
    kind: 'row',
    cells: {
      row: `${cell('request_id')} ${type}`,
      type: kind,
      payment_id: isMatched ? paymentIn(cell('merchant_ref_number')) : '',
      transaction_id: '',
      reference: isMatched ? cell('request_id') : '',
      currency: cell('currency'),
      gross,
      fee: '0',
      net: gross,
      date: cell('batch_date').slice(0, 10),
      payout: `batch ${cell('batch_id')}`,
      mid: cell('merchant_id'),
    },
  }
}
