/**
 * Counts standbys that have vanished as missing. Patroni before 4.0 drops the replication slot of a machine seconds after it has vanished, and then nothing on the
 * server names it: what remains is that there were more of them. See decisions/high-availability#vanished-standbys.
 */
import { dayMs } from '#domain/time.ts'

/** After this time missing standbys count as removed. */
const rememberedMs = 7 * dayMs

interface Standbys {
  readonly connected: number
  readonly missing: number
  readonly lost: number
  readonly isHidden: boolean
}

/** `nowMs` is a monotonic clock. */
export function countVanishedStandbys<State extends Standbys>(
  read: () => Promise<State>,
  nowMs: () => number = () => performance.now(),
): () => Promise<State> {
  let known = 0
  let knownAt = nowMs()
  return async () => {
    const state = await read()
    const { connected, missing, lost, isHidden } = state
    if (isHidden) return state
    if (connected >= known || nowMs() - knownAt > rememberedMs) {
      known = connected
      knownAt = nowMs()
    }
    return { ...state, missing: Math.max(missing, known - connected - lost) }
  }
}
