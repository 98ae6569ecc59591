/** Alerts as people and programs receive them. They name our own identifiers and never data of a payer. */

import { createHash } from 'node:crypto'
import { severityOf } from '#domain/alert/alert-kinds.ts'
import { utcText } from '#domain/time.ts'
import type { AlertMessage, AlertTextParts } from '../../contracts/alert-ports.ts'

export function subjectOf(alerts: readonly AlertMessage[]): string {
  const [first] = alerts
  if (first !== undefined && alerts.length === 1) return `${severityOf(first.kind)}: ${wordsOf(first.kind)}`
  const critical = alerts.filter(({ kind }) => severityOf(kind) === 'critical').length
  return `${alerts.length} alerts${critical === 0 ? '' : `, ${critical} critical`}`
}

export const plainText = ({ alerts, panelUrl }: AlertTextParts): string =>
  `${alerts.map((alert) => `${lineOf(alert)}\n${linkOf(alert, panelUrl)}`).join('\n\n')}\n\nAll alerts: ${panelUrl}/admin/alerts\n`

/** Writes the body that Slack, Mattermost, Rocket.Chat, Google Chat and Teams workflows accept. */
export const chatBody = (parts: AlertTextParts): string =>
  JSON.stringify({ text: `${subjectOf(parts.alerts)}\n\n${plainText(parts)}` })

/** The id is that of the alerts, so that a repeated delivery is recognised. */
export function webhookMessage({ alerts, panelUrl }: AlertTextParts): { readonly id: string; readonly body: string } {
  const id = createHash('sha256')
    .update(alerts.map((alert) => alert.id).join(' '))
    .digest('hex')
    .slice(0, 32)
  const body = {
    type: 'alerts',
    alerts: alerts.map((alert) => ({
      id: alert.id,
      kind: alert.kind,
      severity: severityOf(alert.kind),
      text: alert.text,
      merchant_id: alert.merchantId,
      payment_id: alert.paymentId,
      raised_at: alert.raisedAt.toISOString(),
      url: linkOf(alert, panelUrl),
    })),
  }
  return { id, body: JSON.stringify(body) }
}

const wordsOf = (kind: string): string => kind.replaceAll(/[-.]/g, ' ')

const lineOf = ({ kind, text, raisedAt }: AlertMessage): string =>
  `[${severityOf(kind)}] ${wordsOf(kind)}, ${utcText(raisedAt)}\n${text}`

const linkOf = ({ merchantId, paymentId }: AlertMessage, panelUrl: string): string =>
  merchantId !== null && paymentId !== null
    ? `${panelUrl}/admin/merchants/${merchantId}/payments/${paymentId}`
    : `${panelUrl}/admin/alerts`
