/**
 * How long a sign-in has to wait after failed ones. An attempt counts before it is judged, so that attempts side by side get no more
 * tries than one after the other; a success forgets them all.
 *
 * The first waits are short and double, so that a slip of memory costs little. The number of failures that PCI DSS 8.3.4 names locks for as
 * long as it names.
 */
import { hash } from 'node:crypto'
import type { SignInRules } from '#domain/sign-in/sign-in-rules.ts'

export interface LockOutRule {
  /** Failures that cost nothing. */
  readonly free: number
  /** Failures that lock. */
  readonly locking: number
  readonly lockSeconds: number
}

const usualFree = 5
const firstWaitSeconds = 30
/** An office shares a network address, hence more patience with it. */
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

/** Failures are forgotten after a day without another. */
export const forgottenAfterSeconds = 86_400

/** Doubles with every failure beyond the free ones; each failure beyond those that lock makes the lock-out twice as long, once. */
export function waitSeconds(failures: number, { free, locking, lockSeconds }: LockOutRule): number {
  if (failures >= locking) return failures === locking ? lockSeconds : lockSeconds * 2
  if (failures < free) return 0
  return Math.min(lockSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20))
}

/** Until when this attempt locks out, if it fails and has reached the number that does. */
export interface LockOuts {
  readonly email: Date | null
  readonly address: Date | null
}

/** What failures are counted under. An e-mail address that has no account is not kept readable. */
export const emailSubject = (email: string): string => `email ${hash('sha256', email.trim().toLowerCase(), 'hex')}`
export const addressSubject = (network: string): string => `address ${network}`
