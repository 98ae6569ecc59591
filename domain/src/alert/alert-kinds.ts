/** Every kind of alert with its severity; docs/operations/runbook.md says for each what it means and what to do. */
import type { AlertSeverity } from './alert-severity.ts'

// biome-ignore format: a table is read in columns.
const severities = {
  'account.unused':            'notice',
  'acquirer-event':            'warning',
  'amount-mismatch':           'critical',
  'callback-failed':           'warning',
  'clock-off':                 'warning',
  'decision-contradicted':     'critical',
  'disk-low':                  'critical',
  'dispute-answer':            'critical',
  'dispute-due':               'warning',
  'executed-late':             'warning',
  'export-failed':             'warning',
  'give-back':                 'critical',
  'late-outcome':              'warning',
  'late-success':              'warning',
  'mid-certificate-expiring':  'warning',
  'mid-failing':               'warning',
  'mid-unusable':              'critical',
  'month-missing':             'warning',
  'notifications-silent':      'warning',
  'outcome-unknown':           'critical',
  'payout-at-bank':            'warning',
  'plan-payment-refused':      'warning',
  'policy-report':             'warning',
  'processing key mismatch':   'critical',
  'refund-failed':             'critical',
  'replication-behind':        'critical',
  'restored-effect-unknown':   'critical',
  'review-due':                'warning',
  'sandbox token on live':     'warning',
  'script-altered':            'critical',
  'settlement-difference':     'warning',
  'wallet certificate expiry': 'warning',
  'wallet domain failing':     'warning',
  'wallet domain suspended':   'critical',
  'wallet expiry unknown':     'notice',
  'wallet keys ending':        'warning',
  'wallet root expiry':        'warning',
  'wallet session failing':    'critical',
} as const satisfies Readonly<Record<string, AlertSeverity>>

export type AlertKind = keyof typeof severities

// The names of the table are the kinds.
export const alertKinds = Object.keys(severities) as readonly AlertKind[]

/** A kind of an earlier or later release is a warning. */
export const severityOf = (kind: string): AlertSeverity =>
  Object.entries(severities).find(([name]) => name === kind)?.[1] ?? 'warning'

/** Selects the kinds of one severity: any kind but those of the others, since a kind that is not known counts as a warning. */
export function kindsOfSeverity(severity: AlertSeverity): {
  readonly only: readonly string[] | null
  readonly but: readonly string[]
} {
  const [own, others] = [
    alertKinds.filter((kind) => severityOf(kind) === severity),
    alertKinds.filter((kind) => severityOf(kind) !== severity),
  ]
  return severity === 'warning' ? { only: null, but: others } : { only: own, but: [] }
}
