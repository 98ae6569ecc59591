import type { Issuers } from '#domain/issuer.ts'
import type { RetryBudgets } from '#domain/routing/budget.ts'
import type { Disputes } from '../../contracts/dispute-ports.ts'
import type { AcquirerNotifications } from '../../contracts/notification-ports.ts'
import type {
  Acquirers,
  Alerts,
  CallbackAddresses,
  Cards,
  Chains,
  Clock,
  Configuration,
  DeferredCommands,
  Ids,
  LimitUsages,
  Log,
  OpenCascades,
  PayerSteps,
  Payments,
  Plans,
  Recovery,
  RefusedTokens,
  Reporter,
  Schedules,
  WalletAccounts,
} from '../../contracts/ports.ts'
import type { Reviews, RiskRecords } from '../../contracts/risk-ports.ts'
import type { MidHealthTracker } from '../../contracts/routing-ports.ts'
import type { Sessions, SessionWatch } from '../../contracts/session-ports.ts'
import type { Mpis } from '../../three-ds/mpi.ts'
import type { Vault } from '../../vault/port.ts'

/** The dependencies of every operation; assembled once in `wiring.ts`. */
export interface Deps {
  readonly payments: Payments
  readonly steps: PayerSteps
  readonly notifications: AcquirerNotifications
  readonly cards: Cards
  readonly callbackAddresses: Pick<CallbackAddresses, 'seal'>
  readonly chains: Chains
  readonly schedules: Schedules
  readonly plans: Plans
  readonly deferred: DeferredCommands
  readonly cascades: OpenCascades
  readonly usage: LimitUsages
  readonly risk: RiskRecords
  readonly reviews: Reviews
  /** MID health, in memory. */
  readonly midHealth: MidHealthTracker
  readonly sessions: Sessions
  /** Requests of this process that wait for the outcome of a session. */
  readonly watch: SessionWatch
  readonly wallets: WalletAccounts
  readonly refusedTokens: RefusedTokens
  readonly vault: Vault
  readonly configuration: Configuration
  readonly acquirers: Acquirers
  readonly mpis: Mpis
  readonly reporter: Reporter
  /** Records work of a worker on a payment; absent without traces. The payment is null if the work creates it. */
  readonly traceJob?: <T>(name: string, paymentId: string | null, work: () => Promise<T>) => Promise<T>
  readonly alerts: Alerts
  readonly disputes: Disputes
  readonly issuers: Issuers
  readonly recovery: Pick<Recovery, 'recoveredAt'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** An instance in sandbox mode, where no money moves. */
  readonly sandbox: boolean
  /** Hours between a soft decline of a plan payment and its retry, one entry per decline. Empty means no retry. Chapter 10 §9.2. */
  readonly planRetryHours: readonly number[]
  /** How often a card may be tried again, by network. Chapter 50 §4. */
  readonly retryBudgets: RetryBudgets
  /** The advisory-lock number of this process; see `store/payments/unresolved.ts`. */
  readonly processNumber: number
  /** The address under which browsers and merchants reach this service, without a slash at its end. */
  publicUrl(): string
  /** Wakes the callback worker of this process, because a callback is due. */
  wake(): void
}
