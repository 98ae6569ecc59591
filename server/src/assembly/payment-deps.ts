/** The stores and partners that commands on payments work with. */
import type { Acquirers } from '../contracts/ports.ts'
import type { GuardedAcquirers } from '../live-guard/acquirers.ts'
import type { RunningMidHealth } from '../mid-health/mid-health.ts'
import { watchedAcquirers } from '../mid-health/watched-acquirers.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Tracing } from '../observe/tracing/tracing.ts'
import type { Deps } from '../payments/request/deps.ts'
import { sessionWatch, watchedPayments } from '../payments/sessions/session-watch.ts'
import { reporter } from '../protocols/reporter.ts'
import { acquirerNotificationStore } from '../store/acquirers/notification-store.ts'
import { callbackAddresses } from '../store/callbacks/callback-credentials.ts'
import type { LoadedConfiguration } from '../store/configuration/configuration.ts'
import { disputeReports } from '../store/finance/disputes/dispute-reports.ts'
import { cardStore } from '../store/payments/cards.ts'
import { deferredCommandStore } from '../store/payments/deferred-commands.ts'
import { openCascadeStore } from '../store/payments/open-cascades.ts'
import { payerStepStore } from '../store/payments/payer-steps.ts'
import { paymentStore } from '../store/payments/payments.ts'
import { reviewStore } from '../store/payments/reviews.ts'
import { usageStore } from '../store/payments/usage.ts'
import { chainStore } from '../store/plans/chains.ts'
import { planStore } from '../store/plans/plans.ts'
import { scheduleStore } from '../store/plans/schedules.ts'
import { riskRecords } from '../store/risk/risk-records.ts'
import { sessionStore } from '../store/sessions/sessions.ts'
import { refusedTokenStore } from '../store/wallets/refused-tokens.ts'
import { externalMpi } from '../three-ds/external.ts'
import { sandboxMpi } from '../three-ds/sandbox.ts'
import type { WalletParts } from '../wallets/accounts/assembly.ts'
import { countRefusals } from './counted-refusals.ts'
import type { ProcessContext } from './process-context.ts'

interface PaymentParts extends Pick<Deps, 'alerts' | 'recovery' | 'processNumber' | 'publicUrl' | 'wake'> {
  readonly configuration: LoadedConfiguration
  readonly acquirers: Acquirers
  readonly guarded: GuardedAcquirers
  readonly midHealth: RunningMidHealth
  readonly wallets: WalletParts
  readonly metrics: Metrics
  readonly tracing: Tracing | null
  readonly sandboxUrl: string | null
}

export function assemblePaymentDeps(base: ProcessContext, parts: PaymentParts): Deps {
  const { config, pool, vault, clock, ids, log } = base
  const { configuration, acquirers, midHealth, tracing, processNumber, publicUrl } = parts
  const watch = sessionWatch()
  const [payments, plans] = [paymentStore(pool), planStore(pool, processNumber)]
  return {
    payments: watchedPayments(tracing?.payments(payments) ?? payments, watch),
    watch,
    steps: payerStepStore(pool, processNumber),
    notifications: acquirerNotificationStore(pool),
    cards: cardStore(pool),
    callbackAddresses: callbackAddresses({ pool, vault, clock }),
    chains: chainStore(pool),
    schedules: scheduleStore(pool),
    plans: tracing?.plans(plans) ?? plans,
    deferred: deferredCommandStore(pool, processNumber),
    cascades: openCascadeStore(pool, processNumber),
    usage: usageStore(pool),
    risk: riskRecords(pool),
    reviews: reviewStore(pool),
    midHealth,
    sessions: sessionStore(pool),
    wallets: parts.wallets.accounts,
    refusedTokens: countRefusals(refusedTokenStore(pool, ids), parts.metrics, configuration),
    sandbox: config.instanceMode === 'sandbox',
    vault,
    configuration,
    acquirers: watchedAcquirers(acquirers, midHealth, clock),
    mpis: mpisOf(base, parts),
    ...(tracing ? { traceJob: tracing.traceJob } : {}),
    reporter: reporter({ configuration, acquirers, ids }),
    alerts: parts.alerts,
    disputes: disputeReports(pool),
    recovery: parts.recovery,
    clock,
    ids,
    log,
    planRetryHours: config.planRetryHours,
    retryBudgets: config.retryBudgets,
    issuers: config.issuers,
    processNumber,
    publicUrl,
    wake: parts.wake,
  }
}

const mpisOf = ({ config, log }: ProcessContext, { sandboxUrl, publicUrl, guarded }: PaymentParts): Deps['mpis'] => ({
  sandbox: sandboxUrl === null ? null : sandboxMpi({ url: () => sandboxUrl, publicUrl, log }),
  external: config.mpi && externalMpi({ ...config.mpi, log, connect: guarded.wires.connect?.(null) }),
})
