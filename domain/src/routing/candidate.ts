/** A MID that may take a payment, with its mapping, capabilities, health and usage. Chapter 50 §3. */
import type { MerchantMapping, Mid, MidAction } from '../mid.ts'

/** A connector's abilities: `actions` follow from its methods, the rest is declared. A missing list means everything. */
export interface Capabilities {
  readonly actions: readonly MidAction[]
  readonly moto: boolean
  readonly zeroAmount: boolean
  readonly cardOnFile: boolean
  readonly externalThreeDs: boolean
  readonly cardFlow: boolean
  readonly acceptsDecrypted: boolean
  /** Passes a wallet's token on without decrypting it. */
  readonly passesTokens?: boolean
  readonly currencies?: readonly string[]
  readonly networks?: readonly string[]
  readonly brands?: readonly string[]
  /** The methods it has for later commands, such as `capture`. */
  readonly followUps?: ReadonlySet<string>
}

export interface LimitUsage {
  /** In the currency of the payment that is being routed. */
  readonly amountMinor: bigint
  readonly count: number
}

export interface Candidate {
  readonly mapping: MerchantMapping
  readonly mid: Mid
  readonly capabilities: Capabilities
  readonly healthy: boolean
  /** Null when neither the MID nor the mapping has a limit, because nothing is counted then. */
  readonly usage: {
    readonly midDay: LimitUsage
    readonly midMonth: LimitUsage
    readonly mappingDay: LimitUsage
    readonly mappingWeek: LimitUsage
  } | null
}
