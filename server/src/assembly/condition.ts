/** Pauses the workers of a process while its clock is far off or the instance is in recovery, and reports that in its health. */
import type { Alerts } from '../contracts/ports.ts'
import type { DueWork } from '../due/due-work.ts'
import { watchDescriptors } from '../health/descriptors.ts'
import { countVanishedStandbys } from '../health/vanished-standbys.ts'
import { type Vitals, watchVitals } from '../health/vitals.ts'
import { memoryCondition } from '../process/memory-guard.ts'
import { release } from '../process/release.ts'
import type { KnownRecovery } from '../recovery/recovery.ts'
import { findSilentNodes } from '../store/instance/database-nodes.ts'
import { processBeatStore } from '../store/instance/process-beats.ts'
import { readStandbyState } from '../store/instance/replication.ts'
import type { ProcessContext } from './process-context.ts'

interface ConditionParts {
  /** Created in the same tick, so that with a clock that is far off not even their first poll happens. */
  readonly workers: readonly DueWork[]
  readonly alerts: Alerts
  readonly recovery: KnownRecovery
  readonly processNumber: number
  readonly sandboxUrl: string | null
}

export function followCondition(
  base: ProcessContext,
  { workers, alerts, recovery, processNumber, sandboxUrl }: ConditionParts,
): Vitals {
  const { config, pool, clockGuard: guard, refusedWrites, log } = base
  const follow = (): void => {
    const held = guard.state === 'far off' || recovery.active
    for (const worker of workers) {
      if (held) worker.hold()
      else worker.resume()
    }
  }
  follow()
  guard.watch({ alerts, announceChange: follow })
  recovery.watch(follow)
  const beats = processBeatStore(pool)
  const readStandbys = countVanishedStandbys(() => readStandbyState(pool))
  const descriptors = watchDescriptors({ log })
  const vitals = watchVitals({
    beats,
    process: processNumber,
    role: config.role,
    release,
    guard,
    recovery,
    workers,
    readStandbys,
    findSilentNodes: () => findSilentNodes(pool),
    memory: memoryCondition,
    descriptors,
    askSandbox: sandboxUrl === null ? null : () => isAnswering(sandboxUrl),
  })
  refusedWrites.watch(() => vitals.probeAtOnce())
  return {
    ...vitals,
    stop: () => {
      guard.stop()
      descriptors.stop()
      return vitals.stop()
    },
  }
}

/** Within the time that health gives each part. */
const sandboxAnswersMs = 1_500

/** One that is only slow is not gone, as on a machine whose programs wait for the processor. */
const isAnswering = (sandboxUrl: string): Promise<boolean> =>
  fetch(`${sandboxUrl}/health`, { signal: AbortSignal.timeout(sandboxAnswersMs) }).then(
    (reply) => reply.ok,
    (error: unknown) => error instanceof Error && error.name === 'TimeoutError',
  )
