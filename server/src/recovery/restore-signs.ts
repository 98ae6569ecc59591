/** The signs by which a start recognises that its database was restored to an earlier state. */

export interface Signs {
  /** As the database says. */
  readonly pulse: { readonly id: string; readonly beats: bigint; readonly cluster: string | null }
  /** The server that answers now; null where it does not tell. */
  readonly clusterNow: string | null
  /** What this machine last saw; null on a machine that never ran the instance. */
  readonly mark: { readonly id: string; readonly beats: bigint } | null
  /** Another process of the instance runs on the database, and has watched it without a break. */
  readonly accompanied: boolean
}

/** The reason in a sentence, or null. */
export function restoreReason({ pulse, clusterNow, mark, accompanied }: Signs): string | null {
  if (mark?.id === pulse.id && mark.beats > pulse.beats) {
    return 'The database is older than when this machine last used it.'
  }
  // After a fail-over the timeline is new too. A process that ran through it has checked that nothing was lost.
  if (accompanied || pulse.cluster === null || clusterNow === null || pulse.cluster === clusterNow) return null
  return 'The database runs on a different server or timeline, as after a restore.'
}
