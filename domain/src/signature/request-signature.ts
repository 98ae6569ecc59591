/**
 * The signature of a merchant's request, in the headers that callbacks have: `webhook-id`, `webhook-timestamp`, `webhook-signature`. It covers
 * what the hash leaves out: every byte of the body, the address, and the headers that change what the request does. Chapter 10 §4.6.
 *
 * The key is derived from the password for this purpose alone. A receiver of callbacks may have only the signing secret of callbacks, and
 * what that secret signs must not be usable as a request. See decisions/requests#signed-requests.
 */
import { createHmac } from 'node:crypto'
import { limits } from '../limits.ts'
import { type HashExplanation, maskWithStars, printableBytes } from './hash-explanation.ts'
import { isSameText } from './same-text.ts'
import { type WebhookHeaders, webhookSignature } from './signature.ts'

export interface SignableRequest {
  readonly method: string
  /** The path as the chapters write it, which a proxy before the service may have shortened, and the query as sent. */
  readonly target: string
  /** Of the headers `Token` and `Idempotency-Key`; empty if the request has none. */
  readonly token: string
  readonly idempotencyKey: string
  readonly body: string | Uint8Array
}

export type RequestFault = 'id' | 'timestamp' | 'signature' | 'too-old' | 'too-far-ahead'

/** In the form of a signing secret of callbacks, so that the libraries for these sign requests too. */
export const requestSecret = (password: string): string =>
  `whsec_${createHmac('sha256', password).update('request').digest('base64')}`

/** Header values have no line feeds, so that no two requests have the same content. */
export function requestContent({ method, target, token, idempotencyKey, body }: SignableRequest): Buffer {
  const head = Buffer.from(`${method} ${target}\n${token}\n${idempotencyKey}\n`, 'latin1')
  return Buffer.concat([head, typeof body === 'string' ? Buffer.from(body) : body])
}

export function signRequest(
  password: string,
  request: SignableRequest,
  { id, at }: { readonly id: string; readonly at: Date },
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestampSeconds = Math.floor(at.getTime() / 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': webhookSignature(requestSecret(password), id, timestampSeconds, requestContent(request)),
  }
}

/** Null for a good signature. Whether the id was used before is not known here. */
export function findRequestFault(
  passwords: readonly string[],
  request: SignableRequest,
  { id, timestamp, signature }: WebhookHeaders,
  now: Date,
): RequestFault | null {
  // Without a point, which separates the id from the timestamp in the signed text.
  if (!/^[\w-]+$/.test(id) || id.length > limits.requestSignature.idLength) return 'id'
  if (!/^[1-9][0-9]{0,11}$/.test(timestamp)) return 'timestamp'
  const content = requestContent(request)
  const expected = passwords.map((password) =>
    webhookSignature(requestSecret(password), id, Number(timestamp), content),
  )
  if (!signature.split(' ').some((sent) => expected.some((one) => isSameText(sent, one)))) return 'signature'
  const ageSeconds = now.getTime() / 1000 - Number(timestamp)
  if (ageSeconds > limits.requestSignature.toleranceSeconds) return 'too-old'
  return -ageSeconds > limits.requestSignature.toleranceSeconds ? 'too-far-ahead' : null
}

interface SignatureKeys {
  readonly passwords: readonly string[]
  /** The signing secrets of callbacks, which are often taken by mistake. */
  readonly webhookSecrets: readonly string[]
}

/** Stored and shown, so the body, which may contain a card, is only counted. */
export function explainRequestSignature(
  request: SignableRequest,
  headers: WebhookHeaders,
  keys: SignatureKeys,
): HashExplanation {
  const { method, target, token, idempotencyKey, body } = request
  const shownTarget = target.replace(/\?.*$/s, '?...')
  const shownToken = maskWithStars(token.slice(0, 12), 4, 0)
  const size = `(${typeof body === 'string' ? Buffer.byteLength(body) : body.length} bytes)`
  const line = `${method} ${shownTarget}`
  const shownKey = idempotencyKey.slice(0, limits.idempotency.keyLength)
  const id = headers.id.slice(0, limits.requestSignature.idLength)
  const timestamp = headers.timestamp.slice(0, 20)
  const head = [line, shownToken, shownKey, size].join('\\n')
  return {
    formula:
      'v1,base64(hmac_sha256(hmac_sha256(PASSWORD, "request"), webhook-id . "." . webhook-timestamp . "." . method . " " . path . "\\n" . Token . "\\n" . Idempotency-Key . "\\n" . body))',
    values: [
      { name: 'webhook-id', value: id || null },
      { name: 'webhook-timestamp', value: timestamp || null },
      { name: 'method and path', value: line },
      { name: 'Token', value: shownToken || null },
      { name: 'Idempotency-Key', value: shownKey || null },
      { name: 'body', value: size },
    ],
    text: `${id}.${timestamp}.${printableBytes(Buffer.from(head))}`,
    mistake: usualMistake(request, headers, keys),
  }
}

type Guess<T> = readonly [mistake: string, value: T]

function usualMistake(
  request: SignableRequest,
  { id, timestamp, signature }: WebhookHeaders,
  { passwords, webhookSecrets }: SignatureKeys,
): string | null {
  if (signature === '') return null
  const sent = signature.split(' ').map((entry) => entry.replace(/^v1[,=]/, ''))
  for (const [wrongKey, key] of keyGuesses(passwords, webhookSecrets)) {
    for (const [wrongContent, content] of contentGuesses(request)) {
      const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(content).digest()
      const found = [wrongKey, wrongContent].filter((one) => one !== '')
      if (sent.includes(hmac.toString('hex')))
        return [...found, 'The signature was written in hexadecimal, not in base64.'].join(' ')
      if (!sent.includes(hmac.toString('base64'))) continue
      const prefix = signature.includes('v1,') ? [] : ['“v1,” is missing before the signature.']
      return [...found, ...prefix].join(' ') || null
    }
  }
  return null
}

function keyGuesses(passwords: readonly string[], webhookSecrets: readonly string[]): readonly Guess<Buffer>[] {
  const derived = passwords.map((password) => createHmac('sha256', password).update('request').digest())
  const ofCallbacks = webhookSecrets.map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'))
  return [
    ...derived.map((key) => ['', key] as const),
    ...derived.map(
      (key) =>
        ['The derived key was used as hexadecimal text, not as bytes.', Buffer.from(key.toString('hex'))] as const,
    ),
    ...passwords.map(
      (password) =>
        ['The password itself was the key; derive the key of requests from it.', Buffer.from(password)] as const,
    ),
    ...ofCallbacks.map(
      (key) => ['The secret of callbacks was the key; requests have a key derived from the password.', key] as const,
    ),
  ]
}

function contentGuesses(request: SignableRequest): readonly Guess<Buffer>[] {
  const body = Buffer.from(request.body)
  const line = Buffer.from(`${request.method} ${request.target}\n`, 'latin1')
  return [
    ['', requestContent(request)],
    ['Only the body was signed, as of a callback; method, path, Token and Idempotency-Key are missing.', body],
    ['The lines of Token and Idempotency-Key are missing; they stay as empty lines.', Buffer.concat([line, body])],
    ['The Token was not signed.', requestContent({ ...request, token: '' })],
    ['The Idempotency-Key was not signed.', requestContent({ ...request, idempotencyKey: '' })],
    ['The body was not signed.', requestContent({ ...request, body: '' })],
  ]
}
