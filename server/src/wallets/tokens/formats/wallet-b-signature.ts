/** Who signed a wallet B token (Chapter 40 §12.2, B2 to B5). */
import { hash, type KeyObject, verify } from 'node:crypto'
import { CheckFailed, demand, present } from '../check-sheet.ts'
import type { KnownIntermediate, KnownIntermediates } from '../known-intermediates.ts'
import { keyOfSpki } from '../p256.ts'
import { base64Bytes } from '../text-bytes.ts'
import { hasSandboxMark, type WalletBRootKey, type WalletBTrust, type WalletBVersion } from '../trust.ts'
import { readSignedKey, type WalletBToken } from './wallet-b-structure.ts'

/** A party to which a token may be addressed. */
export interface Recipient {
  /** As signed: `gateway:` or `merchant:` and the id. */
  readonly name: string
  /** The required `gatewayMerchantId`; null for a merchant that is addressed directly (B11). */
  readonly gatewayMerchantId: string | null
  /** The merchant's key, the default of earlier releases, which merchants' own pages may still name. */
  readonly formerMerchantId?: string
}

export interface Recipients {
  readonly gateway: Recipient | null
  readonly merchant: Recipient | null
}

export const gatewayRecipient = (gateway: string, gatewayMerchantId: string, formerMerchantId?: string): Recipient => ({
  name: `gateway:${gateway}`,
  gatewayMerchantId,
  ...(formerMerchantId === undefined ? {} : { formerMerchantId }),
})

export const merchantRecipient = (merchantIdentifier: string): Recipient => ({
  name: `merchant:${merchantIdentifier}`,
  gatewayMerchantId: null,
})

/** B2: root keys of the token's version that have not expired. */
export function usableRoots({ keys }: WalletBTrust, version: WalletBVersion, now: Date): readonly WalletBRootKey[] {
  const roots = keys.filter((key) => key.version === version && (key.expiresAt === null || key.expiresAt > now))
  demand(roots.length > 0, `no valid root key of ${version}`)
  return roots
}

/** B3: a root key signed the intermediate key. */
export function verifyIntermediate(
  token: WalletBToken,
  roots: readonly WalletBRootKey[],
  known: KnownIntermediates,
): KnownIntermediate {
  const { signedKey, signatures } = present(token.intermediate, 'no intermediate key')
  const found = known.find(signedKey, signatures, roots)
  if (found !== undefined) return found
  const { root, signature } = rootSignature(token.version, signedKey, signatures, roots)
  const { spki, expiresAt } = readSignedKey(signedKey)
  const intermediate = { key: keyOfSpki(spki), expiresAt, root }
  known.remember(signedKey, signature, intermediate)
  return intermediate
}

/** B4: the intermediate key has not expired. */
export function checkIntermediateTime({ expiresAt }: KnownIntermediate, now: Date): void {
  if (expiresAt <= now) throw new CheckFailed(`the intermediate key expired at ${expiresAt.toISOString()}`)
}

/** B5: the message was signed for one of our recipients. Returns the signed recipient, and the key that signed. */
export function verifyMessage(
  token: WalletBToken,
  signers: readonly KeyObject[],
  recipients: Recipients,
): { readonly recipient: Recipient; readonly signer: KeyObject } {
  const signature = present(base64Bytes(token.signature), 'signature is not base64')
  for (const recipient of possibleRecipients(token, recipients)) {
    const signed = messageInput(recipient.name, token)
    const signer = signers.find((key) => isVerified(signed, key, signature))
    if (signer !== undefined) return { recipient, signer }
  }
  throw new CheckFailed('the signature does not verify')
}

export function messageInput(
  recipient: string,
  { version, signedMessage }: Pick<WalletBToken, 'version' | 'signedMessage'>,
): Buffer {
  return lengthValues(sender, recipient, version, signedMessage)
}

/** No root signed the key; a live instance raises an alert if a sandbox did (Chapter 40 §14). */
export class UnknownSigner extends CheckFailed {
  readonly sandboxToken: boolean

  constructor(signedKey: string) {
    super('no root key signed the intermediate key')
    this.sandboxToken = looksLikeSandboxKey(signedKey)
  }
}

const sender = 'Google'

function rootSignature(
  version: WalletBVersion,
  signedKey: string,
  signatures: readonly string[],
  roots: readonly WalletBRootKey[],
): { readonly root: WalletBRootKey; readonly signature: string } {
  const signed = lengthValues(sender, version, signedKey)
  for (const signature of signatures) {
    const bytes = base64Bytes(signature)
    const root = bytes === null ? undefined : roots.find(({ key }) => isVerified(signed, key, bytes))
    if (root !== undefined) return { root, signature }
  }
  throw new UnknownSigner(signedKey)
}

/** A token without a type may be addressed either way; the signature decides. */
function possibleRecipients({ type }: WalletBToken, { gateway, merchant }: Recipients): readonly Recipient[] {
  const candidates = type === 'DIRECT' ? [merchant] : type === 'PAYMENT_GATEWAY' ? [gateway] : [gateway, merchant]
  return candidates.filter((recipient) => recipient !== null)
}

/** Each text preceded by its length in bytes: four octets, little-endian. */
function lengthValues(...texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(lengths.reduce((total, length) => total + 4 + length, 0))
  let at = 0
  for (const [index, text] of texts.entries()) {
    at = bytes.writeUInt32LE(lengths[index] ?? 0, at)
    at += bytes.write(text, at)
  }
  return bytes
}

function isVerified(signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  return verify('sha256', signed, key, signature)
}

function looksLikeSandboxKey(signedKey: string): boolean {
  try {
    return hasSandboxMark(hash('sha256', readSignedKey(signedKey).spki, 'hex'))
  } catch (error) {
    if (error instanceof CheckFailed) return false
    throw error
  }
}
