/** The outer structure of a wallet B token, in any of its envelopes (Chapter 40 §12.1, B1). */
import { demand, present } from '../check-sheet.ts'
import { isPoint, pointOfSpki } from '../p256.ts'
import { isMembers, type JsonMembers, type JsonValue, member, strictJsonObject } from '../strict-json.ts'
import { base64Bytes } from '../text-bytes.ts'
import { millisecondsText, type WalletBVersion } from '../trust.ts'

export interface WalletBToken {
  readonly version: WalletBVersion
  readonly signature: string
  /** Exactly the text that was signed. */
  readonly signedMessage: string
  /** ECv2 only. */
  readonly intermediate: { readonly signedKey: string; readonly signatures: readonly string[] } | null
  /** The envelope's statement about the recipient; null if there is none. */
  readonly type: 'PAYMENT_GATEWAY' | 'DIRECT' | null
}

interface IntermediateKey {
  readonly spki: Buffer
  readonly expiresAt: Date
}

export interface SignedMessage {
  readonly encryptedMessage: Buffer
  readonly ephemeralPoint: Buffer
  readonly tag: Buffer
}

/** B1. */
export function readToken(text: string): WalletBToken {
  const outer = present(strictJsonObject(text), 'not a JSON object')
  const method = member(outer, 'paymentMethodData')
  const tokenization = method === undefined ? outer : member(objectAt(outer, 'paymentMethodData'), 'tokenizationData')
  demand(isMembers(tokenization), 'tokenizationData is not an object')
  const inner = member(tokenization, 'token')
  if (inner === undefined && method === undefined) return { ...bareToken(outer), type: null }
  return { ...bareToken(innerObject(inner)), type: recipientType(member(tokenization, 'type')) }
}

/** The signed text of an intermediate key. It may have more members than these. */
export function readSignedKey(text: string): IntermediateKey {
  const object = present(strictJsonObject(text), 'signedKey is not a JSON object')
  const value = member(object, 'keyValue')
  const spki = typeof value === 'string' ? base64Bytes(value) : null
  const point = spki === null ? null : pointOfSpki(spki)
  demand(spki !== null && point !== null && isPoint(point), 'the intermediate key is not a P-256 key')
  return {
    spki,
    expiresAt: present(millisecondsText(member(object, 'keyExpiration')), 'the intermediate key has no expiry'),
  }
}

/** B6. */
export function readSignedMessage(text: string): SignedMessage {
  const object = present(strictJsonObject(text), 'signedMessage is not a JSON object')
  const message = {
    encryptedMessage: base64(object, 'encryptedMessage'),
    ephemeralPoint: base64(object, 'ephemeralPublicKey'),
    tag: base64(object, 'tag'),
  }
  demand(isPoint(message.ephemeralPoint), 'ephemeralPublicKey is not on the curve')
  demand(message.tag.length === 32, 'tag has another length')
  return message
}

// biome-ignore format: a table is read in columns.
const members = {
  ECv1: ['protocolVersion', 'signature', 'signedMessage'],
  ECv2: ['intermediateSigningKey', 'protocolVersion', 'signature', 'signedMessage'],
} as const satisfies Record<WalletBVersion, readonly string[]>

/** The token as an object, or as JSON text inside a string. */
function innerObject(token: JsonValue | undefined): JsonMembers {
  const object = typeof token === 'string' ? strictJsonObject(token) : token
  demand(object !== null && isMembers(object), 'the token is not a JSON object')
  return object
}

function recipientType(type: JsonValue | undefined): WalletBToken['type'] {
  if (type === undefined) return null
  demand(type === 'PAYMENT_GATEWAY' || type === 'DIRECT', 'unknown type')
  return type
}

function bareToken(token: JsonMembers): Omit<WalletBToken, 'type'> {
  const version = member(token, 'protocolVersion')
  demand(version === 'ECv1' || version === 'ECv2', 'unknown version')
  requireMembers(token, members[version])
  return {
    version,
    signature: textAt(token, 'signature'),
    signedMessage: textAt(token, 'signedMessage'),
    intermediate: version === 'ECv1' ? null : intermediateOf(objectAt(token, 'intermediateSigningKey')),
  }
}

function intermediateOf(object: JsonMembers): WalletBToken['intermediate'] {
  requireMembers(object, ['signatures', 'signedKey'])
  const signatures = member(object, 'signatures')
  demand(Array.isArray(signatures) && signatures.length <= maxSignatures, 'signatures is not a list')
  const texts = signatures.filter((signature: JsonValue) => typeof signature === 'string')
  demand(texts.length === signatures.length, 'signatures are not strings')
  return { signedKey: textAt(object, 'signedKey'), signatures: texts }
}

/** Each signature costs a verification with every root key, so their number is limited. */
const maxSignatures = 8

function requireMembers(object: JsonMembers, names: readonly string[]): void {
  demand(Object.keys(object).toSorted().join() === names.join(), 'other members than documented')
}

function objectAt(parent: JsonMembers, name: string): JsonMembers {
  const value = member(parent, name)
  demand(isMembers(value), `${name} is not an object`)
  return value
}

function textAt(parent: JsonMembers, name: string): string {
  const value = member(parent, name)
  demand(typeof value === 'string', `${name} is not a string`)
  return value
}

function base64(parent: JsonMembers, name: string): Buffer {
  const value = member(parent, name)
  demand(typeof value === 'string', `${name} is not a string`)
  return present(base64Bytes(value), `${name} is not base64`)
}
