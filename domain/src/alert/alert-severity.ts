/** How urgent an alert is, from the least to the most urgent. */
export const alertSeverities = ['notice', 'warning', 'critical'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

export const isAtLeast = (severity: AlertSeverity, least: AlertSeverity): boolean =>
  alertSeverities.indexOf(severity) >= alertSeverities.indexOf(least)
