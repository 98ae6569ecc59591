/** What is configured, as every request needs it. */
import type { Brand } from '#domain/brand/brand.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Mode, Protocol } from '#domain/merchant.ts'
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import type { RuleSet } from '#domain/routing/rule.ts'
import type { Secret } from '#domain/secret.ts'

/** The signing secrets of a merchant, opened from the vault. */
export interface MerchantSecrets {
  readonly password: Secret<string>
  readonly previous: { readonly password: Secret<string>; readonly until: Date } | null
  /** Each `whsec_…`; every active one signs. */
  readonly webhookSecrets: readonly Secret<string>[]
}

/** Configuration that every request needs: in memory, read anew when the database tells of a change. */
export interface Configuration {
  byKey(key: string): { readonly merchant: Merchant; readonly mode: Mode } | null
  merchant(id: string): Merchant | null
  secrets(merchantId: string): Promise<MerchantSecrets>
  mapping(merchantId: string, protocol: Protocol): ProtocolMapping | null
  /** The merchant's mappings with their MIDs, whatever their state. */
  candidates(merchantId: string): readonly { readonly mapping: MerchantMapping; readonly mid: Mid }[]
  mid(id: string): Mid | null
  mids(): readonly Mid[]
  midNamed(name: string): Mid | null
  /** The published routing rules that a merchant's payments follow: its own before those of all. */
  ruleSets(merchantId: string): readonly RuleSet[]
  /** The brand with this code or alias, in exactly that spelling, switched on or not. */
  brand(name: string): Brand | null
  brands(): readonly Brand[]
  /** Crypto currencies and their decimals, which brands of kind `crypto` know beside those of ISO 4217. */
  cryptoCurrencies(): Exponents
  /** A card network that is known to the service and switched on. */
  brandEnabled(code: string): boolean
}
