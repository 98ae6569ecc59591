/**
 * Verifies a webhook: the header v-c-signature has a time, the id of a key, and the HMAC-SHA256 of `time.body` with that key. Payment events are
 * encrypted as well, inside what was signed.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { hmacKey } from '../credentials.ts'
import { type NotificationReading, type NotificationRequest, rejectUnverified } from '../notification.ts'
import type { CybersourceCredentials } from './credentials.ts'
import { type Envelope, readEnvelope, toEvents } from './events.ts'

type WebhookKeys = Pick<
  CybersourceCredentials,
  'webhook_key' | 'webhook_key_id' | 'webhook_key_previous' | 'webhook_key_id_previous' | 'webhook_private_key'
>

const toleranceMs = 5 * 60_000

export function readCybersourceNotification(
  { headers, body, receivedAt }: NotificationRequest,
  keys: WebhookKeys,
): NotificationReading {
  const signature = readSignature(headers['v-c-signature'] ?? '')
  if (!signature) return rejectUnverified('The signature is missing.')
  const key = keyOf(signature.keyId, keys)
  if (key === undefined) return rejectUnverified('The signature is made with a key that is not this MID’s.')
  if (!isSignedWith(key, signature, body)) return rejectUnverified('The signature is wrong.')
  if (Math.abs(receivedAt.getTime() - signature.time) > toleranceMs)
    return rejectUnverified('The signature is too old.')
  const envelope = readEnvelope(body.toString('utf8'), keys.webhook_private_key)
  if (envelope === 'unreadable') return rejectUnverified('The body is not a notification.')
  // Genuine, but encrypted for a key that the MID does not have.
  if (envelope === 'encrypted') return { kind: 'ignored', id: fingerprintOf(body.toString('utf8')) }
  const id = idOf(envelope)
  const events = toEvents(envelope, id)
  return events.length === 0 ? { kind: 'ignored', id } : { kind: 'verified', id, events }
}

interface Signature {
  /** The time as it was signed. */
  readonly timeText: string
  readonly time: number
  readonly keyId: string
  readonly value: Buffer
}

/** `t=1617830804768;keyId=bf44…;sig=CzHY…=`, with a quote or a semicolon after it in some versions. */
function readSignature(header: string): Signature | null {
  const pattern = /^t=(?<time>[0-9]{10,16});\s*keyId=(?<keyId>[\w-]{1,64});\s*sig="?(?<value>[A-Za-z0-9+/]{43}=)"?;?$/
  const { time, keyId, value } = pattern.exec(header.trim())?.groups ?? {}
  if (time === undefined || keyId === undefined || value === undefined) return null
  return { timeText: time, time: Number(time), keyId, value: Buffer.from(value, 'base64') }
}

function keyOf(keyId: string, keys: WebhookKeys): string | undefined {
  if (keyId === keys.webhook_key_id) return keys.webhook_key
  return keyId === keys.webhook_key_id_previous ? keys.webhook_key_previous : undefined
}

function isSignedWith(key: string, { timeText, value }: Signature, body: Buffer): boolean {
  const wanted = createHmac('sha256', hmacKey(key, 'base64')).update(`${timeText}.`).update(body).digest()
  return timingSafeEqual(wanted, value)
}

/** CyberSource numbers every attempt anew; of a repeated notification only the event is the same. */
const idOf = ({ eventType, eventDate, payload }: Envelope): string =>
  fingerprintOf(JSON.stringify([eventType, eventDate, payload]))

const fingerprintOf = (text: string): string => createHash('sha256').update(text).digest('hex')
