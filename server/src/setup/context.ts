/** What every change of merchants, MIDs, brands, rules and forms needs, from the panel, the command line and the demo alike. */
import type { Clock, Ids } from '../contracts/ports.ts'
import type { Queryable } from '../store/database/pool.ts'
import type { Vault } from '../vault/port.ts'

export interface SetupContext {
  readonly pool: Queryable
  readonly vault: Vault
  readonly clock: Clock
  readonly ids: Ids
}
