/**
 * Adyen's standard webhook. Every item carries an HMAC-SHA256 over eight of its fields; all other fields are unsigned and prove nothing, so that no
 * outcome depends on them. The scheme has no time: a notification that comes again counts once, by its id.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '#domain/json.ts'
import { hmacKey } from '../credentials.ts'
import type { NotificationReading, NotificationRequest } from '../notification.ts'
import type { AdyenCredentials } from './credentials.ts'
import { inquirySuffix } from './dispute-events.ts'
import { toEvents } from './events.ts'
import { itemSchema, type NotificationItem } from './notification-item.ts'

const bodySchema = z.object({
  notificationItems: z
    .array(z.object({ NotificationRequestItem: itemSchema }))
    .min(1)
    .max(100),
})

export function readAdyenNotification(
  { body }: NotificationRequest,
  credentials: AdyenCredentials,
): NotificationReading {
  const parsed = bodySchema.safeParse(parseJson(body.toString('utf8')))
  if (!parsed.success) return { kind: 'unverified', reason: 'It is not a notification of Adyen.' }
  const items = parsed.data.notificationItems.map(({ NotificationRequestItem: item }) => item)
  const { hmac_key: key, hmac_key_previous: previous } = credentials
  const keys = previous === undefined ? [key] : [key, previous]
  if (!items.every((item) => isSigned(item, keys)))
    return { kind: 'unverified', reason: 'The HMAC signature is missing or wrong.' }
  const id = idOf(items)
  const events = items
    .filter(({ merchantAccountCode }) => merchantAccountCode === credentials.merchant_account)
    .flatMap(toEvents)
  return events.length === 0 ? { kind: 'ignored', id } : { kind: 'verified', id, events }
}

function isSigned(item: NotificationItem, keys: readonly string[]): boolean {
  const text = item.additionalData?.['hmacSignature']
  if (typeof text !== 'string') return false
  const signature = Buffer.from(text, 'base64')
  // Both keys are always tried, so that the time does not tell which one fits.
  return keys
    .map((key) => createHmac('sha256', hmacKey(key, 'hex')).update(signedText(item)).digest())
    .map((expected) => expected.length === signature.length && timingSafeEqual(expected, signature))
    .includes(true)
}

const signedText = (item: NotificationItem): string =>
  [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference ?? '',
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':')

/** Adyen has no id of its own for a notification: it names one by reference, event and success; of an inquiry the status does, too. */
function idOf(items: readonly NotificationItem[]): string {
  const names = items.map((item) => `${item.pspReference}:${item.eventCode}:${item.success}${inquirySuffix(item)}`)
  const [only = ''] = names
  return names.length === 1 && only.length <= 200 ? only : hash('sha256', names.join('\n'))
}
