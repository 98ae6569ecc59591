/**
 * The vault's cryptography alone: keys and bytes in, bytes out.
 *
 * AES-256-GCM with a random 96-bit nonce on both levels. The owner and the purpose of a ciphertext are authenticated with it, so a
 * value moved to another merchant, purpose or key version does not open.
 *
 *   wrapped data key   format 1 · nonce 12 · tag 16 · ciphertext 32
 *   sealed value       format 1 · data-key version 4 (big-endian) · nonce 12 · tag 16 · ciphertext
 *
 * A random nonce is safe for 2^32 values under one data key; data keys are per merchant and stay far below that.
 */

import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { type Secret, secret } from '#domain/secret.ts'
import type { Purpose } from './port.ts'
import { VaultError } from './vault-error.ts'

/** Keys are KeyObjects and not bytes, because a KeyObject never prints its content. */
export interface DataKey {
  readonly version: number
  readonly key: KeyObject
}

interface Wrapping {
  readonly scope: string
  readonly version: number
  readonly kekId: string
}

export interface SealContext {
  readonly scope: string
  readonly purpose: Purpose
}

export function newKey(): KeyObject {
  const bytes = randomBytes(KEY_BYTES)
  const key = createSecretKey(bytes)
  bytes.fill(0)
  return key
}

export function wrap(kek: KeyObject, wrapping: Wrapping, dataKey: KeyObject): Buffer {
  return encrypt(kek, wrappingContext(wrapping), Buffer.of(FORMAT), dataKey.export())
}

export function unwrap(kek: KeyObject, wrapping: Wrapping, wrapped: Uint8Array): KeyObject {
  const bytes = bufferView(wrapped)
  const keyName = `The data key ${wrapping.version} of scope ${wrapping.scope}`
  if (bytes[0] !== FORMAT || bytes.length !== 1 + OVERHEAD + KEY_BYTES) {
    throw new VaultError(`${keyName} is malformed.`)
  }
  const plain = decrypt(kek, wrappingContext(wrapping), bytes.subarray(1))
  if (!plain) throw new VaultError(`${keyName} cannot be decrypted with the key-encryption key ${wrapping.kekId}.`)

  const key = createSecretKey(plain)
  plain.fill(0)
  return key
}

export function seal(dataKey: DataKey, place: SealContext, value: Secret<string>): Buffer {
  const text = value.reveal()
  // Half a surrogate pair has no UTF-8 form and would come back as another character.
  if (!text.isWellFormed()) throw new VaultError(`A value for ${describe(place)} is not well-formed text.`)

  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(FORMAT)
  header.writeUInt32BE(dataKey.version, 1)
  return encrypt(dataKey.key, sealContext(place, dataKey.version), header, Buffer.from(text))
}

export function open(dataKey: DataKey, place: SealContext, sealed: Uint8Array): Secret<string> {
  if (sealedVersion(sealed) !== dataKey.version) {
    throw new VaultError(`A sealed value of ${describe(place)} needs another version of the data key.`)
  }
  const plain = decrypt(dataKey.key, sealContext(place, dataKey.version), bufferView(sealed).subarray(HEADER_BYTES))
  if (!plain) throw new VaultError(`A stored secret cannot be decrypted for ${describe(place)}.`)

  const text = plain.toString('utf8')
  plain.fill(0)
  return secret(text)
}

/** The version of its scope's data key that a sealed value needs. */
export function sealedVersion(sealed: Uint8Array): number {
  const bytes = bufferView(sealed)
  if (bytes.length < HEADER_BYTES + OVERHEAD || bytes[0] !== FORMAT)
    throw new VaultError('A sealed value is malformed.')
  return bytes.readUInt32BE(1)
}

const FORMAT = 1
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const OVERHEAD = NONCE_BYTES + TAG_BYTES
const HEADER_BYTES = 5
const CIPHER = 'aes-256-gcm'

/** Overwrites `plain`, so that only the caller's own copy remains. */
function encrypt(key: KeyObject, context: Buffer, header: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(context)
  const ciphertext = cipher.update(plain)
  // GCM is a stream cipher: the last call creates the tag and no further bytes.
  cipher.final()
  plain.fill(0)
  return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext])
}

/** Undefined if the tag does not match. The library's error says no more than that, so it is not attached. */
function decrypt(key: KeyObject, context: Buffer, bytes: Buffer): Buffer | undefined {
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(context)
    .setAuthTag(bytes.subarray(NONCE_BYTES, OVERHEAD))
  const plain = decipher.update(bytes.subarray(OVERHEAD))
  try {
    decipher.final()
    return plain
  } catch {
    plain.fill(0)
    return undefined
  }
}

// JSON, because a list has exactly one reading: no combination of parts can imitate another.
function wrappingContext({ scope, version, kekId }: Wrapping): Buffer {
  return Buffer.from(JSON.stringify(['data-key', FORMAT, scope, version, kekId]))
}

function sealContext({ scope, purpose }: SealContext, version: number): Buffer {
  return Buffer.from(JSON.stringify(['value', FORMAT, scope, purpose, version]))
}

function describe({ scope, purpose }: SealContext): string {
  return `purpose ${purpose} of scope ${scope}`
}

function bufferView(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
