/** Disputes: their stages, when people are warned of a deadline, and what evidence may be. Chapter 70 §4. */

export const disputeStages = ['inquiry', 'chargeback', 'pre-arbitration', 'won', 'lost'] as const
export type DisputeStage = (typeof disputeStages)[number]

/** People change it no more; only a newer report of the acquirer does (decision 0181). */
export const isClosed = (stage: DisputeStage): boolean => stage === 'won' || stage === 'lost'

/** Days before the deadline on which people are warned, the earliest first. */
const warningDays = [7, 3, 1] as const

/** The warning that is due so many days before the deadline; null if none is, or it was given. */
export function dueWarning(daysLeft: number, warnedDays: number | null): number | null {
  const due = warningDays.findLast((days) => daysLeft <= days)
  if (due === undefined || daysLeft < 0) return null
  return warnedDays !== null && warnedDays <= due ? null : due
}

export const evidenceBytes = 5 * 1024 * 1024

export type EvidenceType = 'application/pdf' | 'image/png' | 'image/jpeg'

/** By content, because the name of a file says what its sender likes. Null for anything else. */
export function evidenceTypeOf(bytes: Uint8Array): EvidenceType | null {
  const begins = (...signs: readonly number[]): boolean => signs.every((sign, index) => bytes[index] === sign)
  if (begins(0x25, 0x50, 0x44, 0x46, 0x2d)) return 'application/pdf'
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  return begins(0xff, 0xd8, 0xff) ? 'image/jpeg' : null
}
