/** Decrypts a wallet A token (Chapter 40 §11.2 A13 and A14, §11.3, §11.4). */
import { constants, createDecipheriv, createSecretKey, diffieHellman, hash, privateDecrypt } from 'node:crypto'
import { CheckFailed, demand, present } from '../check-sheet.ts'
import { keyOfPoint, pointOfSpki } from '../p256.ts'
import { type ActiveKey, usableKeys, type WalletKey } from '../processing-key.ts'
import type { TokenBytes } from './wallet-a-structure.ts'

/** A13: the token names its key by hash. */
export function pickKey({ version, publicKeyHash }: TokenBytes, keys: readonly ActiveKey[], now: Date): ActiveKey {
  const name = publicKeyHash.toString('base64')
  const named = usableKeys(keys, now).find(({ key }) => key.publicKeyHash === name)
  if (named === undefined) throw new CheckFailed(`no active key ${publicKeyHash.toString('hex')}`)
  demand((named.key.type === 'EC') === (version === 'EC_v1'), 'the key does not fit the version')
  return named
}

/** A14: decrypts the content. */
export function decryptToken(token: TokenBytes, key: WalletKey, merchantIdentifier: string): Buffer {
  const contentKey = token.version === 'EC_v1' ? agreedKey(token, key, merchantIdentifier) : unwrappedKey(token, key)
  const cipher = token.version === 'EC_v1' ? 'aes-256-gcm' : 'aes-128-gcm'
  const secretKey = createSecretKey(contentKey)
  contentKey.fill(0)
  const decipher = createDecipheriv(cipher, secretKey, zeroIv, { authTagLength: tagLength })
  decipher.setAuthTag(token.data.subarray(-tagLength))
  // GCM is a stream cipher: all content is returned before the tag is verified.
  const content = decipher.update(token.data.subarray(0, -tagLength))
  try {
    decipher.final()
    return content
  } catch {
    content.fill(0)
    throw new CheckFailed('the content does not decrypt')
  }
}

/** One step of the concatenation key derivation; its parties are the format's name and the merchant. */
export function derivedKey(z: Buffer, merchantIdentifier: string): Buffer {
  const party = hash('sha256', merchantIdentifier, 'buffer')
  return hash('sha256', Buffer.concat([counter, z, algorithmAndPartyU, party]), 'buffer')
}

const tagLength = 16
/** Sixteen octets, unlike the usual twelve. */
const zeroIv = Buffer.alloc(16)
const counter = Buffer.from([0, 0, 0, 1])
const algorithmAndPartyU = Buffer.from('\x0did-aes256-GCMApple', 'latin1')

function agreedKey({ keyBytes }: TokenBytes, key: WalletKey, merchantIdentifier: string): Buffer {
  const point = present(pointOfSpki(keyBytes), 'no point')
  const z = diffieHellman({ privateKey: key.privateKey, publicKey: keyOfPoint(point) })
  const derived = derivedKey(z, merchantIdentifier)
  z.fill(0)
  return derived
}

function unwrappedKey({ keyBytes }: TokenBytes, { privateKey }: WalletKey): Buffer {
  const unwrapped = oaep(keyBytes, privateKey)
  demand(unwrapped.length === 16, 'the wrapped key has another length')
  return unwrapped
}

function oaep(wrapped: Buffer, key: WalletKey['privateKey']): Buffer {
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, wrapped)
  } catch {
    throw new CheckFailed('the wrapped key does not decrypt')
  }
}
