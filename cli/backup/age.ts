/**
 * The age format, version 1 (age-encryption.org/v1), for one X25519 recipient. Backups are encrypted with it, so that the machine that makes
 * them cannot read them, and the program `age` can open them without Gatehouse. Both directions are streams: a backup does not fit in memory.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { publicBytes, publicKeyOf } from './age-keys.ts'

/** The text was not written by age, or for another key, or was changed. */
export class AgeError extends Error {
  override readonly name = 'AgeError'
}

const version = 'age-encryption.org/v1'
const chunkBytes = 64 * 1024
const tagBytes = 16
const nonceBytes = 16
const fileKeyBytes = 16
/** Of one recipient; a longer one is not ours. */
const mostHeaderBytes = 8 * 1024
const algorithm = 'chacha20-poly1305'

export function encryptTo(recipient: KeyObject): Transform {
  const fileKey = randomBytes(fileKeyBytes)
  const nonce = randomBytes(nonceBytes)
  const seal = chunkCipher(fileKey, nonce)
  let held = Buffer.alloc(0)
  const stream = new Transform({
    transform(data: Buffer, _encoding, done) {
      held = Buffer.concat([held, data])
      // The last chunk is marked, so one that may be the last is held back.
      while (held.length > chunkBytes) {
        this.push(seal(held.subarray(0, chunkBytes), false))
        held = held.subarray(chunkBytes)
      }
      done()
    },
    flush(done) {
      done(null, seal(held, true))
    },
  })
  stream.push(Buffer.concat([headerFor(recipient, fileKey), nonce]))
  return stream
}

/** Passes on only what was verified; fails with `AgeError`. A stream that ends early fails at its end. */
export function decryptWith(identities: readonly KeyObject[]): Transform {
  let held = Buffer.alloc(0)
  let open: ((chunk: Buffer, isLast: boolean) => Buffer) | null = null
  const begin = (): void => {
    const header = readHeader(held)
    if (header === null || held.length < header.length + nonceBytes) return
    const nonce = held.subarray(header.length, header.length + nonceBytes)
    open = chunkOpener(fileKeyOf(header, identities), nonce)
    held = held.subarray(header.length + nonceBytes)
  }
  return new Transform({
    transform(data: Buffer, _encoding, done) {
      attempt(done, () => {
        held = Buffer.concat([held, data])
        if (open === null) begin()
        while (open !== null && held.length > chunkBytes + tagBytes) {
          this.push(open(held.subarray(0, chunkBytes + tagBytes), false))
          held = held.subarray(chunkBytes + tagBytes)
        }
        return null
      })
    },
    flush(done) {
      attempt(done, () => {
        if (open === null) throw new AgeError('The file is not complete, or was not encrypted with age.')
        return open(held, true)
      })
    },
  })
}

function attempt(done: TransformCallback, work: () => Buffer | null): void {
  try {
    const result = work()
    if (result === null) done()
    else done(null, result)
  } catch (error) {
    done(error instanceof Error ? error : new AgeError(String(error)))
  }
}

const derive = (key: Buffer, salt: Buffer, info: string): Buffer => Buffer.from(hkdfSync('sha256', key, salt, info, 32))

function chunkCipher(fileKey: Buffer, nonce: Buffer): (chunk: Buffer, isLast: boolean) => Buffer {
  const key = derive(fileKey, nonce, 'payload')
  let index = 0
  return (chunk, isLast) => {
    const cipher = createCipheriv(algorithm, key, chunkNonce(index++, isLast), { authTagLength: tagBytes })
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
}

function chunkOpener(fileKey: Buffer, nonce: Buffer): (chunk: Buffer, isLast: boolean) => Buffer {
  const key = derive(fileKey, nonce, 'payload')
  let index = 0
  return (chunk, isLast) => {
    // Only an empty file has an empty chunk: otherwise the end of a file could be cut off at a border of chunks.
    if (chunk.length < tagBytes || (chunk.length === tagBytes && index > 0))
      throw new AgeError('The file ends too early.')
    return openSealed(
      { key, nonce: chunkNonce(index++, isLast), sealed: chunk },
      'The file was changed or ends too early.',
    )
  }
}

function chunkNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(index, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

interface Sealed {
  readonly key: Buffer
  readonly nonce: Buffer
  readonly sealed: Buffer
}

function openSealed({ key, nonce, sealed }: Sealed, fault: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const opened = decipher.update(sealed.subarray(0, -tagBytes))
  try {
    return Buffer.concat([opened, decipher.final()])
  } catch {
    throw new AgeError(fault)
  }
}

const stripPadding = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

function headerFor(recipient: KeyObject, fileKey: Buffer): Buffer {
  const { privateKey } = generateKeyPairSync('x25519')
  const share = publicBytes(createPublicKey(privateKey))
  const key = wrapKey(diffieHellman({ privateKey, publicKey: recipient }), share, publicBytes(recipient))
  const cipher = createCipheriv(algorithm, key, Buffer.alloc(12), { authTagLength: tagBytes })
  const wrapped = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
  const head = `${version}\n-> X25519 ${stripPadding(share)}\n${stripPadding(wrapped)}\n---`
  return Buffer.from(`${head} ${stripPadding(headerMac(fileKey, head))}\n`)
}

const wrapKey = (shared: Buffer, share: Buffer, recipient: Buffer): Buffer =>
  derive(shared, Buffer.concat([share, recipient]), 'age-encryption.org/v1/X25519')

const headerMac = (fileKey: Buffer, head: string): Buffer =>
  createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(head)
    .digest()

interface Header {
  readonly length: number
  readonly head: string
  readonly mac: Buffer
  readonly stanzas: readonly { readonly share: Buffer; readonly wrapped: Buffer }[]
}

/** Null while the header is not complete. */
function readHeader(data: Buffer): Header | null {
  const start = data.subarray(0, version.length + 1).toString('latin1')
  if (!`${version}\n`.startsWith(start)) throw new AgeError('The file was not encrypted with age.')
  const text = data.subarray(0, mostHeaderBytes).toString('latin1')
  const end = /\n---(?: ([A-Za-z0-9+/]{43}))\n/.exec(text)
  if (end === null) {
    if (data.length >= mostHeaderBytes) throw new AgeError('The header of the file is damaged.')
    return null
  }
  const head = text.slice(0, end.index + 4)
  const stanzas = [...head.matchAll(/^-> X25519 ([A-Za-z0-9+/]{43})\n([A-Za-z0-9+/]{43})$/gm)]
  return {
    length: end.index + end[0].length,
    head,
    mac: Buffer.from(end[1] ?? '', 'base64'),
    stanzas: stanzas.map(([, share = '', wrapped = '']) => ({
      share: Buffer.from(share, 'base64'),
      wrapped: Buffer.from(wrapped, 'base64'),
    })),
  }
}

function fileKeyOf({ head, mac, stanzas }: Header, identities: readonly KeyObject[]): Buffer {
  for (const identity of identities) {
    const recipient = publicBytes(createPublicKey(identity))
    for (const { share, wrapped } of stanzas) {
      const shared = diffieHellman({ privateKey: identity, publicKey: publicKeyOf(share) })
      const fileKey = unwrap(wrapKey(shared, share, recipient), wrapped)
      if (fileKey === null) continue
      if (!timingSafeEqual(headerMac(fileKey, head), mac)) throw new AgeError('The header of the file was changed.')
      return fileKey
    }
  }
  throw new AgeError('The file was encrypted for another key.')
}

function unwrap(key: Buffer, sealed: Buffer): Buffer | null {
  try {
    return openSealed({ key, nonce: Buffer.alloc(12), sealed }, '')
  } catch (error) {
    if (error instanceof AgeError) return null
    throw error
  }
}
