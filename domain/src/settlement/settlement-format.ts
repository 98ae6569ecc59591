/**
 * The forms of settlement files that can be imported. Chapter 60 §5. A form is a table with the names of its columns and its words, or an
 * acquirer's own with a reader in `native/`; a file of any other acquirer is converted to the form `common`.
 */
import { readAdyen } from './native/adyen.ts'
import { readCheckout } from './native/checkout.ts'
import { readCybersource } from './native/cybersource.ts'
import type { NativeReader } from './native/native-form.ts'
import { readPaypal } from './native/paypal.ts'
import { readStripe } from './native/stripe.ts'
import { type SettlementKind, settlementKinds } from './settlement-kind.ts'

export interface SettlementFormat {
  /** By our names; a column that is null does not exist in this form. */
  readonly columns: {
    readonly row: string
    readonly kind: string
    readonly paymentId: string | null
    readonly transactionId: string | null
    readonly reference: string | null
    readonly currency: string
    readonly gross: string
    readonly fee: string
    readonly net: string
    readonly date: string
    readonly payout: string | null
    readonly mid: string | null
    /** Of a row that the acquirer converted: the payment's currency and amount, and the rate from it to the row's currency. */
    readonly processingCurrency: string | null
    readonly processingGross: string | null
    readonly rate: string | null
  }
  readonly kinds: Readonly<Record<string, SettlementKind>>
  /** `decimal`: 10.00; `minor`: 1000. */
  readonly amounts: 'decimal' | 'minor'
  /** The first cell of the last line, whose second cell is the number of rows; a file that was cut has no such line. */
  readonly end: string
}

const ownKinds: SettlementFormat['kinds'] = Object.fromEntries(settlementKinds.map((kind) => [kind, kind]))

// biome-ignore format: a table is read in columns.
export const settlementFormats = {
  common: {
    columns: {
      row: 'row', kind: 'type', paymentId: 'payment_id', transactionId: 'transaction_id', reference: 'reference', currency: 'currency',
      gross: 'gross', fee: 'fee', net: 'net', date: 'date', payout: 'payout', mid: 'mid',
      processingCurrency: 'processing_currency', processingGross: 'processing_gross', rate: 'rate',
    },
    kinds: ownKinds, amounts: 'decimal', end: 'end',
  },
  sandbox: {
    columns: {
      row: 'entry', kind: 'effect', paymentId: 'payment_id', transactionId: 'transaction_id', reference: null, currency: 'currency',
      gross: 'gross_minor', fee: 'fee_minor', net: 'net_minor', date: 'settled_on', payout: 'payout', mid: 'mid',
      processingCurrency: null, processingGross: null, rate: null,
    },
    kinds: {
      sale: 'charge', debit: 'charge', transfer: 'charge', capture: 'charge', refund: 'refund', reverse: 'refund',
      chargeback: 'chargeback', chargeback_reversal: 'chargeback-reversal', credit: 'payout',
    },
    amounts: 'minor', end: 'total',
  },
} as const satisfies Readonly<Record<string, SettlementFormat>>

interface NativeForm {
  readonly begin: () => NativeReader
  readonly amounts: SettlementFormat['amounts']
}

// biome-ignore format: a table is read in columns.
export const nativeForms = {
  adyen:       { begin: readAdyen,       amounts: 'decimal' },
  stripe:      { begin: readStripe,      amounts: 'decimal' },
  paypal:      { begin: readPaypal,      amounts: 'minor' },
  checkout:    { begin: readCheckout,    amounts: 'decimal' },
  cybersource: { begin: readCybersource, amounts: 'decimal' },
} as const satisfies Readonly<Record<string, NativeForm>>

type NativeFormName = keyof typeof nativeForms
export type SettlementFormatName = keyof typeof settlementFormats | NativeFormName

export const settlementFormatNames = [
  'common',
  'sandbox',
  'adyen',
  'stripe',
  'paypal',
  'checkout',
  'cybersource',
] as const satisfies readonly SettlementFormatName[]

export const isNative = (name: SettlementFormatName): name is NativeFormName => Object.hasOwn(nativeForms, name)
