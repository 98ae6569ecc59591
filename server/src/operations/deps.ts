import type { Acquirers, Alerts, Cards, Clock, Configuration, Ids, Log, Payments, Reporter, Usage } from '../ports.ts'
import type { Vault } from '../vault/port.ts'

/** What every operation is given; assembled once in `wiring.ts`. */
export interface Deps {
  readonly payments: Payments
  readonly cards: Cards
  readonly usage: Usage
  readonly vault: Vault
  readonly configuration: Configuration
  readonly acquirers: Acquirers
  readonly reporter: Reporter
  readonly alerts: Alerts
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** The advisory-lock number of this process; see `store/unresolved.ts`. */
  readonly processNumber: number
  /** Tells the callback engine of this process that something is due. */
  wake(): void
}
