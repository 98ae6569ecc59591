/** HTTP signature: an HMAC-SHA256 over host, date, target, digest of the body and merchant ID, with the shared secret. */
import { createHmac, hash } from 'node:crypto'
import { hmacKey } from '../credentials.ts'
import type { UnsignedRequest } from '../wire.ts'
import type { CybersourceCredentials } from './credentials.ts'

type Signing = Pick<CybersourceCredentials, 'merchant_id' | 'key_id' | 'shared_secret'>

export function signRequest(
  { method, url, bytes, at }: UnsignedRequest,
  { merchant_id: merchant, key_id: key, shared_secret: secret }: Signing,
): Readonly<Record<string, string>> {
  const date = at.toUTCString()
  const target = `${method.toLowerCase()} ${url.pathname}${url.search}`
  // A request without a body has no digest.
  const digest = bytes.length > 0 ? `SHA-256=${hash('sha256', bytes, 'base64')}` : null
  const digested = digest === null ? '' : `digest: ${digest}\n`
  const signed = `host: ${url.host}\nv-c-date: ${date}\nrequest-target: ${target}\n${digested}v-c-merchant-id: ${merchant}`
  const signature = createHmac('sha256', hmacKey(secret, 'base64')).update(signed).digest('base64')
  const names = `host v-c-date request-target ${digest === null ? '' : 'digest '}v-c-merchant-id`
  return {
    'v-c-date': date,
    'v-c-merchant-id': merchant,
    ...(digest !== null && { digest }),
    signature: `keyid="${key}", algorithm="HmacSHA256", headers="${names}", signature="${signature}"`,
  }
}
