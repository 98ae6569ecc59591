/**
 * Verifies a webhook: the header Cko-Signature is the HMAC-SHA256 of the body, in hexadecimal digits. The scheme has no time, so that a
 * repeated webhook is recognised by its id alone.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { hmacKey } from '../credentials.ts'
import { type NotificationReading, type NotificationRequest, rejectUnverified } from '../notification.ts'
import type { CheckoutCredentials } from './credentials.ts'
import { toEvents } from './events.ts'
import { parseWebhook } from './webhook.ts'

type SignatureKeys = Pick<CheckoutCredentials, 'webhook_secret' | 'webhook_secret_previous'>

export function readCheckoutNotification(
  { headers, body }: NotificationRequest,
  { webhook_secret: current, webhook_secret_previous: previous }: SignatureKeys,
): NotificationReading {
  const keys = [current, previous].filter((key) => key !== undefined)
  if (keys.length === 0) return rejectUnverified('The MID has no signature key.')
  const signature = headers['cko-signature']
  if (signature === undefined) return rejectUnverified('The signature is missing.')
  if (!keys.some((key) => isSignedWith(key, body, signature))) return rejectUnverified('The signature is wrong.')
  const webhook = parseWebhook(body)
  if (!webhook) return rejectUnverified('The body is not a webhook.')
  const events = toEvents(webhook)
  return events.length === 0 ? { kind: 'ignored', id: webhook.id } : { kind: 'verified', id: webhook.id, events }
}

function isSignedWith(key: string, body: Buffer, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false
  return timingSafeEqual(
    createHmac('sha256', hmacKey(key, 'utf8')).update(body).digest(),
    Buffer.from(signature, 'hex'),
  )
}
