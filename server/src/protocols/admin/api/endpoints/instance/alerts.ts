/** Alerts that need a person's attention. */
import { z } from 'zod'
import { alertSeverities } from '#domain/alert/alert-severity.ts'
import { listAlertsFor, resolveAlert } from '../../../../../panel/instance/alerts.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emptyBody, id, instant, pageLimit, textInput } from '../../values.ts'

export const alertEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/alerts',
    summary: 'Lists alerts, newest first; the next page starts before the last id.',
    access: 'alerts.read',
    query: {
      open: z.enum(['true', 'false']).default('true'),
      kind: textInput(100).optional(),
      severity: z.enum(alertSeverities).optional(),
      before: z.uuid().optional(),
      limit: pageLimit,
    },
    output: z.object({
      alerts: z
        .array(
          z.object({
            id,
            kind: z.string(),
            /** By its kind. */
            severity: z.enum(alertSeverities),
            merchantId: id.nullable(),
            paymentId: id.nullable(),
            text: z.string(),
            raisedAt: instant,
            resolvedAt: instant.nullable(),
          }),
        )
        .readonly(),
    }),
    run: async ({ query: { open, before, limit, kind, severity } }, { context, grant }) => ({
      alerts: await listAlertsFor(context, grant, {
        openOnly: open === 'true',
        before: before ?? null,
        limit,
        kind: kind ?? null,
        severity: severity ?? null,
      }),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/alerts/:alertId/resolve',
    summary: 'Resolves an alert.',
    access: 'alerts.resolve',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { alertId } }, { context, grant }) => ({
      answer: doneAnswer,
      audit: await resolveAlert(context, grant, alertId),
    }),
  }),
]
