/**
 * Adyen's Settlement details report, as CSV (docs.adyen.com, read in November 2026).
 *
 * A batch ends with the payout to the bank, so that the net amounts of all its rows add up to zero; those of a file that was cut do not.
 */

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

// biome-ignore format: a list of names.
const required = [
  'Merchant Account', 'Psp Reference', 'Merchant Reference', 'Creation Date', 'Type', 'Modification Reference', 'Gross Currency',
  'Gross Debit (GC)', 'Gross Credit (GC)', 'Net Currency', 'Net Debit (NC)', 'Net Credit (NC)', 'Commission (NC)', 'Markup (NC)',
  'Scheme Fees (NC)', 'Interchange (NC)', 'Batch Number',
]

// A refund or payout that is reversed is no second one, hence an adjustment.
// biome-ignore format: a table is read in columns.
const kinds: Readonly<Record<string, SettlementKind | 'bank'>> = {
  Settled:                'charge',     SettledBulk:          'charge',
  Refunded:               'refund',     RefundedBulk:         'refund',
  Chargeback:             'chargeback', SecondChargeback:     'chargeback',
  PaidOut:                'payout',
  Fee:                    'fee',        MiscCosts:            'fee',        PaymentCost:             'fee',
  InvoiceDeduction:       'fee',
  ChargebackReversed:     'chargeback-reversal',
  RefundedReversed:     'adjustment', PaidOutReversed:         'adjustment',
  SettledReversed:        'adjustment', DepositCorrection:    'adjustment', MatchedStatement:        'adjustment',
  ManualCorrected:        'adjustment', AuthorisationSchemeFee: 'fee',      BankInstructionReturned: 'adjustment',
  EpaPaid:                'adjustment', Balancetransfer:      'adjustment', InternalCompanyPayout:   'adjustment',
  MerchantPayout:         'bank',
}

export function readAdyen(): NativeReader {
  let heading: readonly string[] | null = null
  let sum: string | null = '0'
  return {
    read(cells) {
      if (heading === null) {
        heading = headingOf(cells)
        return missingColumns(heading, required) ?? noRow
      }
      const named = namedCells(heading, cells)
      const cell = (name: string): string => named[name] ?? ''
      if (sum !== null) sum = addDecimals(sum, cell('Net Credit (NC)'), `-${cell('Net Debit (NC)') || '0'}`)
      return lineOf(cell)
    },
    close: () =>
      sum === null || isZero(sum)
        ? null
        : `The net amounts add up to ${sum} instead of zero, the payout included: the file was cut, or is not of a closed batch.`,
  }
}

function lineOf(cell: (name: string) => string): NativeLine {
  const usual = kinds[cell('Type')]
  if (usual === undefined) return { kind: 'fault', text: `The Type ${cell('Type')} is not known.` }
  if (usual === 'bank') return noRow
  const charged = addDecimals(cell('Gross Credit (GC)'), `-${cell('Gross Debit (GC)') || '0'}`) ?? ''
  const kind = directedKind(usual, charged)
  const isMatched = isMatchedKind(kind)
  const currency = cell('Net Currency')
  const isConverted = isMatched && cell('Gross Currency') !== currency
  const net = addDecimals(cell('Net Credit (NC)'), `-${cell('Net Debit (NC)') || '0'}`)
  const costs = addDecimals(
    cell('Commission (NC)'),
    cell('Markup (NC)'),
    cell('Scheme Fees (NC)'),
    cell('Interchange (NC)'),
  )
  if (net === null || costs === null) return { kind: 'fault', text: 'The amounts are not numbers.' }
  const fee = isMatched ? costs : kind === 'fee' ? negate(net) : '0'
  // What a converted payment came to before its fees is in no column.
  const gross = isMatched && !isConverted ? charged : addDecimals(net, fee)
  return {
    kind: 'row',
    cells: {
      row: [cell('Batch Number'), cell('Type'), cell('Psp Reference'), cell('Modification Reference')]
        .join(' ')
        .slice(0, 200),
      type: kind,
      payment_id: isMatched ? paymentIn(cell('Merchant Reference')) : '',
      transaction_id: '',
      reference: isMatched ? cell('Modification Reference') || cell('Psp Reference') : '',
      currency,
      gross: gross ?? '',
      fee,
      net,
      date: (cell('Booking Date') || cell('Creation Date')).slice(0, 10),
      payout: `batch ${cell('Batch Number')}`,
      mid: cell('Merchant Account'),
      ...(isConverted && {
        processing_currency: cell('Gross Currency'),
        processing_gross: charged,
        rate: cell('Exchange Rate'),
      }),
    },
  }
}
