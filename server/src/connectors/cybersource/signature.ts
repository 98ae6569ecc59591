/** HTTP signature: an HMAC-SHA256 over host, date, target, digest of the body and merchant ID, with the shared secret. */
import { createHash, createHmac } from 'node:crypto'
import type { UnsignedRequest } from '../wire.ts'
import type { CybersourceCredentials } from './credentials.ts'

type Signing = Pick<CybersourceCredentials, 'merchant_id' | 'key_id' | 'shared_secret'>

export function signRequest(
  { method, url, bytes, at }: UnsignedRequest,
  { merchant_id: merchant, key_id: key, shared_secret: secret }: Signing,
): Readonly<Record<string, string>> {
  const digest = `SHA-256=${createHash('sha256').update(bytes).digest('base64')}`
  const date = at.toUTCString()
  const parts = [
    ['host', url.host],
    ['v-c-date', date],
    ['request-target', `${method.toLowerCase()} ${url.pathname}${url.search}`],
    // A request without a body has no digest.
    ...(bytes.length > 0 ? [['digest', digest]] : []),
    ['v-c-merchant-id', merchant],
  ]
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(parts.map(([name, value]) => `${name}: ${value}`).join('\n'))
    .digest('base64')
  const names = parts.map(([name]) => name).join(' ')
  return {
    'v-c-date': date,
    'v-c-merchant-id': merchant,
    ...(bytes.length > 0 && { digest }),
    signature: `keyid="${key}", algorithm="HmacSHA256", headers="${names}", signature="${signature}"`,
  }
}
