/** Detects at the start whether the database was restored, and begins recovery if it was. Chapter 80 §4. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Log } from '../contracts/ports.ts'
import type { Pool } from '../store/database/pool.ts'
import { readProcessCount } from '../store/instance/presence.ts'
import { pulseStore, recoveryStore } from '../store/instance/recovery.ts'
import { markFile, readMark } from './mark-file.ts'
import { restoreReason } from './restore-signs.ts'

/**
 * After a fail-over all processes lose their connections, and those that were running come back within 20 seconds. A process that starts at
 * that moment must not take their absence for a restore.
 */
const usualPatienceMs = 25_000
const lookEveryMs = 500

interface Base {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Pick<Log, 'info'>
}

/** Call it before this process announces itself, so that every counted process is another one. Returns the reason, or null. */
export async function detectRestore(
  { pool, clock, log }: Base,
  dataDir: string,
  patienceMs = usualPatienceMs,
): Promise<string | null> {
  const pulses = pulseStore(pool)
  // Before the pulse: another process of this machine may beat in between, and a mark of that beat would be ahead of the pulse.
  const lastSeen = await readMark(markFile(dataDir))
  const pulse = await pulses.read()
  if (!pulse) return null
  const clusterNow = await pulses.readCluster()
  const reasonWith = (hasRunningPeer: boolean) => restoreReason({ pulse, clusterNow, lastSeen, hasRunningPeer })
  const dependsOnPeers = reasonWith(true) === null && reasonWith(false) !== null
  if (dependsOnPeers && !(await hasPeer(pool)))
    log.info({}, 'The database runs on another server or timeline. Waiting whether other processes return to it.')
  const hasRunningPeer = await waitForPeer(pool, dependsOnPeers ? patienceMs : 0)
  const reason = reasonWith(hasRunningPeer)
  if (reason !== null) await recoveryStore(pool).begin(reason, clock.now())
  if (clusterNow !== null && !hasRunningPeer) await pulses.keepCluster(clusterNow)
  return reason
}

const hasPeer = async (pool: Pool): Promise<boolean> => (await readProcessCount(pool)) > 0

async function waitForPeer(pool: Pool, withinMs: number): Promise<boolean> {
  for (let leftMs = withinMs; leftMs > 0; leftMs -= lookEveryMs) {
    if (await hasPeer(pool)) return true
    await sleep(lookEveryMs)
  }
  return hasPeer(pool)
}
