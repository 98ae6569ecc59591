/**
 * `Stripe-Signature: t=…,v1=…`: HMAC-SHA256 of the time, a point and the exact body, by the endpoint's signing secret, in hexadecimal. While
 * a secret is rolled Stripe signs with both, and so are two accepted here. https://docs.stripe.com/webhooks#verify-manually
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { hmacKey } from '../credentials.ts'
import type { NotificationRequest } from '../notification.ts'

const toleranceMs = 5 * 60_000
/** Stripe sends one or two; the bound keeps a forged header from costing more comparisons. */
const mostSignatures = 8

/** Null if it is Stripe's; otherwise why it is not trusted. */
export function verifySignature(
  { headers, body, receivedAt }: NotificationRequest,
  secrets: readonly string[],
): string | null {
  if (secrets.length === 0) return 'The MID has no signing secret.'
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1]
  const signatures = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : [])).slice(0, mostSignatures)
  if (time === undefined || !/^[0-9]{1,12}$/.test(time) || signatures.length === 0) return 'The signature is missing.'
  const isOurs = secrets.some((secret) => {
    const expected = createHmac('sha256', hmacKey(secret, 'utf8')).update(`${time}.`).update(body).digest()
    return signatures.some((signature) => isEqual(signature, expected))
  })
  if (!isOurs) return 'The signature is wrong.'
  if (Math.abs(receivedAt.getTime() - Number(time) * 1000) > toleranceMs) return 'The signature is too old.'
  return null
}

function isEqual(signature: string, expected: Buffer): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}
