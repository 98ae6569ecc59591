/**
 * How long a sign-in must wait after failed ones. An attempt is counted before it is verified, so that parallel attempts get no more tries
 * than sequential ones; a success clears the count.
 *
 * The first waits are short and double, so that a forgotten password costs little. The number of failures and the duration of the lockout
 * follow PCI DSS 8.3.4.
 */
import { hash } from 'node:crypto'
import type { SignInRules } from '#domain/sign-in/sign-in-rules.ts'

export interface LockOutRule {
  /** Failures without a wait. */
  readonly free: number
  /** Failures that cause a lockout. */
  readonly locking: number
  readonly lockSeconds: number
}

const usualFree = 5
const firstWaitSeconds = 30
/** An office shares one network address, so it gets more attempts. */
const addressFactor = 3

/** By e-mail address, existing or not. */
export const byEmail = ({ lockOutFailures, lockOutMinutes }: SignInRules): LockOutRule => ({
  free: Math.min(usualFree, lockOutFailures),
  locking: lockOutFailures,
  lockSeconds: lockOutMinutes * 60,
})

export const byAddress = (rules: SignInRules): LockOutRule => {
  const locking = rules.lockOutFailures * addressFactor
  return { free: locking, locking, lockSeconds: rules.lockOutMinutes * 60 }
}

/** Failures are forgotten after a day without another one. */
export const forgottenAfterSeconds = 86_400

/** The wait doubles with every failure beyond the free ones. A failure beyond the lockout threshold doubles the lockout, once. */
export function waitSeconds(failures: number, { free, locking, lockSeconds }: LockOutRule): number {
  if (failures >= locking) return failures === locking ? lockSeconds : lockSeconds * 2
  if (failures < free) return 0
  return Math.min(lockSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20))
}

/** When the lockouts that this attempt causes would end, if it fails. */
export interface LockOuts {
  readonly email: Date | null
  readonly address: Date | null
}

/** The subjects that failures are counted under. An e-mail address is hashed, because it may have no account. */
export const emailSubject = (email: string): string => `email ${hash('sha256', email.trim().toLowerCase(), 'hex')}`
export const addressSubject = (network: string): string => `address ${network}`
