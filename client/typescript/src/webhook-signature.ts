/** HMAC-SHA-256 by a secret that reads `whsec_` and the base64 of its key. */
import { type Bytes, fromBase64 } from './bytes.ts'

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Imported once, because it takes as long as a verification. A receiver has one or two secrets, a platform those of its shops. */
const keys = new Map<string, Promise<HmacKey>>()
const mostKeys = 1000

/** `entry` is the base64 of a signature. */
export async function isWebhookSignature(secret: string, entry: string, message: Bytes): Promise<boolean> {
  const [key, mac] = [await keyOf(secret), fromBase64(entry)]
  return key !== undefined && mac !== undefined && crypto.subtle.verify('HMAC', key, mac, message)
}

export async function signWebhook(secret: string, message: Bytes): Promise<string> {
  const key = await keyOf(secret)
  if (key === undefined) throw new TypeError('A secret is whsec_ and the base64 of its key.')
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
  return `v1,${btoa(String.fromCharCode(...mac))}`
}

async function keyOf(secret: string): Promise<HmacKey | undefined> {
  const known = keys.get(secret)
  if (known) return known
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : undefined
  if (!bytes?.length) return undefined
  if (keys.size >= mostKeys) keys.clear()
  const key = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
  keys.set(secret, key)
  return key
}
