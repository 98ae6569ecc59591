/** Opens a token without an instance: the gateway's own checks, with all their input from files and options. */
import { errors, violations } from '#domain/errors.ts'
import type { Wallet } from '#domain/mid.ts'
import { currencyOf } from '#domain/money/currency-number.ts'
import type { CheckRow, TokenRefusal } from '#server/wallets/tokens/check-sheet.ts'
import { openWalletA, type WalletAFlow } from '#server/wallets/tokens/formats/wallet-a.ts'
import type { WalletOrder } from '#server/wallets/tokens/formats/wallet-a-plaintext.ts'
import { openWalletB } from '#server/wallets/tokens/formats/wallet-b.ts'
import { merchantRecipient, type Recipients } from '#server/wallets/tokens/formats/wallet-b-signature.ts'
import { KnownCertificates } from '#server/wallets/tokens/known-certificates.ts'
import { KnownIntermediates } from '#server/wallets/tokens/known-intermediates.ts'
import type { CheckRecord, OpenedToken } from '#server/wallets/tokens/opened-token.ts'
import type { ActiveKey } from '#server/wallets/tokens/processing-key.ts'
import { tokenMistake } from '#server/wallets/tokens/token-mistake.ts'
import { explainShape } from '#server/wallets/tokens/token-shape.ts'
import type { WalletBEnvironment } from '#server/wallets/tokens/trust.ts'
import { contentA, contentB, type TokenContent } from './token-content.ts'
import { readWalletATrust, readWalletBTrust } from './trust-file.ts'

export interface OpeningTerms {
  readonly wallet: Wallet
  /** The content of the file: a certificate for wallet A, a key list for wallet B. */
  readonly root: string
  readonly environment: WalletBEnvironment
  readonly keys: readonly ActiveKey[]
  readonly merchantIdentifier: string | null
  /** Wallet B: the recipient that is signed, such as `gateway:gatehouse`. */
  readonly recipient: string | null
  readonly gatewayMerchantId: string | null
  /** Null if the token is not to be compared with an order. */
  readonly order: WalletOrder | null
  readonly now: Date
  readonly lifetimeSeconds: number
}

export interface Opening {
  readonly ok: boolean
  /** What the gateway would answer to a merchant that sends exactly this text; null if it would accept it. */
  readonly answer: TokenAnswer | null
  readonly record: CheckRecord
  readonly content: TokenContent | null
}

/**
 * A text without the shape of a token is refused as it stands. If its sender's mistake can be undone, the further checks and the content are
 * those of the restored token, because nothing that is signed was lost.
 */
export function openOffline(text: string, terms: OpeningTerms): Opening {
  const fault = explainShape(terms.wallet, text)
  const restored = fault === null ? null : (tokenMistake(terms.wallet, text)?.restored ?? null)
  const opening = terms.wallet === 'walletapay' ? openA(restored ?? text, terms) : openB(restored ?? text, terms)
  return fault === null ? opening : { ...refuseShape(opening, fault), answer: answers.malformed }
}

const refuseShape = ({ record, content }: Opening, detail: string): Omit<Opening, 'answer'> => ({
  ok: false,
  record: {
    ...record,
    checks: record.checks.map((row, at) => (at === 0 ? { ...row, result: 'failed', detail } : row)),
  },
  content,
})

interface TokenAnswer {
  readonly code: number
  readonly message: string
}

const answers: Readonly<Record<TokenRefusal, TokenAnswer>> = {
  malformed: { code: errors.requestInvalid.code, message: violations.notValid },
  'expired-or-altered': answerOf(errors.walletTokenExpired),
  mismatch: answerOf(errors.walletTokenMismatch),
}

function answerOf({ code, message }: TokenAnswer): TokenAnswer {
  return { code, message }
}

function openA(text: string, terms: OpeningTerms): Opening {
  const { keys, now, lifetimeSeconds, merchantIdentifier } = terms
  const content = merchantIdentifier === null ? null : contentA(text, keys, merchantIdentifier, now)
  const opened = openWalletA(text, {
    now,
    lifetimeSeconds,
    trust: readWalletATrust(terms.root),
    known: new KnownCertificates(),
    deniedSerials: new Set(),
    flow: flowA(terms, content),
    bindingValue: null,
  })
  return openingOf(opened, content, terms.order === null ? ['A17', 'A18'] : [])
}

/** Without an order the token is compared with its own content, and the two checks are then shown as not made. */
function flowA({ keys, merchantIdentifier, order }: OpeningTerms, content: TokenContent | null): WalletAFlow {
  if (keys.length === 0 || merchantIdentifier === null) return { kind: 'virtual', reason: 'no key given' }
  const own = {
    currency: currencyOf(content?.order?.currencyCode ?? '') ?? '',
    amountMinor: content?.order?.amountMinor ?? 0n,
  }
  return { kind: 'card', reason: 'key given', keys, merchantIdentifier, order: order ?? own }
}

function openB(text: string, terms: OpeningTerms): Opening {
  const { keys, now } = terms
  const opened = openWalletB(text, {
    now,
    trust: readWalletBTrust(terms.root, terms.environment),
    known: new KnownIntermediates(),
    recipients: recipientsOf(terms),
    flow: keys.length === 0 ? { kind: 'virtual', reason: 'no key given' } : { kind: 'card', reason: 'key given', keys },
    allowedAuthMethods: null,
  })
  return openingOf(opened, contentB(text, keys, now), [])
}

function recipientsOf({ merchantIdentifier, recipient, gatewayMerchantId }: OpeningTerms): Recipients {
  const direct = merchantIdentifier === null ? null : merchantRecipient(merchantIdentifier)
  if (recipient === null) return { gateway: null, merchant: direct }
  const named = { name: recipient, gatewayMerchantId }
  return recipient.startsWith('merchant:')
    ? { gateway: null, merchant: named }
    : { gateway: named, merchant: direct ?? named }
}

function openingOf(opened: OpenedToken, content: TokenContent | null, notMade: readonly string[]): Opening {
  const hashes = new Map(opened.ok ? opened.token.replayHashes.map(({ check, hash }) => [check, hash]) : [])
  const checks = opened.record.checks.map((row): CheckRow => {
    const id = hashes.get(row.id)
    if (id !== undefined)
      return { ...row, result: 'not applicable', detail: `replay is checked only by the gateway; token id ${id}` }
    return row.result === 'passed' && opened.ok && notMade.includes(row.id)
      ? { ...row, result: 'not applicable', detail: 'no order given' }
      : row
  })
  const answer = opened.ok ? null : answers[opened.refusal]
  return { ok: opened.ok, answer, record: { ...opened.record, checks }, content }
}
