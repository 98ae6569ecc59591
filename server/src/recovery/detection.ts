/** Detects at the start whether the database was restored, and begins recovery if it was. Chapter 80 §4. */
import type { Clock } from '../contracts/ports.ts'
import type { Pool } from '../store/database/pool.ts'
import { readProcessCount } from '../store/instance/presence.ts'
import { pulseStore, recoveryStore } from '../store/instance/recovery.ts'
import { markFile, readMark } from './mark-file.ts'
import { restoreReason } from './restore-signs.ts'

/** Call it before this process announces itself, so that every counted process is another one. Returns the reason, or null. */
export async function detectRestore(
  { pool, clock }: { readonly pool: Pool; readonly clock: Clock },
  dataDir: string,
): Promise<string | null> {
  const pulses = pulseStore(pool)
  const pulse = await pulses.read()
  if (!pulse) return null
  const clusterNow = await pulses.clusterNow()
  const lastSeen = await readMark(markFile(dataDir))
  const hasRunningPeer = (await readProcessCount(pool)) > 0
  const reason = restoreReason({ pulse, clusterNow, lastSeen, hasRunningPeer })
  if (reason !== null) await recoveryStore(pool).begin(reason, clock.now())
  if (clusterNow !== null && !hasRunningPeer) await pulses.keepCluster(clusterNow)
  return reason
}
