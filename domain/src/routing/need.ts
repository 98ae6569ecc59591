import type { Mode, Protocol } from '../merchant.ts'
import type { Wallet } from '../mid.ts'
import type { Kind } from '../payment/payment.ts'
import type { WalletAssurance } from './assurance.ts'

/** What a payment asks of a MID. */
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
  /** Checkout only; an empty list asks for none in particular. */
  readonly methods: readonly string[]
  /** Of a wallet paid as a brand both are given: the MID has to accept the wallet, its connector to serve the brand. */
  readonly brand: {
    readonly code: string
    readonly twoStage: boolean
    /** Connectors that can serve it; `*` is every one. */
    readonly connectors: readonly string[]
  } | null
  /** Null while no card number is known; a network of null is a number that no network's range covers. */
  readonly card: {
    readonly network: string | null
    /** The first six to eight digits, as many as are known. */
    readonly bin: string | null
    /** Of a wallet's number; null for a card that was entered. */
    readonly panType: 'DPAN' | 'FPAN' | null
    /** Of wallet B's number, where its token says so. */
    readonly assurance?: WalletAssurance | null
  } | null
  readonly currency: string
  /** Null for an open-amount crypto order. */
  readonly amountMinor: bigint | null
  /** The card is to be saved. */
  readonly preferCardOnFile: boolean
  readonly chainMidId: string | null
  readonly motoType: string | null
  readonly initiator: 'cardholder' | 'merchant'
  /** Only rules ask for the rest. */
  readonly payerCountry: string | null
  readonly customData: Readonly<Record<string, unknown>> | null
}
