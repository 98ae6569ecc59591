/**
 * Private keys as merchants enter them: PEM, or the text between the markers in one line (Chapter 40 §4.1). All faults of §4.2 are found
 * here, when the key is saved, and not during a payment.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type Secret, secret } from '#domain/secret.ts'
import { type EntryFault, entryFault } from './entry-fault.ts'
import { keyText } from './key-text.ts'
import { privateNumbers } from './private-numbers.ts'

export interface WalletKey {
  readonly type: 'EC' | 'RSA'
  readonly privateKey: KeyObject
  /** PKCS#8 DER, which is stored encrypted. */
  readonly pkcs8: Secret<Buffer>
  readonly spki: Buffer
  /** base64(SHA-256(SPKI)): tokens of wallet A name their key by it. */
  readonly publicKeyHash: string
  /** The same in hexadecimal, for display. */
  readonly fingerprint: string
}

/** A key with its rotation state (Chapter 40 §5). Retired keys have no private part and do not occur here. */
export interface ActiveKey {
  readonly key: WalletKey
  readonly state: 'current' | 'next' | 'retiring'
  /** When a retiring key stops; null for the others. */
  readonly until: Date | null
}

/** What a field accepts; bounds in bits, null if RSA is not accepted. */
export interface KeyField {
  readonly rsa: { readonly least: number; readonly most: number } | null
}

export const keyFields = {
  walletAProcessing: { rsa: { least: 2048, most: 4096 } },
  walletAIdentity: { rsa: { least: 2048, most: 8192 } },
  walletB: { rsa: null },
} as const satisfies Record<string, KeyField>

type KeyReading =
  | { readonly ok: true; readonly key: WalletKey; readonly notes: readonly string[] }
  | { readonly ok: false; readonly fault: EntryFault }

export function readPrivateKey(text: string, field: KeyField): KeyReading {
  const found = keyText(text)
  if (!found.ok) return found
  const numbers = privateNumbers(found.der)
  if (!numbers.ok) return numbers.fault.id === 'K7' ? refuseType(field) : numbers
  if (numbers.type === 'RSA' && !withinBounds(numbers.bits, field)) return refuseType(field)
  const privateKey = keyObject(numbers.key)
  if (privateKey === null) return { ok: false, fault: entryFault('K8') }
  return { ok: true, key: walletKey(numbers.type, privateKey), notes: found.notes }
}

/** The keys that may decrypt at that time, the current one first. */
export function usableKeys(keys: readonly ActiveKey[], now: Date): readonly ActiveKey[] {
  return keys
    .filter(({ until }) => until === null || now <= until)
    .toSorted((a, b) => Number(b.state === 'current') - Number(a.state === 'current'))
}

/** Names only the types that the field accepts. */
function refuseType({ rsa }: KeyField): KeyReading {
  return { ok: false, fault: entryFault(rsa === null ? 'K7elliptic' : 'K7') }
}

function withinBounds(bits: number, { rsa }: KeyField): boolean {
  return rsa !== null && bits >= rsa.least && bits <= rsa.most
}

function keyObject(key: Parameters<typeof createPrivateKey>[0]): KeyObject | null {
  try {
    return createPrivateKey(key)
  } catch {
    // The structure is valid at this point, so OpenSSL refuses only inconsistent numbers.
    return null
  }
}

function walletKey(type: WalletKey['type'], privateKey: KeyObject): WalletKey {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const hash = createHash('sha256').update(spki).digest()
  return {
    type,
    privateKey,
    pkcs8: secret(privateKey.export({ format: 'der', type: 'pkcs8' })),
    spki,
    publicKeyHash: hash.toString('base64'),
    fingerprint: hash.toString('hex'),
  }
}
