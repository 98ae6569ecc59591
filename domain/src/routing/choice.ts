/** The result for a candidate: it may take the payment, or it was dropped for a reason. Chapter 50 §3. */
import type { MerchantMapping, Mid } from '../mid.ts'
import type { Capabilities } from './candidate.ts'

/** How a wallet payment would be processed on a MID. Chapter 40 §9. */
export type WalletFlow = 'decrypted' | 'passed_on' | 'virtual'

export interface Choice {
  readonly mid: Mid
  readonly mapping: MerchantMapping
  readonly capabilities: Capabilities
  /** The first step only holds the money on this MID. */
  readonly holds: boolean
  readonly flow: WalletFlow | null
}

export interface DroppedMid {
  readonly midName: string
  /** The number of the filter in chapter 50 §3. */
  readonly filter: number
  readonly name: string
  readonly reason: string
}
