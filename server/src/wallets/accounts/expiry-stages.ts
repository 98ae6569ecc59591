/** The stages at which an expiring certificate is reported, in days before its expiry. Chapter 40 §6. */

import { limits } from '#domain/limits.ts'
import { dayMs } from '#domain/time.ts'

/** The last stage that a certificate has reached; null before the first. */
export function expiryStage(until: Date, now: Date): number | null {
  const daysLeft = (until.getTime() - now.getTime()) / dayMs
  const passed = [...limits.wallet.expiryAlertDays, 0].filter((days) => daysLeft <= days)
  return passed.at(-1) ?? null
}

/** When the stage changes next; null if the certificate has expired. */
export function nextStageAt(until: Date, now: Date): Date | null {
  const moments = [...limits.wallet.expiryAlertDays, 0].map((days) => new Date(until.getTime() - days * dayMs))
  return moments.find((moment) => moment > now) ?? null
}
