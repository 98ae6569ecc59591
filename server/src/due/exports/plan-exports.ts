/** Adds a run for each period of a scheduled export that is over, oldest first and each once. Chapter 70 §5. */
import { periodAfter, periodOf } from '#domain/export/export-period.ts'
import { isZone } from '#domain/schedule/day.ts'
import type { DueSchedules } from '../../contracts/exports/export-ports.ts'
import type { Clock, Ids, Log } from '../../contracts/ports.ts'
import { type DueWork, runDueWork } from '../due-work.ts'

interface PlanParts {
  readonly schedules: DueSchedules
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const pollMs = 10_000

/** No lease: of two workers that find the same schedule, one moves it on and writes the run. Each look adds one period of a schedule. */
export function runExportPlans({ schedules, clock, ids, log }: PlanParts): DueWork {
  return runDueWork({
    name: 'export plans',
    claim: (limit) => schedules.list(clock.now(), limit),
    run: (schedule) => {
      // A fault would be repeated at each look, and leave no free slot for other schedules.
      if (!isZone(schedule.timeZone)) return schedules.pauseForUnknownZone(schedule)
      const due = periodOf(schedule, schedule.nextDay)
      return schedules.plan(schedule, due, periodAfter(schedule, due))
    },
    concurrency: 4,
    pollMs,
    ids,
    log,
  })
}
