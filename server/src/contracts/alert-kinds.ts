/** Every kind of alert; docs/operations/runbook.md says for each what it means and what to do. */
export const alertKinds = [
  'account.unused',
  'acquirer-event',
  'amount-mismatch',
  'clock-off',
  'executed-late',
  'late-outcome',
  'late-success',
  'mid-failing',
  'mid-unusable',
  'notifications-silent',
  'outcome-unknown',
  'plan-payment-refused',
  'policy-report',
  'processing key mismatch',
  'restored-effect-unknown',
  'sandbox token on live',
  'script-altered',
  'wallet certificate expiry',
  'wallet domain failing',
  'wallet domain suspended',
  'wallet expiry unknown',
  'wallet keys ending',
  'wallet root expiry',
  'wallet session failing',
] as const

export type AlertKind = (typeof alertKinds)[number]
