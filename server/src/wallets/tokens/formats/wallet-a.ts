/**
 * Opens a wallet A token: every check of Chapter 40 §11.2 in order, each with its row in the record.
 *
 * Virtual flow has no key and runs the checks that need none; card flow continues to the card. Replay (A12) stays "not reached": the
 * database decides it when the payment is written, and `withReplay` adds the result.
 *
 * Deliberately absent: clock, network, stored settings. They are arguments or the caller's business.
 */
import { networkOf } from '#domain/card.ts'
import { readSignedData } from '../asn1/signed-data.ts'
import { CheckSheet, type CheckTable, TokenRefused } from '../check-sheet.ts'
import {
  type CheckRecord,
  type GenuineToken,
  type OpenedToken,
  type ReplayHash,
  replayHash,
  type WalletCard,
} from '../opened-token.ts'
import type { ActiveKey } from '../processing-key.ts'
import { type ChainTerms, checkChain, OtherAuthority, sortCertificates } from './wallet-a-chain.ts'
import { decryptToken, pickKey } from './wallet-a-cipher.ts'
import {
  checkAmount,
  checkBinding,
  checkCurrency,
  readWalletAPlaintext,
  type WalletOrder,
} from './wallet-a-plaintext.ts'
import {
  checkDigest,
  checkSignature,
  checkSigner,
  checkTime,
  claimedSigningTime,
  readAttributes,
} from './wallet-a-signature.ts'
import { compareOuterId, decodeTexts, readTexts, type TokenBytes } from './wallet-a-structure.ts'

export interface WalletATerms extends ChainTerms {
  readonly now: Date
  /** How far signing time and clock may differ: 60 to 3600, 300 by default (A11). */
  readonly lifetimeSeconds: number
  readonly flow: WalletAFlow
  /** What a Checkout session asked the token to name; null on S2S. */
  readonly bindingValue: string | null
}

export type WalletAFlow =
  | { readonly kind: 'virtual'; readonly reason: string }
  | {
      readonly kind: 'card'
      readonly reason: string
      readonly keys: readonly ActiveKey[]
      readonly merchantIdentifier: string
      readonly order: WalletOrder
    }

// biome-ignore format: a table is read in columns.
export const walletAChecks = {
  A1:  ['shape',        'malformed'],
  A2:  ['decode',       'expired-or-altered'],
  A3:  ['outer id',     'expired-or-altered'],
  A4:  ['cms',          'expired-or-altered'],
  A5:  ['certificates', 'expired-or-altered'],
  A6:  ['chain',        'expired-or-altered'],
  A7:  ['signer',       'expired-or-altered'],
  A8:  ['attributes',   'expired-or-altered'],
  A9:  ['digest',       'expired-or-altered'],
  A10: ['signature',    'expired-or-altered'],
  A11: ['time',         'expired-or-altered'],
  A12: ['replay',       'expired-or-altered'],
  A13: ['key',          'expired-or-altered'],
  A14: ['decrypt',      'expired-or-altered'],
  A15: ['plaintext',    'expired-or-altered'],
  A16: ['binding',      'expired-or-altered'],
  A17: ['currency',     'mismatch'],
  A18: ['amount',       'mismatch'],
} as const satisfies CheckTable

type Sheet = CheckSheet<typeof walletAChecks>

export function openWalletA(text: string, terms: WalletATerms): OpenedToken {
  const sheet: Sheet = new CheckSheet(walletAChecks)
  const seen: TokenFindings = { version: null, replayHashes: [], fromSandbox: false }
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
  replayHashes: readonly ReplayHash[]
  fromSandbox: boolean
}

function open(text: string, terms: WalletATerms, sheet: Sheet, seen: TokenFindings): GenuineToken {
  const texts = sheet.check('A1', () => readTexts(text))
  const token = sheet.check('A2', () => decodeTexts(texts))
  seen.version = token.version
  sheet.check('A3', () => compareOuterId(texts, token))
  checkSigned(token, terms, sheet, seen)
  seen.replayHashes = [replayHash('A12', token.transactionId)]
  const { active, plaintext } =
    terms.flow.kind === 'card' ? decryptPlaintext(token, terms.flow, terms.now, sheet) : nothing
  const { bindingValue } = terms
  if (bindingValue === null) sheet.skip('A16')
  else sheet.check('A16', () => checkBinding(token.applicationData, bindingValue))
  if (terms.flow.kind === 'card' && plaintext !== null) {
    const { order } = terms.flow
    sheet.check(
      'A17',
      () => checkCurrency(plaintext, order),
      () => `both ${order.currency}`,
    )
    sheet.check(
      'A18',
      () => checkAmount(plaintext, order),
      () => `amount equal, ${order.amountMinor}`,
    )
  } else sheet.skip('A13', 'A14', 'A15', 'A17', 'A18')
  return {
    replayHashes: seen.replayHashes,
    card: plaintext?.card ?? null,
    openedBy: active?.key.fingerprint ?? null,
  }
}

const nothing = { active: null, plaintext: null } as const

/** A4 to A11. */
function checkSigned(token: TokenBytes, terms: WalletATerms, sheet: Sheet, seen: TokenFindings): void {
  const { known, now, lifetimeSeconds } = terms
  const signed = sheet.check('A4', () => readSignedData(token.signature))
  const chain = sheet.check('A5', () => sortCertificates(signed.certificates, terms))
  const { leaf, intermediate } = chain
  sheet.check(
    'A6',
    () => noteSandboxToken(seen, () => checkChain(chain, claimedSigningTime(signed), terms)),
    () => `leaf ${leaf.serial}, intermediate ${intermediate.serial}`,
  )
  sheet.check('A7', () => checkSigner(signed, leaf, token.version, known))
  const attributes = sheet.check('A8', () => readAttributes(signed))
  sheet.check('A9', () => checkDigest(token, attributes.messageDigest))
  sheet.check('A10', () => checkSignature(signed, attributes, leaf, known))
  const { signingTime } = attributes
  sheet.check(
    'A11',
    () => checkTime(signingTime, now, lifetimeSeconds),
    (seconds) => `signed at ${signingTime.toISOString()}, ${seconds} s from now`,
  )
}

function noteSandboxToken(seen: TokenFindings, look: () => void): void {
  try {
    look()
  } catch (error) {
    seen.fromSandbox = error instanceof OtherAuthority && error.sandboxToken
    throw error
  }
}

/** A13 to A15. */
function decryptPlaintext(token: TokenBytes, flow: WalletAFlow & { readonly kind: 'card' }, now: Date, sheet: Sheet) {
  const active = sheet.check(
    'A13',
    () => pickKey(token, flow.keys, now),
    ({ key, state }) => `${state} key ${key.fingerprint}`,
  )
  const bytes = sheet.check('A14', () => decryptToken(token, active.key, flow.merchantIdentifier))
  const plaintext = sheet.check(
    'A15',
    () => readWalletAPlaintext(bytes, token.version),
    ({ authentications }) => `${authentications} authentication responses`,
  )
  bytes.fill(0)
  return { active, plaintext }
}

function recordOf(
  sheet: Sheet,
  { trust, flow }: WalletATerms,
  { version }: TokenFindings,
  card: WalletCard | null,
): CheckRecord {
  return {
    wallet: 'walletapay',
    version,
    flow: flow.kind,
    flowReason: flow.reason,
    trust: { rootFingerprint: trust.fingerprint.slice(0, 16), source: trust.source, environment: null },
    checks: sheet.rows(),
    panType: card?.panType ?? null,
    numberKind: card?.numberKind ?? null,
    network: (card === null ? undefined : networkOf(card.number.reveal())) ?? null,
  }
}
