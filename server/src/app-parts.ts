/** What the apps are built from. */
import type { ProcessContext } from './assembly/process-context.ts'
import type { Alerts, Configuration, Idempotency, Recovery } from './contracts/ports.ts'
import type { RefusedRequestLog } from './contracts/refused-requests.ts'
import type { SessionTokens } from './contracts/session-ports.ts'
import type { Vitals } from './health/vitals.ts'
import type { Metrics } from './observe/metrics.ts'
import type { Tracing } from './observe/tracing/tracing.ts'
import type { Gate } from './overload/gate.ts'
import type { PanelContext } from './panel/panel-context.ts'
import type { Operations } from './payments/index.ts'
import type { WebFiles } from './protocols/assets/web-files.ts'
import type { WalletParts } from './wallets/accounts/assembly.ts'

export interface AppParts {
  readonly base: ProcessContext
  readonly operations: Operations
  readonly configuration: Configuration
  readonly idempotency: Idempotency
  readonly refusedRequests: RefusedRequestLog
  readonly sessionTokens: SessionTokens
  readonly wallets: Pick<WalletParts, 'sessions' | 'files' | 'buttons'>
  readonly alerts: Alerts
  readonly recovery: Recovery
  readonly webFiles: WebFiles
  readonly metrics: Metrics
  readonly gate: Gate
  /** Null if traces are not configured. */
  readonly tracing: Tracing | null
  /** The sandbox whose pages are served under `/sandbox/`; null if there is none. */
  readonly sandboxUrl: string | null
  readonly publicUrl: () => string
  readonly context: PanelContext
  readonly vitals: Pick<Vitals, 'checks' | 'notices'>
  /** How long the body of a request may take to arrive. */
  readonly bodyMs?: number
}
