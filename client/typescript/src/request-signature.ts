/** Signs a request as a whole: the hash leaves out parts of it, such as the amount of a card payment. */
import { concat, utf8 } from './bytes.ts'
import { signWebhook } from './webhook-signature.ts'

interface SignedRequest {
  readonly method: string
  /** From the first slash of the interface on, with a query if there is one. */
  readonly path: string
  readonly token?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly body: string
}

/** In the form of a secret of callbacks; derived, so that a callback's signature is never that of a request. */
export async function requestSecret(password: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', utf8(password), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const derived = new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8('request')))
  return `whsec_${btoa(String.fromCharCode(...derived))}`
}

/** Each attempt has a new id: the service accepts an id once. */
export async function signatureHeaders(
  secret: string,
  { method, path, token = '', idempotencyKey = '', body }: SignedRequest,
  { id, timestamp }: { readonly id: string; readonly timestamp: number },
): Promise<Readonly<Record<string, string>>> {
  const head = utf8(`${id}.${timestamp}.${method} ${path}\n${token}\n${idempotencyKey}\n`)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await signWebhook(secret, concat([head, utf8(body)])),
  }
}
