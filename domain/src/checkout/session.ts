/**
 * The state of a Checkout session. Chapter 30 §3.1, §7.2, §7.8.
 *
 * The state is not stored: it is derived from the session's payments and its expiry, so that state and payments can never disagree. The checks run in order of precedence: a payment that succeeded wins over everything, and an attempt that
 * began before the session's expiry may finish after it.
 *
 * What is deliberately not here: states that only the browser knows, such as loading, and the texts of the page, which for `complete`
 * depend on whether it was just opened or has waited for the outcome.
 */

import type { Payment, TransactionState } from '../payment/payment.ts'
import { takesOrder } from '../payment/payment.ts'

// biome-ignore format: a table is read in columns.
export type SessionState =
  | 'ready'      // nothing was tried yet, or the payer cancelled the newest attempt
  | 'declined'   // the newest attempt was declined, and there may be another
  | 'busy'       // an attempt is being sent, by this browser or another
  | 'away'       // the payer is at the issuer's page or the provider's
  | 'waiting'    // the acquirer or the payer has not finished
  | 'undefined'  // the outcome is unknown; no further attempt until it is known
  | 'complete'   // paid
  | 'limit'      // the merchant's maximum of declines is reached
  | 'expired' // the session's time is over

/** A payment of the session. */
export interface Attempt extends Pick<Payment, 'status' | 'holds'> {
  readonly declineReason: string | null
  /** The state of the payment's open transaction; null if none is open. */
  readonly openTransaction: TransactionState | null
  /** True for a brand, whose payer may act elsewhere: an unfinished transaction then means waiting, not an unknown outcome. */
  readonly brand: boolean
}

interface SessionFacts {
  /** Newest first. */
  readonly attempts: readonly Attempt[]
  readonly maxDeclines: number
  readonly expiresAt: Date
}

export function sessionState({ attempts, maxDeclines, expiresAt }: SessionFacts, now: Date): SessionState {
  if (attempts.some(isPaid)) return 'complete'
  const unfinished = attempts.find(({ status }) => takesOrder(status))
  if (unfinished) return stateOfUnfinished(unfinished)
  if (declines(attempts) >= maxDeclines) return 'limit'
  if (now >= expiresAt) return 'expired'
  const [newest] = attempts
  return newest && !isCancelled(newest) ? 'declined' : 'ready'
}

/** Attempts that the payer cancelled are no declines: neither the issuer nor the acquirer refused anything. */
export const declines = (attempts: readonly Pick<Attempt, 'status' | 'declineReason'>[]): number =>
  attempts.filter((attempt) => attempt.status === 'DECLINED' && !isCancelled(attempt)).length

/** The decline reason of an attempt that the payer cancelled, here or at the acquirer's page. */
export const cancelledByPayer = 'Cancelled by payer'

export const isCancelled = ({ declineReason }: Pick<Attempt, 'declineReason'>): boolean =>
  declineReason === cancelledByPayer

/** True once settled or held, also after a later refund or void: the session was paid. */
export function isPaid({ status, holds }: Pick<Payment, 'status' | 'holds'>): boolean {
  switch (status) {
    case 'SETTLED':
    case 'REVERSAL':
    case 'REFUND':
    case 'VOID':
    case 'CHARGEBACK':
      return true
    case 'PENDING':
      return holds
    case 'PREPARE':
    case '3DS':
    case 'REDIRECT':
    case 'DECLINED':
      return false
  }
}

/** States in which the payer may begin an attempt. */
export const mayPay = (state: SessionState): boolean => state === 'ready' || state === 'declined'

/** States in which an attempt has not ended. */
export const isAttemptOpen = (state: SessionState): boolean =>
  state === 'busy' || state === 'away' || state === 'waiting' || state === 'undefined'

function stateOfUnfinished({ status, openTransaction, brand }: Attempt): SessionState {
  // The payer is back from the redirect and the charge is being sent.
  if (openTransaction === 'sent') return 'busy'
  if (openTransaction === 'undefined') return brand ? 'waiting' : 'undefined'
  return status === '3DS' || status === 'REDIRECT' ? 'away' : 'waiting'
}
