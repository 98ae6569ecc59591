/** A merchant's statement: what the operator owes it at the beginning and end of a period, and what happened between. Chapter 70 §3. */
import type { Account } from '../money/ledger.ts'

/** The sum of all entries from one account to another in a period. */
export interface Movement {
  readonly from: Account
  readonly to: Account
  readonly amountMinor: bigint
}

/** Voided sales are excluded. Deductions are positive amounts, too. */
export interface StatementSums {
  readonly salesMinor: bigint
  readonly refundsMinor: bigint
  readonly chargebacksMinor: bigint
  /** Paid to payees on the merchant's behalf. */
  readonly payoutsMinor: bigint
  readonly feesMinor: bigint
  readonly heldMinor: bigint
  readonly releasedMinor: bigint
  /** Negative if the merchant gets less. */
  readonly correctionsMinor: bigint
  readonly paidOutMinor: bigint
}

export function sumsOf(movements: readonly Movement[]): StatementSums {
  const between = (from: readonly Account[], to: readonly Account[]): bigint =>
    movements
      .filter((one) => from.includes(one.from) && to.includes(one.to))
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const netTo = (account: Account): bigint => between(['payable'], [account]) - between([account], ['payable'])
  return {
    salesMinor: between(['payer', 'held'], ['settled']) - between(['settled'], ['payer']),
    refundsMinor: between(['settled'], ['refunded']),
    // Money of a won dispute comes back, perhaps in a later period than it was taken in.
    chargebacksMinor: between(['settled'], ['charged_back']) - between(['charged_back'], ['settled']),
    payoutsMinor: between(['settled'], ['payee']),
    feesMinor: netTo('fees'),
    heldMinor: between(['payable'], ['reserve']),
    releasedMinor: between(['reserve'], ['payable']),
    correctionsMinor: -netTo('corrections'),
    paidOutMinor: netTo('paid_out'),
  }
}

/** By how much a period changes what the merchant is owed. */
export const changeOf = (sums: StatementSums): bigint =>
  sums.salesMinor -
  sums.refundsMinor -
  sums.chargebacksMinor -
  sums.payoutsMinor -
  sums.feesMinor -
  sums.heldMinor +
  sums.releasedMinor +
  sums.correctionsMinor -
  sums.paidOutMinor

/** Sums what the merchant is owed by the accounts alone: an independent way to the sum of all statements. */
export const owedOf = (movements: readonly Movement[]): bigint =>
  movements.reduce((sum, { from, to, amountMinor }) => {
    const enters = isOwed(to) ? amountMinor : 0n
    return sum + enters - (isOwed(from) ? amountMinor : 0n)
  }, 0n)

const isOwed = (account: Account): boolean => account === 'settled' || account === 'payable'
