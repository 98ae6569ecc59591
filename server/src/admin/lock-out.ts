/**
 * How long somebody has to wait after failed sign-ins. An attempt counts before it is judged, so that attempts side by side get no more
 * tries than one after the other; a success forgets them all.
 */
export interface LockOutRule {
  /** Failures that cost nothing. */
  readonly free: number
  readonly firstWaitSeconds: number
  readonly longestWaitSeconds: number
}

/** By e-mail address, existing or not. */
export const byEmail: LockOutRule = { free: 5, firstWaitSeconds: 30, longestWaitSeconds: 3600 }

/** By network address: an office shares one, hence more patience. */
export const byAddress: LockOutRule = { free: 30, firstWaitSeconds: 30, longestWaitSeconds: 3600 }

/** Failures are forgotten after a day without another. */
export const forgottenAfterSeconds = 86_400

/** Doubles with every failure beyond the free ones. */
export function waitSeconds(failures: number, { free, firstWaitSeconds, longestWaitSeconds }: LockOutRule): number {
  if (failures < free) return 0
  return Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20))
}
