/** The result of opening a token: the card or the refusal, and in either case the record of every check. */
import { hash } from 'node:crypto'
import type { CardNetwork, Expiry } from '#domain/card.ts'
import type { Secret } from '#domain/secret.ts'
import type { CheckRow, TokenRefusal } from './check-sheet.ts'
import type { JsonMembers } from './strict-json.ts'
import type { TrustSource } from './trust.ts'

export type OpenedToken =
  | { readonly ok: true; readonly token: GenuineToken; readonly record: CheckRecord }
  | {
      readonly ok: false
      readonly refusal: TokenRefusal
      readonly record: CheckRecord
      /** Ids of a token whose signature was valid before another check refused it, so that the database still detects replays. */
      readonly replayHashes: readonly ReplayHash[]
      /** The token was made by a sandbox authority but the trust anchor is another: an alert on a live instance (chapter 40 §14). */
      readonly fromSandbox: boolean
    }

/** A token that passed every check of its flow except replay, which the database decides (chapter 40 §13). */
export interface GenuineToken {
  /** SHA-256 of each id of the token, in hexadecimal. A hash that already exists means that the token was used before. */
  readonly replayHashes: readonly ReplayHash[]
  /** Null in virtual flow. */
  readonly card: WalletCard | null
  /** SHA-256 of the public key that decrypted it, in hexadecimal, so that a `next` key is promoted; null in virtual flow. */
  readonly openedBy: string | null
}

export interface ReplayHash {
  /** The check that uses this id. */
  readonly check: string
  readonly hash: string
}

export interface WalletCard {
  readonly number: Secret<string>
  readonly expiry: Expiry
  readonly holderName: Secret<string> | null
  /** Base64, as given. */
  readonly cryptogram: Secret<string> | null
  readonly eci: string | null
  readonly dataType: '3DSecure' | 'EMV'
  /** Base64; only with EMV. */
  readonly emvData: Secret<string> | null
  /** Hexadecimal; never stored. */
  readonly pinData: Secret<string> | null
  readonly panType: PanType
  readonly numberKind: NumberKind
  readonly deviceId: string | null
  readonly merchantToken: MerchantToken | null
  /** Wallet B: how the payer was authenticated; null if the token does not say. */
  readonly authMethod: AuthMethod | null
  readonly assurance: Assurance | null
}

export type PanType = 'DPAN' | 'FPAN'
export type NumberKind = 'merchant token' | 'device number' | 'funding number'
export type AuthMethod = 'PAN_ONLY' | 'CRYPTOGRAM_3DS'

export interface MerchantToken {
  readonly identifier: Secret<string>
  readonly metadata: JsonMembers | null
}

export interface Assurance {
  readonly cardHolderAuthenticated: boolean
  readonly accountVerified: boolean
}

/** Chapter 40 §15. Of the card it contains only kind and network. */
export interface CheckRecord {
  readonly wallet: 'walletapay' | 'walletbpay'
  readonly version: string | null
  readonly flow: 'virtual' | 'card'
  readonly flowReason: string
  readonly trust: TrustFacts
  readonly checks: readonly CheckRow[]
  readonly panType: PanType | null
  readonly numberKind: NumberKind | null
  readonly network: CardNetwork | null
}

interface TrustFacts {
  /** The first eight bytes, in hexadecimal; null if no root of wallet B signed the token. */
  readonly rootFingerprint: string | null
  readonly source: TrustSource
  readonly environment: string | null
}

/** The record with the database's result on replays. Checks that did not run stay unchanged. */
export function withReplay(
  record: CheckRecord,
  token: Pick<GenuineToken, 'replayHashes'>,
  usedChecks: readonly string[],
): CheckRecord {
  const hashes = new Map(token.replayHashes.map(({ check, hash }) => [check, hash]))
  const checks = record.checks.map((row): CheckRow => {
    const id = hashes.get(row.id)
    if (id === undefined) return row
    return { ...row, result: usedChecks.includes(row.id) ? 'failed' : 'passed', detail: `token id ${id}` }
  })
  return { ...record, checks }
}

export function replayHash(check: string, id: Buffer | string): ReplayHash {
  return { check, hash: hash('sha256', id, 'hex') }
}
