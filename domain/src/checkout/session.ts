/**
 * What has become of a Checkout session. Chapter 30 §3.1, §7.2, §7.8.
 *
 * A session has no state of its own: it is read from its payments, its end and whether it was closed, so that the two can never
 * disagree. The order of the questions is the order of precedence: a payment that succeeded wins over everything, and an attempt
 * that began before the session's end may finish after it.
 *
 * What is deliberately not here: what a browser alone knows. Whether the page was just opened or has waited for the outcome decides
 * what it shows for `complete`; loading, paying and the Continue button are its own.
 */
import type { DeclineClass, Payment, TransactionState } from '../payment/payment.ts'

// biome-ignore format: a table is read in columns.
export type SessionState =
  | 'ready'      // nothing was tried yet
  | 'declined'   // the newest attempt was declined, and there may be another
  | 'busy'       // an attempt is being sent at this moment, by this browser or another
  | 'away'       // the payer is at the issuer's page or at another one
  | 'waiting'    // the acquirer or the payer has not finished
  | 'undefined'  // the outcome is not known, and nobody may pay again until it is
  | 'complete'   // paid
  | 'limit'      // as many declines as the merchant allows
  | 'closed'     // the payer closed the page
  | 'expired' // its time is over

/** A payment of the session, and what its open transaction waits for; null when none is open. */
export interface Attempt extends Pick<Payment, 'status' | 'holds'> {
  readonly open: TransactionState | null
  /** A brand whose payer acts elsewhere: what an acquirer has not finished is then no riddle. */
  readonly brand: boolean
}

interface SessionFacts {
  /** Newest first. */
  readonly attempts: readonly Attempt[]
  readonly maxDeclines: number
  readonly closed: boolean
  readonly expiresAt: Date
}

export function sessionState({ attempts, maxDeclines, closed, expiresAt }: SessionFacts, now: Date): SessionState {
  if (attempts.some(isPaid)) return 'complete'
  const open = attempts.find(({ status }) => status !== 'DECLINED')
  if (open) return stateOfOpen(open)
  if (declines(attempts) >= maxDeclines) return 'limit'
  if (closed) return 'closed'
  if (now >= expiresAt) return 'expired'
  return attempts.length === 0 ? 'ready' : 'declined'
}

export const declines = (attempts: readonly Pick<Attempt, 'status'>[]): number =>
  attempts.filter(({ status }) => status === 'DECLINED').length

/** Settled or held, and whatever came of it later: money that was given back was paid once. */
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
export const isOpen = (state: SessionState): boolean =>
  state === 'busy' || state === 'away' || state === 'waiting' || state === 'undefined'

function stateOfOpen({ status, open, brand }: Attempt): SessionState {
  // The payer is back and the charge is on its way.
  if (open === 'sent') return 'busy'
  if (open === 'undefined') return brand ? 'waiting' : 'undefined'
  return status === '3DS' || status === 'REDIRECT' ? 'away' : 'waiting'
}

/** Why a payment was declined, as far as a payer is told: never more than helps to decide what to do next. */
export type DeclineCause = 'general' | 'otherCard' | 'authentication' | 'technical' | 'late'

export function declineCause(declineClass: DeclineClass | null, reason: string | null): DeclineCause {
  if (reason === 'Expired') return 'late'
  switch (declineClass) {
    case 'hard':
    case 'fraud':
      return 'otherCard'
    case 'authentication_required':
      return 'authentication'
    case 'technical':
      return 'technical'
    case 'soft':
    case 'unknown':
    case null:
      return 'general'
  }
}
