import type { Findings } from '../campaign.ts'
import type { StageDatabase } from '../stage/database.ts'

/** A database whose log is archived, and which can be lost and restored to a moment. */
export interface RestorableServer extends StageDatabase {
  takeBaseBackup(): Promise<void>
  /** Absent for a single server. */
  failOver?(): Promise<void>
  /** By the server's clock, between two commits. */
  moment(): Promise<Date>
  /** Until every change is in the archive. */
  archive(): Promise<void>
  /** The server and its files are gone. The restored one has the same address. */
  restoreTo(moment: Date): Promise<void>
  /** Whether it is as complete as before its loss. */
  judgeRestored?(): Promise<Findings>
}
