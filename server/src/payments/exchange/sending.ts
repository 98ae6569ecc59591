/**
 * A request before it leaves, and the time that is kept for it.
 *
 * Its intent says, by the database's clock, until when it may be executed: the time in which it may still leave this process and then
 * the acquirer's own. Both begin before the intent is written, so that the process's limit is never the later one.
 */
import { limits } from '#domain/limits.ts'
import type { PaymentRecord, Sending, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

/** With the last moment, by the monotonic clock of this process, at which the request may leave. */
export interface Departure extends Sending {
  readonly sendBy: number
}

/** A command whose intent is written. */
export interface Intent {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
  readonly departure: Departure
}

export async function departureTo(deps: Deps, midId: string): Promise<Departure> {
  const local = localDeparture(deps)
  const { recovery } = await deps.acquirers.of(midId)
  return { ...local, inFlightMs: local.inFlightMs + recovery.executesWithinMs }
}

/** For transactions that no acquirer receives, such as an authentication or a calculation. */
export function localDeparture({ processNumber }: Pick<Deps, 'processNumber'>): Departure {
  const { waitMs } = limits.acquirer
  return { sentBy: processNumber, inFlightMs: waitMs, sendBy: performance.now() + waitMs }
}
