/**
 * Double entry: every movement of money is one entry with a debited and a credited account, so that entries sum to zero by
 * construction. Accounts exist per merchant and currency. Chapter 50 §1, "Ledger posting".
 *
 * | Account | Holds |
 * |---|---|
 * | `payer`, `payee` | nothing: the outside world that money comes from or goes to |
 * | `held` | authorised and not captured |
 * | `settled` | the merchant's money |
 * | `refunded` | given back by a refund, which the merchant sees as a transaction of its own |
 * | `charged_back` | reversed by the payer's bank |
 * | `payable` | what fees, reserve, payouts and corrections took from `settled`: both together are owed to the merchant |
 * | `fees` | what the operator charged by its price list |
 * | `reserve` | kept back for some days |
 * | `paid_out` | transferred to the merchant's bank |
 * | `corrections` | nothing: the other side of corrections that two people made |
 *
 * A void undoes the sale itself, so that its money returns to `payer`.
 */
import type { Payment, TransactionType } from '../payment/payment.ts'

export const accounts = ['payer', 'payee', 'held', 'settled', 'refunded', 'charged_back', 'fees'] as const
/** The accounts of what the operator owes a merchant. */
type OwedAccount = 'payable' | 'reserve' | 'paid_out' | 'corrections'
export type Account = (typeof accounts)[number] | OwedAccount

export interface Entry {
  readonly from: Account
  readonly to: Account
  readonly amountMinor: bigint
}

/** The entries of an approved transaction; `payment` is its state before. A zero amount makes no entry. */
export function entriesOf(
  payment: Payment,
  transaction: { readonly type: TransactionType; readonly amountMinor: bigint },
): readonly Entry[] {
  return movements(payment, transaction).filter((entry) => entry.amountMinor > 0n)
}

function movements(
  payment: Payment,
  { type, amountMinor }: { readonly type: TransactionType; readonly amountMinor: bigint },
): readonly Entry[] {
  switch (type) {
    case 'AUTH':
      return [{ from: 'payer', to: 'held', amountMinor }]
    case 'SALE':
    case 'DEBIT':
      return [{ from: 'payer', to: 'settled', amountMinor }]
    case 'RETRY':
      return [{ from: 'payer', to: payment.holds ? 'held' : 'settled', amountMinor }]
    case 'TRANSFER':
      return [{ from: 'payer', to: 'payee', amountMinor }]
    case 'CREDIT':
      return [{ from: 'settled', to: 'payee', amountMinor }]
    case 'CAPTURE':
      return [
        { from: 'held', to: 'settled', amountMinor },
        { from: 'held', to: 'payer', amountMinor: payment.authorisedMinor - amountMinor },
      ]
    case 'REVERSAL':
      if (payment.status === 'PENDING') return [{ from: 'held', to: 'payer', amountMinor }]
      return [{ from: 'settled', to: 'refunded', amountMinor }]
    case 'REFUND':
      return [{ from: 'settled', to: 'refunded', amountMinor }]
    case 'VOID':
      return [{ from: 'settled', to: 'payer', amountMinor: payment.capturedMinor }]
    case 'CHARGEBACK':
      return [{ from: 'settled', to: 'charged_back', amountMinor }]
    case 'CALC':
    case '3DS':
    case 'REDIRECT':
      return []
  }
}

/** A chargeback that came back to the merchant: a further entry of its transaction. */
export const returnOfChargeback = (amountMinor: bigint): Entry => ({
  from: 'charged_back',
  to: 'settled',
  amountMinor,
})

/** Such a return that people had recorded, and that the acquirer did not make: the entry after it undoes it. */
export const undoneReturn = (amountMinor: bigint): Entry => ({ from: 'settled', to: 'charged_back', amountMinor })
