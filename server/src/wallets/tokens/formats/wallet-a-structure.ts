/** The outer structure of a wallet A token: its JSON, and the decoded bytes (Chapter 40 §11.1, A1 to A3). */
import { demand, present } from '../check-sheet.ts'
import { isPoint, pointOfSpki } from '../p256.ts'
import { isMembers, type JsonMembers, member, strictJsonObject } from '../strict-json.ts'
import { base64Bytes, hexBytes } from '../text-bytes.ts'

export type WalletAVersion = 'EC_v1' | 'RSA_v1'

/** The documented members, still as text. */
interface TokenTexts {
  readonly version: string
  readonly data: string
  readonly signature: string
  readonly publicKeyHash: string
  readonly ephemeralPublicKey: string | null
  readonly wrappedKey: string | null
  readonly transactionId: string
  readonly applicationData: string | null
  readonly transactionIdentifier: string
}

export interface TokenBytes {
  readonly version: WalletAVersion
  readonly data: Buffer
  readonly signature: Buffer
  readonly publicKeyHash: Buffer
  /** The decoded `ephemeralPublicKey` or `wrappedKey`, depending on the version. */
  readonly keyBytes: Buffer
  readonly transactionId: Buffer
  readonly applicationData: Buffer | null
}

/** A1. */
export function readTexts(text: string): TokenTexts {
  const token = present(strictJsonObject(text), 'not a JSON object')
  const paymentData = object(token, 'paymentData')
  const header = object(paymentData, 'header')
  const paymentMethod = object(token, 'paymentMethod')
  for (const name of ['displayName', 'network', 'type']) optionalText(paymentMethod, name)
  const texts = {
    version: requiredText(paymentData, 'version'),
    data: requiredText(paymentData, 'data'),
    signature: requiredText(paymentData, 'signature'),
    publicKeyHash: requiredText(header, 'publicKeyHash'),
    ephemeralPublicKey: optionalText(header, 'ephemeralPublicKey'),
    wrappedKey: optionalText(header, 'wrappedKey'),
    transactionId: requiredText(header, 'transactionId'),
    applicationData: optionalText(header, 'applicationData'),
    transactionIdentifier: requiredText(token, 'transactionIdentifier'),
  }
  demand(texts.ephemeralPublicKey !== null || texts.wrappedKey !== null, 'no key member')
  return texts
}

/** A2. */
export function decodeTexts(texts: TokenTexts): TokenBytes {
  const { version } = texts
  demand(version === 'EC_v1' || version === 'RSA_v1', 'unknown version')
  const data = base64(texts.data, 'data')
  demand(data.length >= minimalData, 'data is too short')
  const { applicationData } = texts
  return {
    version,
    data,
    signature: base64(texts.signature, 'signature'),
    publicKeyHash: requireLength(base64(texts.publicKeyHash, 'publicKeyHash'), hashLength, 'publicKeyHash'),
    keyBytes: version === 'EC_v1' ? ephemeralKey(texts.ephemeralPublicKey) : wrappedKey(texts.wrappedKey),
    transactionId: hash(texts.transactionId, 'transactionId'),
    applicationData: applicationData === null ? null : hash(applicationData, 'applicationData'),
  }
}

/** A3: the outer copy is not signed, and must not mislead a reader who reads only it. */
export function compareOuterId({ transactionIdentifier }: TokenTexts, { transactionId }: TokenBytes): void {
  const copy = hexBytes(transactionIdentifier)
  demand(copy?.equals(transactionId) === true, 'the outer id differs')
}

const hashLength = 32
/** One byte of ciphertext and the tag. */
const minimalData = 17
const wrappedKeyLength = { least: 256, most: 512 } as const

function ephemeralKey(text: string | null): Buffer {
  const spki = base64(present(text, 'no ephemeralPublicKey'), 'ephemeralPublicKey')
  const point = present(pointOfSpki(spki), 'ephemeralPublicKey is not a P-256 key')
  demand(isPoint(point), 'ephemeralPublicKey is not on the curve')
  return spki
}

function wrappedKey(text: string | null): Buffer {
  const bytes = base64(present(text, 'no wrappedKey'), 'wrappedKey')
  demand(
    bytes.length >= wrappedKeyLength.least && bytes.length <= wrappedKeyLength.most,
    'wrappedKey has another length',
  )
  return bytes
}

function base64(text: string, name: string): Buffer {
  return present(base64Bytes(text), `${name} is not base64`)
}

function hash(text: string, name: string): Buffer {
  return requireLength(present(hexBytes(text), `${name} is not hexadecimal`), hashLength, name)
}

function requireLength(bytes: Buffer, length: number, name: string): Buffer {
  demand(bytes.length === length, `${name} has another length`)
  return bytes
}

function object(parent: JsonMembers, name: string): JsonMembers {
  const value = member(parent, name)
  demand(isMembers(value), `${name} is not an object`)
  return value
}

function requiredText(parent: JsonMembers, name: string): string {
  return present(optionalText(parent, name), `${name} is missing`)
}

function optionalText(parent: JsonMembers, name: string): string | null {
  const value = member(parent, name)
  if (value === undefined) return null
  demand(typeof value === 'string', `${name} is not a string`)
  return value
}
