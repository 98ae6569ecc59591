/**
 * The signs by which a start detects that its database was restored to an earlier state. The pulse is a counter in the database that running
 * processes raise; each machine notes its last value, the mark, in a file. A pulse below the mark has been turned back.
 */

export interface Signs {
  /** As stored in the database. */
  readonly pulse: { readonly id: string; readonly beats: bigint; readonly cluster: string | null }
  /** The server that answers now; null if it does not identify itself. */
  readonly clusterNow: string | null
  /** The pulse that this machine last saw; null on a machine that never ran the instance. */
  readonly lastSeen: { readonly id: string; readonly beats: bigint } | null
  /** Whether another process of the instance runs on the database and has read its pulse without interruption. */
  readonly hasRunningPeer: boolean
}

/** The reason as a sentence, or null. */
export function restoreReason({ pulse, clusterNow, lastSeen, hasRunningPeer }: Signs): string | null {
  if (lastSeen?.id === pulse.id && lastSeen.beats > pulse.beats) {
    return 'The database is older than when this machine last used it.'
  }
  // A fail-over changes the timeline too. A process that was running at that time has already checked that no write was lost.
  if (hasRunningPeer || pulse.cluster === null || clusterNow === null || pulse.cluster === clusterNow) return null
  return 'The database runs on a different server or timeline, as after a restore.'
}
