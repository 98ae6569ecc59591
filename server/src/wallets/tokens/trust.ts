/**
 * Trust anchors of tokens: the wallet provider's, or on a sandbox instance the sandbox authority's (Chapter 40 §14).
 *
 * Anchors can be created only here, by loaders that know the instance's mode, so that no other code can use a sandbox key in place of a
 * wallet provider's. Marks tell the two apart: every certificate of a sandbox authority has an extension, and every key of it a fingerprint
 * that begins with two fixed bytes. The loaders require the marks for one source and refuse them for the other.
 */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { Asn1Error } from './asn1/asn1-error.ts'
import { type Certificate, keyUsages, readCertificate } from './asn1/certificate.ts'
import { oids } from './asn1/oids.ts'
import { isPoint, pointOfSpki } from './p256.ts'
import { pemBlocks } from './pem.ts'
import { isMembers, type JsonMembers, type JsonValue, member, strictJsonObject } from './strict-json.ts'
import { base64Bytes } from './text-bytes.ts'

export type TrustSource = 'wallet maker' | 'sandbox authority'
export type InstanceMode = 'live' | 'sandbox'
export type WalletBVersion = 'ECv1' | 'ECv2'
export type WalletBEnvironment = 'PRODUCTION' | 'TEST'

/** `wallet maker` is the stored word for the wallet provider. */
const ownerTexts: Readonly<Record<TrustSource, string>> = {
  'wallet maker': 'wallet provider',
  'sandbox authority': 'sandbox authority',
}

/** Proves that a value came from a loader in this file. */
const loadedMark = Symbol('loaded')

export interface WalletATrust {
  readonly kind: 'root'
  readonly [loadedMark]: true
  readonly source: TrustSource
  readonly root: Certificate
  /** SHA-256 of the certificate, in hexadecimal. */
  readonly fingerprint: string
}

export interface WalletBTrust {
  readonly kind: 'key list'
  readonly [loadedMark]: true
  readonly source: TrustSource
  readonly environment: WalletBEnvironment
  readonly keys: readonly WalletBRootKey[]
}

export interface WalletBRootKey {
  readonly version: WalletBVersion
  readonly key: KeyObject
  readonly expiresAt: Date | null
  /** SHA-256 of the SPKI, in hexadecimal. */
  readonly fingerprint: string
}

/** The anchor cannot be used; the message tells the operator why. */
export class TrustError extends Error {
  override readonly name = 'TrustError'
}

export interface WalletARootFile {
  readonly instanceMode: InstanceMode
  readonly source: TrustSource
  readonly pem: string
  /** SHA-256 of the file in hexadecimal, as the configuration pins it; null if the instance created the file itself. */
  readonly sha256: string | null
}

export function loadWalletATrust({ instanceMode, source, pem, sha256 }: WalletARootFile): WalletATrust {
  checkSource(instanceMode, source)
  if (source === 'wallet maker' && sha256 === null)
    throw new TrustError('The SHA-256 of the root file is not configured.')
  if (sha256 !== null && digest(pem) !== sha256.toLowerCase())
    throw new TrustError('The root file has another SHA-256.')
  const root = rootCertificate(pem)
  if (isSandboxCertificate(root) !== (source === 'sandbox authority')) {
    throw new TrustError(`The root does not belong to the ${ownerTexts[source]}.`)
  }
  return { kind: 'root', [loadedMark]: true, source, root, fingerprint: root.fingerprint }
}

interface WalletBKeyList {
  readonly instanceMode: InstanceMode
  readonly source: TrustSource
  readonly environment: WalletBEnvironment
  /** The list in the wallet provider's JSON form: `{"keys":[{"keyValue","protocolVersion","keyExpiration"}]}`. */
  readonly json: string
  /** SHA-256 of the SPKIs of wallet providers' keys in the release: one in 65 536 has the sandbox mark by chance. */
  readonly shippedFingerprints: ReadonlySet<string>
}

/**
 * Keys of unsupported versions are ignored, because lists name future versions beside the current ones. A key without an expiry that it
 * needs, or with a damaged value, is left out too: it can verify nothing, and the others of the list still can.
 */
export function loadWalletBTrust({
  instanceMode,
  source,
  environment,
  json,
  shippedFingerprints,
}: WalletBKeyList): WalletBTrust {
  checkSource(instanceMode, source)
  const entries = member(strictJsonObject(json) ?? {}, 'keys')
  if (!Array.isArray(entries)) throw new TrustError('The list of root keys is damaged.')
  const keys = entries.flatMap((entry: JsonValue) => rootKey(entry))
  for (const { fingerprint } of keys) {
    const marked = hasSandboxMark(fingerprint) && !shippedFingerprints.has(fingerprint)
    if (marked !== (source === 'sandbox authority'))
      throw new TrustError(`A root key does not belong to the ${ownerTexts[source]}.`)
  }
  if (keys.length === 0) throw new TrustError('The list of root keys has no usable key.')
  return { kind: 'key list', [loadedMark]: true, source, environment, keys }
}

export function isSandboxCertificate(certificate: Certificate): boolean {
  return certificate.extensions.has(oids.sandboxAuthority)
}

/** True if a key's SHA-256 has the two bytes that sandbox authorities search for when they generate a key. */
export function hasSandboxMark(fingerprint: string): boolean {
  return fingerprint.startsWith('5a5b')
}

function checkSource(instanceMode: InstanceMode, source: TrustSource): void {
  if (instanceMode === 'live' && source === 'sandbox authority')
    throw new TrustError('A live instance has no sandbox authority.')
}

function rootCertificate(pem: string): Certificate {
  const [block, ...more] = pemBlocks(pem) ?? []
  if (block?.label !== 'CERTIFICATE' || more.length > 0) throw new TrustError('The root file is not one certificate.')
  const root = readOrExplain(block.bytes)
  const signs = root.keyUsage === null || root.keyUsage.has(keyUsages.keyCertSign)
  if (!root.isAuthority || root.pathLength === 0 || !signs) throw new TrustError('The root may not issue authorities.')
  if (!root.subject.equals(root.issuer)) throw new TrustError('The root is not its own issuer.')
  return root
}

function readOrExplain(der: Buffer): Certificate {
  try {
    return readCertificate(der)
  } catch (error) {
    if (error instanceof Asn1Error) throw new TrustError('The root certificate is damaged.')
    throw error
  }
}

function rootKey(entry: JsonValue): readonly WalletBRootKey[] {
  const fields: JsonMembers = isMembers(entry) ? entry : {}
  const version = member(fields, 'protocolVersion')
  if (version !== 'ECv1' && version !== 'ECv2') return []
  const value = member(fields, 'keyValue')
  const spki = typeof value === 'string' ? base64Bytes(value) : null
  const point = spki === null ? null : pointOfSpki(spki)
  if (spki === null || point === null || !isPoint(point)) return []
  const expiration = member(fields, 'keyExpiration')
  // Chapter 40 §12.2, B2: an ECv1 key may have no expiry, an ECv2 key must have one.
  const expiresAt = expiration === undefined && version === 'ECv1' ? null : millisecondsText(expiration)
  if (expiresAt === undefined) return []
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return [{ version, key, expiresAt, fingerprint: digest(spki) }]
}

/** A time in milliseconds as text, as in wallet B; undefined for anything else. */
export function millisecondsText(value: JsonValue | undefined): Date | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? new Date(Number(value)) : undefined
}

function digest(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}
