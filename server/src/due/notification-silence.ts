/** Raises an alert about a MID whose acquirer has sent no notification for longer than usual. See decisions/notifications#silence. */
import type { AlertKind } from '#domain/alert/alert-kinds.ts'
import type { Alerts, Ids, Log } from '../contracts/ports.ts'
import { type DueWork, runDueWork } from './due-work.ts'

interface SilenceParts {
  /** Texts of alerts that were not raised yet. */
  readonly listUnreported: () => Promise<readonly string[]>
  readonly kind: AlertKind
  readonly alerts: Alerts
  readonly ids: Ids
  readonly log: Log
}

const pollMs = 5 * 60_000

/** No lease: if two workers find the same silence, the alert of the second is not raised. */
export function runNotificationSilence({ listUnreported, kind, alerts, ids, log }: SilenceParts): DueWork {
  return runDueWork({
    name: 'notification-silence',
    claim: async (limit) => (await listUnreported()).slice(0, limit),
    run: (text) => alerts.raise({ kind, merchantId: null, paymentId: null, text, once: true }),
    concurrency: 4,
    pollMs,
    ids,
    log,
  })
}
