/**
 * Metrics for Prometheus (Chapter 50 §9). Every label takes its values from a fixed list; other values count as `other`, because a label
 * that a caller can choose could fill the memory of the process and of the collector.
 *
 * Gauges about the database are queried when they are read. If it does not answer at once they show the figure that was read last, and are left
 * out after a minute; see `last-known.ts`.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { BreakerState } from '#domain/routing/breaker.ts'
import { type BackupSample, backupGauges } from './backup-gauges.ts'
import { type ConditionSource, type ConnectionSample, connectionGauge, healthGauge } from './condition-gauges.ts'
import { type GateMetrics, type GateSample, gateMetrics } from './gate-metrics.ts'
import { figuresOf } from './last-known.ts'
import { gauge } from './number-gauge.ts'
import { type CertificateSample, certificateGauge, type WalletAlertSample, walletAlertGauge } from './wallet-gauges.ts'

export interface MetricsOptions {
  /** Names of every action of every protocol. */
  readonly actions: readonly string[]
  /** Ids of the registered connectors. */
  readonly connectors: readonly string[]
  /** Callbacks that wait for delivery. */
  readonly readCallbackBacklog: () => Promise<number>
  /** Transactions whose outcome the acquirer has not reported yet. */
  readonly countUnresolvedTransactions: () => Promise<number>
  /** The next expiring certificate of each wallet and role. */
  readonly readCertificates?: () => Promise<readonly CertificateSample[]>
  /** The number of open wallet alerts of every kind. */
  readonly countWalletAlerts?: () => Promise<readonly WalletAlertSample[]>
  /** How far the database's clock is ahead of this machine's; NaN before the first comparison. */
  readonly readClockAheadSeconds?: () => Promise<number>
  /** How many of the coming months have a part of their own in the tables of payments. */
  readonly countMonthsAhead?: () => Promise<number>
  readonly readBackups?: () => Promise<BackupSample>
  /** The number of requests at the gate. */
  readonly gate?: () => GateSample
  /** The health checks of this process. */
  readonly condition?: () => ConditionSource
  readonly databaseConnections?: () => ConnectionSample
  /** The circuit breaker of every MID. */
  readonly midHealth?: () => readonly MidSample[]
}

interface MidSample {
  /** The operator's name for the MID; callers cannot create new values. */
  readonly mid: string
  readonly health: BreakerState
}

export interface RequestSample {
  readonly protocol: string
  readonly action: string
  /** A `result` of the interface, otherwise the class of the HTTP status such as `4xx`, or `aborted`. */
  readonly result: string
  readonly seconds: number
}

interface ExchangeSample {
  readonly connector: string
  /** The connector's method: sale, capture, status … */
  readonly operation: string
  readonly outcome: string
  readonly seconds: number
}

interface RefusedTokenSample {
  readonly wallet: string
  /** The failed check: A1 … A18, B1 … B13. */
  readonly check: string
  /** The operator's name for the merchant; callers cannot create new values. */
  readonly merchant: string
}

interface MissingButtonSample {
  readonly wallet: string
  /** A reason of chapter 40 §17. */
  readonly reason: string
  /** The operator's name for the merchant. */
  readonly merchant: string
}

interface NotificationSample {
  /** The operator's name for it; `unknown` for a MID that does not exist, whose name any sender could invent. */
  readonly mid: string
  readonly result: 'taken' | 'unverified' | 'unusable-mid' | 'too-large' | 'not-expected'
}

type CallbackEvent = (typeof callbackEvents)[number]

export interface Metrics {
  readonly gate: GateMetrics
  request(sample: RequestSample): void
  exchange(sample: ExchangeSample): void
  callback(event: CallbackEvent): void
  refusedToken(sample: RefusedTokenSample): void
  notification(sample: NotificationSample): void
  missingButton(sample: MissingButtonSample): void
  /** This process opened the circuit breaker of a MID. */
  breakerOpened(mid: string): void
  /** All metrics in the text format with content type `contentType`. */
  composeText(): Promise<string>
  readonly contentType: string
}

// biome-ignore format: a table is read in columns.
const labelValues = {
  protocol:  ['s2s-card', 's2s-apm', 'checkout', 'hosted-fields', 'page', 'admin', 'docs', 'service', 'none'],
  result:    ['SUCCESS', 'DECLINED', 'REDIRECT', 'ACCEPTED', 'INIT', 'UNDEFINED', 'ERROR', '1xx', '2xx', '3xx', '4xx', '5xx', 'aborted'],
  operation: ['sale', 'authorize', 'debit', 'credit', 'transfer', 'capture', 'refund', 'reverse', 'void', 'status'],
  wallet:    ['walletapay', 'walletbpay'],
  check:     [...numberedChecks('A', 18), ...numberedChecks('B', 13)],
  missing:   ['not offered', 'not enabled', 'lapsed', 'incomplete', 'no mid', 'needs card flow', 'no https', 'domain unverified', 'sandboxed form', 'frame', 'no card', 'browser unsupported'],
  breaker:   ['closed', 'open', 'half-open'],
  outcome:   ['approved', 'declined', 'waiting', 'payer-step', 'unknown', 'not-executed', 'never-arrived'],
} as const

/** `failed` means for good, after the last attempt; `deferred` because the address is blocked. Chapter 10 §11.1. */
const callbackEvents = ['delivered', 'retried', 'deferred', 'failed'] as const

// Up to the 30 s that an answer waits for an acquirer, and beyond.
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45]

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const figure = figuresOf(registry)
  gauge(
    registry,
    'gatehouse_callbacks_backlog',
    'Callbacks waiting for delivery.',
    figure('callbacks_backlog', options.readCallbackBacklog),
  )
  gauge(
    registry,
    'gatehouse_transactions_unresolved',
    'Transactions without an outcome: the acquirer is still asked, or people have to decide.',
    figure('transactions_unresolved', options.countUnresolvedTransactions),
  )
  if (options.readClockAheadSeconds)
    gauge(
      registry,
      'gatehouse_clock_ahead_seconds',
      'Difference between the clock of the database and of this machine; positive if the database is ahead.',
      { read: options.readClockAheadSeconds },
    )
  if (options.countMonthsAhead)
    gauge(
      registry,
      'gatehouse_months_ahead',
      'Coming months whose payments have a part of their own.',
      figure('months_ahead', options.countMonthsAhead),
    )
  if (options.readBackups) backupGauges(registry, figure('backups', options.readBackups))
  if (options.condition) healthGauge(registry, options.condition)
  if (options.databaseConnections) connectionGauge(registry, options.databaseConnections)
  if (options.readCertificates) certificateGauge(registry, figure('wallet_certificates', options.readCertificates))
  if (options.countWalletAlerts) walletAlertGauge(registry, figure('wallet_alerts', options.countWalletAlerts))

  return {
    gate: gateMetrics(registry, options.gate),
    request: requestMetrics(registry, options.actions),
    exchange: exchangeMetrics(registry, options.connectors),
    callback: callbackMetrics(registry),
    refusedToken: refusedTokenMetrics(registry),
    notification: notificationMetrics(registry),
    missingButton: missingButtonMetrics(registry),
    breakerOpened: breakerMetrics(registry, options.midHealth),
    composeText: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function requestMetrics(registry: Registry, actions: readonly string[]): Metrics['request'] {
  const protocolOf = oneOf(labelValues.protocol)
  const actionOf = oneOf([...actions, 'none'])
  const resultOf = oneOf(labelValues.result)
  const requests = new Counter({
    name: 'gatehouse_http_requests_total',
    help: 'Requests answered, or abandoned because the client disconnected.',
    labelNames: ['protocol', 'action', 'result'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'gatehouse_http_request_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['protocol', 'action'],
    buckets: secondsBuckets,
    registers: [registry],
  })

  return (sample) => {
    const labels = { protocol: protocolOf(sample.protocol), action: actionOf(sample.action) }
    requests.inc({ ...labels, result: resultOf(sample.result) })
    durations.observe(labels, sample.seconds)
  }
}

function exchangeMetrics(registry: Registry, connectors: readonly string[]): Metrics['exchange'] {
  const connectorOf = oneOf(connectors)
  const operationOf = oneOf(labelValues.operation)
  const outcomeOf = oneOf(labelValues.outcome)
  const exchanges = new Counter({
    name: 'gatehouse_acquirer_exchanges_total',
    help: 'Requests to acquirers by outcome.',
    labelNames: ['connector', 'operation', 'outcome'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'gatehouse_acquirer_exchange_seconds',
    help: 'Time until an acquirer answered or the request timed out.',
    labelNames: ['connector', 'operation'],
    buckets: secondsBuckets,
    registers: [registry],
  })

  return (sample) => {
    const labels = { connector: connectorOf(sample.connector), operation: operationOf(sample.operation) }
    exchanges.inc({ ...labels, outcome: outcomeOf(sample.outcome) })
    durations.observe(labels, sample.seconds)
  }
}

function callbackMetrics(registry: Registry): Metrics['callback'] {
  const events = new Counter({
    name: 'gatehouse_callbacks_total',
    help: 'Callback attempts by result: delivered, failed, deferred, permanently failed.',
    labelNames: ['event'],
    registers: [registry],
  })
  // A counter that starts at zero shows its first event as an increase; one that appears with the event does not.
  for (const event of callbackEvents) events.inc({ event }, 0)
  return (event) => events.inc({ event })
}

function notificationMetrics(registry: Registry): Metrics['notification'] {
  const received = new Counter({
    name: 'gatehouse_acquirer_notifications_total',
    help: 'Notifications of acquirers, by MID and by whether their sender was verified.',
    labelNames: ['mid', 'result'],
    registers: [registry],
  })
  return ({ mid, result }) => received.inc({ mid, result })
}

function refusedTokenMetrics(registry: Registry): Metrics['refusedToken'] {
  const walletOf = oneOf(labelValues.wallet)
  const checkOf = oneOf(labelValues.check)
  const refused = new Counter({
    name: 'gatehouse_wallet_tokens_refused_total',
    help: 'Wallet tokens refused, by the check that failed.',
    labelNames: ['wallet', 'check', 'merchant'],
    registers: [registry],
  })
  return ({ wallet, check, merchant }) => refused.inc({ wallet: walletOf(wallet), check: checkOf(check), merchant })
}

function missingButtonMetrics(registry: Registry): Metrics['missingButton'] {
  const walletOf = oneOf(labelValues.wallet)
  const reasonOf = oneOf(labelValues.missing)
  const missing = new Counter({
    name: 'gatehouse_wallet_buttons_missing_total',
    help: 'Wallet buttons not shown on a page, by reason.',
    labelNames: ['wallet', 'reason', 'merchant'],
    registers: [registry],
  })
  return ({ wallet, reason, merchant }) => missing.inc({ wallet: walletOf(wallet), reason: reasonOf(reason), merchant })
}

/** One gauge per state, 1 for the current state, so that an alert names the state instead of a number. */
function breakerMetrics(registry: Registry, midHealth: MetricsOptions['midHealth']): Metrics['breakerOpened'] {
  if (midHealth) {
    new Gauge({
      name: 'gatehouse_mid_breaker',
      help: 'State of the circuit breaker of a MID: 1 for the current state.',
      labelNames: ['mid', 'state'],
      registers: [registry],
      collect() {
        this.reset()
        for (const { mid, health } of midHealth())
          for (const state of labelValues.breaker) this.set({ mid, state }, state === health ? 1 : 0)
      },
    })
  }
  const openings = new Counter({
    name: 'gatehouse_mid_breaker_openings_total',
    help: 'Number of times the circuit breaker of a MID opened.',
    labelNames: ['mid'],
    registers: [registry],
  })
  return (mid) => openings.inc({ mid })
}

function numberedChecks(letter: string, last: number): readonly string[] {
  return Array.from({ length: last }, (_, index) => `${letter}${index + 1}`)
}

function oneOf(known: readonly string[]): (value: string) => string {
  const values = new Set(known)
  return (value) => (values.has(value) ? value : 'other')
}
