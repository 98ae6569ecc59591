/** Starts the workers of payments: callbacks, open outcomes, plans, and what acquirers report. */

import { runAcquirerEvents } from '../due/acquirer-events.ts'
import { runAcquirerReports } from '../due/acquirer-reports.ts'
import { runCallbacks } from '../due/callbacks/callbacks.ts'
import { runDeferredCommands } from '../due/deferred-commands.ts'
import { runDisputeAnswers } from '../due/dispute-answers.ts'
import type { DueWork } from '../due/due-work.ts'
import { runNotificationSilence } from '../due/notification-silence.ts'
import { runOpenCascades } from '../due/open-cascades.ts'
import { runPayerSteps } from '../due/payer-steps.ts'
import { runPaymentSummaries } from '../due/payment-summaries.ts'
import { runPeriodicCharges } from '../due/periodic-charges.ts'
import { runReconciler } from '../due/reconcile.ts'
import { reviewAlertKind, runReviewDeadlines } from '../due/review-deadlines.ts'
import { runSchedules } from '../due/schedules.ts'
import { runSessionCodes } from '../due/session-codes.ts'
import { runWatches } from '../due/watches.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Tracing } from '../observe/tracing/tracing.ts'
import type { Deps } from '../payments/request/deps.ts'
import { machineTime } from '../process/clock.ts'
import { release } from '../process/release.ts'
import { acquirerCursorStore } from '../store/acquirers/acquirer-cursors.ts'
import { acquirerEventStore } from '../store/acquirers/acquirer-events.ts'
import { findUnreportedSilences, silenceAlertKind } from '../store/acquirers/silence-alerts.ts'
import { undecidedReviews } from '../store/alerts/undecided-reviews.ts'
import { callbackAddresses } from '../store/callbacks/callback-credentials.ts'
import { callbackRows } from '../store/callbacks/callbacks.ts'
import type { LoadedConfiguration } from '../store/configuration/configuration.ts'
import { disputeAnswerStore } from '../store/finance/disputes/dispute-answers.ts'
import { bookPeriodicCharges } from '../store/finance/periodic-charges.ts'
import { summarisePayments } from '../store/payments/summaries/payment-summaries.ts'
import { transactionWatchStore } from '../store/payments/transaction-watches.ts'
import { unresolvedStore } from '../store/payments/unresolved.ts'
import { chargeReads } from '../store/plans/charge-reads.ts'
import { startMonths } from './month-worker.ts'
import type { ProcessContext } from './process-context.ts'

/** The callback worker comes first: operations wake it. */
export function startPaymentWorkers(
  base: ProcessContext,
  deps: Deps,
  configuration: LoadedConfiguration,
  { metrics, tracing }: { readonly metrics: Metrics; readonly tracing: Tracing | null },
): readonly DueWork[] {
  const { config, pool, vault, clock, ids, log } = base
  const knownAddresses = callbackAddresses({ pool, vault, clock })
  const callbacks = runCallbacks({
    rows: callbackRows(pool, deps.processNumber),
    readSecrets: (merchantId) => configuration.readSecrets(merchantId),
    readAddress: ({ merchantId, url }) => knownAddresses.open(merchantId, url),
    addresses: { allowPrivate: config.allowPrivateCallbacks },
    clock,
    machineClock: machineTime(clock),
    ids,
    log,
    alerts: deps.alerts,
    version: release,
    onResult: (result) => metrics.callback(result === 'retry' ? 'retried' : result),
    ...(tracing ? { wrapDelivery: (callback, deliver) => tracing.traceCallback(callback, deliver) } : {}),
  })
  return [
    callbacks,
    runReconciler(deps, unresolvedStore(pool, deps.processNumber)),
    runWatches(deps, transactionWatchStore(pool, deps.processNumber)),
    runPayerSteps(deps),
    runSchedules(deps, chargeReads(pool, deps)),
    runDeferredCommands(deps),
    runOpenCascades(deps),
    runSessionCodes(deps),
    runAcquirerReports(deps, acquirerCursorStore(pool, deps.processNumber)),
    runAcquirerEvents(deps, acquirerEventStore(pool, deps.processNumber)),
    runDisputeAnswers(deps, disputeAnswerStore(pool)),
    runReviewDeadlines({
      listUndecided: undecidedReviews(pool, reviewAlertKind),
      alerts: deps.alerts,
      clock,
      ids,
      log,
    }),
    runPaymentSummaries({ summarise: (now) => summarisePayments(pool, now), clock, ids, log }),
    runPeriodicCharges({ book: (now) => bookPeriodicCharges(pool, now), clock, ids, log }),
    startMonths(base, deps.alerts),
    runNotificationSilence({
      listUnreported: () => findUnreportedSilences(pool, (id) => configuration.mid(id)?.name ?? null, clock.now()),
      kind: silenceAlertKind,
      alerts: deps.alerts,
      ids,
      log,
    }),
  ]
}
