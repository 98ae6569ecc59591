import type { Mode, Protocol } from '../merchant.ts'
import type { Wallet } from '../mid.ts'
import type { Kind } from '../payment/payment.ts'
import type { Secret } from '../secret.ts'
import type { WalletAssurance } from './assurance.ts'

/** The properties of a payment that decide which MIDs can take it. */
export interface Need {
  readonly mode: Mode
  /** Null: only mappings without a channel are candidates. */
  readonly channelId: string | null
  readonly protocol: Protocol
  readonly kind: Kind
  /** `auth=Y`, `auth: true`. */
  readonly auth: boolean
  readonly recurring: 'none' | 'init' | 'charge'
  /** `usable` and `key` are facts of the account: in force (chapter 40 §3), an active processing key (§9). */
  readonly wallet: { readonly name: Wallet; readonly usable: boolean; readonly key: boolean } | null
  /** Checkout only; an empty list accepts any method. */
  readonly methods: readonly string[]
  /** Set together with `wallet` for a wallet paid as a brand: the MID must accept the wallet and its connector serve the brand. */
  readonly brand: {
    readonly code: string
    readonly twoStage: boolean
    /** Connectors that can serve it; `*` means all. */
    readonly connectors: readonly string[]
  } | null
  /** Null while no card number is known. A null network means that no network's range covers the number. */
  readonly card: {
    readonly network: string | null
    /** The first six to eight digits, as many as are known. */
    readonly bin: string | null
    /** For a wallet's number; null for an entered card. */
    readonly panType: 'DPAN' | 'FPAN' | null
    /** For wallet B, if its token has assurance data. */
    readonly assurance?: WalletAssurance | null
    /** For the fingerprint of conditions on risk. */
    readonly number?: Secret<string>
  } | null
  readonly currency: string
  /** Null for an open-amount crypto order. */
  readonly amountMinor: bigint | null
  /** The card is to be saved. */
  readonly preferCardOnFile: boolean
  readonly chainMidId: string | null
  readonly motoType: string | null
  readonly initiator: 'cardholder' | 'merchant'
  /** Only rules read the following members. */
  readonly payerCountry: string | null
  readonly customData: Readonly<Record<string, unknown>> | null
  readonly payerEmail?: string | null
  readonly payerIp?: string | null
  readonly payerPhone?: string | null
  /** Its velocity was counted already. */
  readonly isCounted?: boolean
}
