/**
 * Verifies a notification and says what it reports. An unverified one changes nothing. Where `status` can be asked, an event needs no
 * outcome: it makes the gateway ask.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { readMerchantReference } from '#server/connectors/merchant-reference.ts'
import type { NotificationReading, NotificationRequest } from '#server/connectors/notification.ts'
import type { AcquirerCredentials } from './credentials.ts'

const reportSchema = z.object({
  id: z.string().min(1).max(200),
  type: z.string(),
  /** What `merchantReference` wrote into the request. */
  merchant_reference: z.string(),
  at: z.iso.datetime(),
})

export function readReport(
  { headers, body }: NotificationRequest,
  { webhook_secret: secret }: AcquirerCredentials,
): NotificationReading {
  if (secret === undefined) return { kind: 'unverified', reason: 'The MID has no webhook secret.' }
  const expected = createHmac('sha256', secret).update(body).digest()
  const signature = Buffer.from(headers['x-signature'] ?? '', 'hex')
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
    return { kind: 'unverified', reason: 'The signature is missing or wrong.' }
  const parsed = reportSchema.safeParse(parseJson(body))
  if (!parsed.success) return { kind: 'unverified', reason: 'It is not a notification of the acquirer.' }
  const { id, type, merchant_reference, at } = parsed.data
  const ours = readMerchantReference(merchant_reference)
  // The account may serve other shops as well.
  if (ours === null || type !== 'charge.decided') return { kind: 'ignored', id }
  return { kind: 'verified', id, events: [{ kind: 'decided', reference: id, ...ours, at: new Date(at) }] }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
