/** Disputes: their stages, and when people are warned of a deadline. Chapter 70 §4. */

export const disputeStages = ['inquiry', 'chargeback', 'pre-arbitration', 'won', 'lost'] as const
export type DisputeStage = (typeof disputeStages)[number]

// biome-ignore format: a table is read in columns.
const stages: Readonly<Record<DisputeStage, { readonly isClosed: boolean; readonly ofInquiry: boolean; readonly ofChargeback: boolean }>> = {
  // stage              people change it no more   of these a person chooses one: of an inquiry, of a chargeback
  'inquiry':         { isClosed: false,           ofInquiry: true,                                  ofChargeback: false },
  'chargeback':      { isClosed: false,           ofInquiry: false,                                 ofChargeback: true  },
  'pre-arbitration': { isClosed: false,           ofInquiry: false,                                 ofChargeback: true  },
  'won':             { isClosed: true,            ofInquiry: true,                                  ofChargeback: false },
  'lost':            { isClosed: true,            ofInquiry: true,                                  ofChargeback: false },
}

/** People change it no more; only a newer report of the acquirer does (decisions/disputes#newest-report). */
export const isClosed = (stage: DisputeStage): boolean => stages[stage].isClosed

export const closedStages: readonly DisputeStage[] = disputeStages.filter(isClosed)

/**
 * Stages that one person may choose. An inquiry took no money, so that only its chargeback makes it one, as the acquirer reports it or a person records it at the
 * payment; and a chargeback is no inquiry again. Two people decide whether a chargeback is won or lost (decisions/disputes#decided-by-people).
 */
export const choosableStages = (isChargedBack: boolean): readonly DisputeStage[] =>
  disputeStages.filter((stage) => (isChargedBack ? stages[stage].ofChargeback : stages[stage].ofInquiry))

/** Days before the deadline on which people are warned, the earliest first. */
const warningDays = [7, 3, 1] as const

/** The warning that is due so many days before the deadline; null if none is, or it was given. */
export function dueWarning(daysLeft: number, warnedDays: number | null): number | null {
  const due = warningDays.findLast((days) => daysLeft <= days)
  if (due === undefined || daysLeft < 0) return null
  return warnedDays !== null && warnedDays <= due ? null : due
}
