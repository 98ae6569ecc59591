/** What the pages about settlements share: a difference and the answer to an import, as the API returns them, and the words for each kind of difference. */
import type { Answer } from '../../api/call.ts'

export type Difference = Answer<'GET /settlements/differences'>['differences'][number]
export type ImportAnswer = Answer<'POST /settlements'>

// biome-ignore format: a table is read in columns.
export const differenceTexts: Readonly<Record<string, string>> = {
  'missing-here':  'Not in our record',
  'missing-there': 'Not settled',
  'reversal-missing': 'Chargeback reversal not settled',
  'amount':        'Different amount',
  'currency':      'Other currency',
  'other-mid':     'Payment of another MID',
  'other-outcome': 'Settled, failed here',
  'doubled':       'Settled twice',
  'late':          'Late',
  'bank-missing':  'Not at the bank',
  'bank-amount':   'Different amount at the bank',
  'bank-currency': 'Other currency at the bank',
  'bank-doubled':  'Booked twice by the bank',
  'bank-unknown':  'Bank line without payout',
}

// biome-ignore format: a table is read in columns.
export const movementTexts: Readonly<Record<NonNullable<Difference['movement']>, string>> = {
  'charge':     'Charge',
  'refund':     'Refund',
  'chargeback': 'Chargeback',
  'chargeback-reversal': 'Chargeback reversal',
  'payout':     'Payout to payee',
  'fee':        'Fee',
  'adjustment': 'Adjustment',
}
