/** Starts the worker of the parts by month, and counts the months that are prepared. Chapter 80 §2. */
import { dayMs } from '#domain/time.ts'
import type { Alerts } from '../contracts/ports.ts'
import type { DueWork } from '../due/due-work.ts'
import { runMonths } from '../due/months.ts'
import { noteRemovedMonth } from '../panel/instance/retention.ts'
import { monthsAhead, readParts } from '../store/months/parts.ts'
import { analyseTables, prepareMonths } from '../store/months/prepare.ts'
import { removeOldestMonth } from '../store/months/removal.ts'
import type { ProcessContext } from './process-context.ts'

export const readMonthsAhead = async ({ pool, clock }: Pick<ProcessContext, 'pool' | 'clock'>): Promise<number> =>
  monthsAhead(await readParts(pool), clock.now())

export function startMonths({ config, pool, clock, ids, log }: ProcessContext, alerts: Alerts): DueWork {
  const { paymentDays } = config
  return runMonths({
    prepare: async (now) => {
      const prepared = await prepareMonths(pool, now)
      return prepared && { ...prepared, ahead: await readMonthsAhead({ pool, clock }) }
    },
    analyse: () => analyseTables(pool),
    remove: async (now) => {
      if (paymentDays === null) return null
      const before = new Date(now.getTime() - paymentDays * dayMs)
      const note = noteRemovedMonth(clock, before)
      return (await removeOldestMonth(pool, { now, before, note }))?.suffix ?? null
    },
    alerts,
    clock,
    ids,
    log,
  })
}
