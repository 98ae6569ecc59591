/**
 * Opens a wallet B token: every check of Chapter 40 §12.2 in order, each with its row in the record.
 *
 * Replay (B7, B12) stays "not reached": the database decides it when the payment is written, and `withReplay` adds the result. This token
 * has no amount and currency, so there is nothing to compare with the order.
 */
import { hash } from 'node:crypto'
import { networkOf } from '#domain/card.ts'
import { CheckSheet, type CheckTable, TokenRefused } from '../check-sheet.ts'
import type { KnownIntermediates } from '../known-intermediates.ts'
import {
  type AuthMethod,
  type CheckRecord,
  type GenuineToken,
  type OpenedToken,
  type ReplayHash,
  replayHash,
  type WalletCard,
} from '../opened-token.ts'
import type { ActiveKey } from '../processing-key.ts'
import type { WalletBRootKey, WalletBTrust } from '../trust.ts'
import { decryptMessage, findKey } from './wallet-b-cipher.ts'
import { checkAuthMethod, checkExpiry, checkMerchant, readWalletBPlaintext } from './wallet-b-plaintext.ts'
import {
  checkIntermediateTime,
  type Recipient,
  type Recipients,
  UnknownSigner,
  usableRoots,
  verifyIntermediate,
  verifyMessage,
} from './wallet-b-signature.ts'
import { readSignedMessage, readToken, type SignedMessage, type WalletBToken } from './wallet-b-structure.ts'

export interface WalletBTerms {
  readonly now: Date
  readonly trust: WalletBTrust
  readonly known: KnownIntermediates
  readonly recipients: Recipients
  readonly flow: WalletBFlow
  /** Checkout only; null on S2S. */
  readonly allowedAuthMethods: readonly AuthMethod[] | null
}

export type WalletBFlow =
  | { readonly kind: 'virtual'; readonly reason: string }
  | { readonly kind: 'card'; readonly reason: string; readonly keys: readonly ActiveKey[] }

// biome-ignore format: a table is read in columns.
export const walletBChecks = {
  B1:  ['shape',             'malformed'],
  B2:  ['roots',             'expired-or-altered'],
  B3:  ['intermediate',      'expired-or-altered'],
  B4:  ['intermediate time', 'expired-or-altered'],
  B5:  ['signature',         'expired-or-altered'],
  B6:  ['message',           'expired-or-altered'],
  B7:  ['replay',            'expired-or-altered'],
  B8:  ['mac',               'expired-or-altered'],
  B9:  ['plaintext',         'expired-or-altered'],
  B10: ['time',              'expired-or-altered'],
  B11: ['merchant',          'expired-or-altered'],
  B12: ['message id',        'expired-or-altered'],
  B13: ['auth method',       'expired-or-altered'],
} as const satisfies CheckTable

type Sheet = CheckSheet<typeof walletBChecks>

export function openWalletB(text: string, terms: WalletBTerms): OpenedToken {
  const sheet: Sheet = new CheckSheet(walletBChecks)
  const seen: TokenFindings = { version: null, root: null, replayHashes: [], fromSandbox: false }
  try {
    const token = open(text, terms, sheet, seen)
    return { ok: true, token, record: recordOf(sheet, terms, seen, token.card) }
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    const record = recordOf(sheet, terms, seen, null)
    const { replayHashes, fromSandbox } = seen
    return { ok: false, refusal: error.refusal, record, replayHashes, fromSandbox }
  }
}

/** What the record contains even for a refused token. */
interface TokenFindings {
  version: string | null
  root: WalletBRootKey | null
  replayHashes: readonly ReplayHash[]
  fromSandbox: boolean
}

function open(text: string, terms: WalletBTerms, sheet: Sheet, seen: TokenFindings): GenuineToken {
  const token = sheet.check('B1', () => readToken(text))
  seen.version = token.version
  const recipient = checkSigned(token, terms, sheet, seen)
  const message = sheet.check('B6', () => readSignedMessage(token.signedMessage))
  seen.replayHashes = [replayHash('B7', hash('sha256', token.signedMessage, 'buffer'))]
  if (terms.flow.kind === 'card')
    return decryptPlaintext({ token, message, recipient, keys: terms.flow.keys }, terms, sheet, seen)
  sheet.skip('B8', 'B9', 'B10', 'B11', 'B12', 'B13')
  return { replayHashes: seen.replayHashes, card: null, openedBy: null }
}

/** B2 to B5. */
function checkSigned(token: WalletBToken, terms: WalletBTerms, sheet: Sheet, seen: TokenFindings): Recipient {
  const { trust, known, now, recipients } = terms
  const roots = sheet.check('B2', () => usableRoots(trust, token.version, now))
  if (token.intermediate === null) {
    sheet.skip('B3', 'B4')
    const keys = roots.map(({ key }) => key)
    const { recipient, signer } = sheet.check('B5', () => verifyMessage(token, keys, recipients))
    seen.root = roots.find(({ key }) => key === signer) ?? null
    return recipient
  }
  const intermediate = sheet.check(
    'B3',
    () => noteSandboxToken(seen, () => verifyIntermediate(token, roots, known)),
    ({ root }) => `root key ${root.fingerprint.slice(0, 16)}`,
  )
  seen.root = intermediate.root
  sheet.check(
    'B4',
    () => checkIntermediateTime(intermediate, now),
    () => `until ${intermediate.expiresAt.toISOString()}`,
  )
  return sheet.check('B5', () => verifyMessage(token, [intermediate.key], recipients)).recipient
}

function noteSandboxToken<T>(seen: TokenFindings, look: () => T): T {
  try {
    return look()
  } catch (error) {
    seen.fromSandbox = error instanceof UnknownSigner && error.sandboxToken
    throw error
  }
}

interface DecryptionParts {
  readonly token: WalletBToken
  readonly message: SignedMessage
  readonly recipient: Recipient
  readonly keys: readonly ActiveKey[]
}

/** B8 to B13. */
function decryptPlaintext(
  { token, message, recipient, keys }: DecryptionParts,
  terms: WalletBTerms,
  sheet: Sheet,
  seen: TokenFindings,
): GenuineToken {
  const { now, allowedAuthMethods } = terms
  const { active, cipherKey } = sheet.check(
    'B8',
    () => findKey(message, token.version, keys, now),
    ({ active: { key, state } }) => `${state} key ${key.fingerprint}`,
  )
  const plaintext = sheet.check('B9', () =>
    readWalletBPlaintext(decryptMessage(message, token.version, cipherKey), token.version),
  )
  seen.replayHashes = [...seen.replayHashes, replayHash('B12', plaintext.messageId)]
  sheet.check(
    'B10',
    () => checkExpiry(plaintext, now),
    () => `until ${plaintext.expiresAt.toISOString()}`,
  )
  if (recipient.gatewayMerchantId === null) sheet.skip('B11')
  else sheet.check('B11', () => checkMerchant(plaintext, recipient))
  if (allowedAuthMethods === null) sheet.skip('B13')
  else sheet.check('B13', () => checkAuthMethod(plaintext, allowedAuthMethods))
  return {
    replayHashes: seen.replayHashes,
    card: plaintext.card,
    openedBy: active.key.fingerprint,
  }
}

function recordOf(
  sheet: Sheet,
  { trust, flow }: WalletBTerms,
  seen: TokenFindings,
  card: WalletCard | null,
): CheckRecord {
  return {
    wallet: 'walletbpay',
    version: seen.version,
    flow: flow.kind,
    flowReason: flow.reason,
    trust: {
      rootFingerprint: seen.root?.fingerprint.slice(0, 16) ?? null,
      source: trust.source,
      environment: trust.environment,
    },
    checks: sheet.rows(),
    panType: card?.panType ?? null,
    numberKind: card?.numberKind ?? null,
    network: (card === null ? undefined : networkOf(card.number.reveal())) ?? null,
  }
}
