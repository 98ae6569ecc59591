/**
 * Users' passwords: argon2id in PHC format, which states its parameters, so that they can be raised without invalidating existing hashes.
 *
 * A hash takes 19 MiB and two passes. Each running one occupies its memory and a thread of the pool, so only a few run at once and the
 * others wait.
 */
import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto'
import { type Secret, secret } from '#domain/secret.ts'

const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32
const saltBytes = 16
const atOnce = 2

/** `salt` is 16 random bytes. */
export async function hashPassword(password: Secret<string>, salt: Buffer): Promise<string> {
  const tag = await deriveTag(password, { ...cost, nonce: salt, tagLength })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpaddedBase64(salt)}$${unpaddedBase64(tag)}`
}

export async function verifyPassword(password: Secret<string>, hash: string): Promise<boolean> {
  const read = parseHash(hash)
  if (read === null) return false
  const { tag, ...parameters } = read
  return timingSafeEqual(await deriveTag(password, { ...parameters, tagLength: tag.length }), tag)
}

/** Hashed with other parameters than the current ones: to be hashed again when the password is next entered. */
export function isOutdated(hash: string): boolean {
  const read = parseHash(hash)
  return read?.memory !== cost.memory || read.passes !== cost.passes || read.parallelism !== cost.parallelism
}

/** Matches no password. It is verified in place of an unknown user's hash, so that both cases take the same time. */
export const dummyHash: string =
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}` +
  `$${unpaddedBase64(Buffer.alloc(saltBytes, 1))}$${unpaddedBase64(Buffer.alloc(tagLength, 1))}`

/** A password to hand over: 20 letters and digits without those that are easily confused. */
export function readablePassword(random: (bytes: number) => string): Secret<string> {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  for (;;) {
    // Bytes beyond the last whole multiple would make some letters likelier than others.
    const usable = Buffer.from(random(64), 'hex').filter((byte) => byte < alphabet.length * 8)
    const text = [...usable.subarray(0, 20)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('')
    if (/[a-z]/.test(text) && /[0-9]/.test(text)) return secret(text.replace(/.{5}(?=.)/g, '$&-'))
  }
}

const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

function parseHash(hash: string) {
  const [, memory, passes, parallelism, salt, tag] = form.exec(hash) ?? []
  if (salt === undefined || tag === undefined) return null
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

let runningHashes = 0
const waitingHashes: (() => void)[] = []

async function deriveTag(password: Secret<string>, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  if (runningHashes >= atOnce) await new Promise<void>((resolve) => waitingHashes.push(resolve))
  runningHashes += 1
  try {
    // Normalised, so that a password is the same from every keyboard.
    const message = password.reveal().normalize('NFKC')
    return await new Promise((resolve, reject) => {
      argon2('argon2id', { ...parameters, message }, (error, tag) => (error ? reject(error) : resolve(tag)))
    })
  } finally {
    runningHashes -= 1
    waitingHashes.shift()?.()
  }
}

function unpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
