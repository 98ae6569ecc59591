/** Decrypts a wallet B token (Chapter 40 §12.2 B8, §12.3). */
import {
  createDecipheriv,
  createHmac,
  createSecretKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { CheckFailed } from '../check-sheet.ts'
import { keyOfPoint } from '../p256.ts'
import { type ActiveKey, usableKeys, type WalletKey } from '../processing-key.ts'
import type { WalletBVersion } from '../trust.ts'
import type { SignedMessage } from './wallet-b-structure.ts'

interface OpeningKey {
  readonly active: ActiveKey
  readonly cipherKey: KeyObject
}

/** B8: the token names no key, so each active one is tried, the current one first. */
export function findKey(
  message: SignedMessage,
  version: WalletBVersion,
  keys: readonly ActiveKey[],
  now: Date,
): OpeningKey {
  for (const active of usableKeys(keys, now).filter(({ key }) => key.type === 'EC')) {
    const { cipherKey, macKey } = derivedKeys(message.ephemeralPoint, active.key, version)
    const tag = createHmac('sha256', macKey).update(message.encryptedMessage).digest()
    if (timingSafeEqual(tag, message.tag)) return { active, cipherKey }
  }
  throw new CheckFailed('no active key fits')
}

export function decryptMessage(
  { encryptedMessage }: SignedMessage,
  version: WalletBVersion,
  cipherKey: KeyObject,
): Buffer {
  const decipher = createDecipheriv(version === 'ECv1' ? 'aes-128-ctr' : 'aes-256-ctr', cipherKey, zeroCounter)
  const content = decipher.update(encryptedMessage)
  // A stream cipher has nothing left at its end.
  decipher.final()
  return content
}

export function derivedKeys(ephemeralPoint: Buffer, { privateKey }: WalletKey, version: WalletBVersion) {
  const z = diffieHellman({ privateKey, publicKey: keyOfPoint(ephemeralPoint) })
  const length = version === 'ECv1' ? 16 : 32
  const material = createSecretKey(Buffer.concat([ephemeralPoint, z]))
  const output = Buffer.from(hkdfSync('sha256', material, noSalt, 'Google', 2 * length))
  return { cipherKey: createSecretKey(output.subarray(0, length)), macKey: createSecretKey(output.subarray(length)) }
}

const zeroCounter = Buffer.alloc(16)
const noSalt = Buffer.alloc(0)
