/** Joins the condition of a process to its work: engines stand while the clock is far off, and health hears of both. */
import type { DueWork } from './due/due-work.ts'
import type { Foundation } from './foundation.ts'
import type { ClockState } from './health/clock-guard.ts'
import { type Vitals, watchVitals } from './health/vitals.ts'
import type { Alerts } from './ports.ts'
import { release } from './release.ts'
import { processBeatStore } from './store/process-beats.ts'

export interface ConditionParts {
  /** Made in this turn: with a clock that is far off not even their first look happens. */
  readonly engines: readonly DueWork[]
  readonly alerts: Alerts
  readonly process: number
}

export function followCondition(base: Foundation, { engines, alerts, process }: ConditionParts): Vitals {
  const { config, pool, clockGuard: guard } = base
  const follow = (state: ClockState): void => {
    for (const engine of engines) {
      if (state === 'far off') engine.hold()
      else engine.resume()
    }
  }
  follow(guard.state)
  guard.watch({ alerts, changed: follow })
  const vitals = watchVitals({ beats: processBeatStore(pool), process, role: config.role, release, guard, engines })
  return {
    ...vitals,
    stop: () => {
      guard.stop()
      return vitals.stop()
    },
  }
}
