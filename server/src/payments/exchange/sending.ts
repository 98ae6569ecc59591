/**
 * A request that is about to be sent, and the time during which it may be executed.
 *
 * The intent stores this time by the database's clock: the time in which the request may still leave this process, plus the acquirer's
 * own timeout. The clock starts before the intent is written, so that the process stops sending before the stored time ends.
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

export async function prepareDeparture(deps: Deps, midId: string): Promise<Departure> {
  const local = localDeparture(deps)
  const { recovery } = await deps.acquirers.find(midId)
  return { ...local, inFlightMs: local.inFlightMs + recovery.executesWithinMs }
}

/** For transactions that no acquirer receives, such as an authentication or a calculation. */
export function localDeparture({ processNumber }: Pick<Deps, 'processNumber'>): Departure {
  const { waitMs } = limits.acquirer
  return { sentBy: processNumber, inFlightMs: waitMs, sendBy: performance.now() + waitMs }
}
