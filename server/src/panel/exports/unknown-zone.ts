/**
 * A scheduled export whose time zone this program does not know. It is refused when it is entered; a stored one can become unknown, because
 * names of zones come and go with the program that knows them. Chapter 70 §5.
 */
import { isZone } from '#domain/schedule/day.ts'
import type { Clock, Ids } from '../../contracts/ports.ts'
import type { Pool } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { pauseWithAlert } from '../../store/exports/export-runs.ts'
import { AdminRefused } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import { exportWorker } from './export-worker.ts'

interface Zoned {
  readonly id: string
  readonly timeZone: string
}

const faultOf = ({ timeZone }: Zoned): string =>
  `Its time zone ${timeZone} is unknown. Choose another one, then resume it.`

/** Neither its last period nor its next one can be found then. */
export function requireKnownZone(schedule: Zoned): void {
  if (!isZone(schedule.timeZone)) throw new AdminRefused('conflict', { message: faultOf(schedule) })
}

/** Pauses it with an alert and an entry of the audit log, so that the other schedules go on. */
export const pauseForUnknownZone = (
  context: { readonly pool: Pool; readonly clock: Clock; readonly ids: Ids },
  schedule: Zoned,
): Promise<void> =>
  inTransaction(context.pool, async (client) => {
    const fault = { at: context.clock.now(), text: faultOf(schedule) }
    if (!(await pauseWithAlert(client, context, schedule.id, fault))) return
    await note(client, context.clock, exportWorker, {
      action: 'export-schedule.pause',
      subject: `export-schedule ${schedule.id}`,
      merchantId: null,
      after: { reason: fault.text },
    })
  })
