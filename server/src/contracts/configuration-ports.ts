/** The configuration that every request needs. */
import type { Brand } from '#domain/brand/brand.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Mode, Protocol } from '#domain/merchant.ts'
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import type { PriceList } from '#domain/pricing/price-list.ts'
import type { RuleSet } from '#domain/routing/rule.ts'
import type { Secret } from '#domain/secret.ts'

/** The signing secrets of a merchant, opened from the vault. */
export interface MerchantSecrets {
  readonly password: Secret<string>
  readonly previous: { readonly password: Secret<string>; readonly until: Date } | null
  /** Each in the form `whsec_…`. Callbacks are signed with every active one. */
  readonly webhookSecrets: readonly Secret<string>[]
}

/** The configuration in memory, reloaded when the database announces a change. */
export interface Configuration {
  byKey(key: string): { readonly merchant: Merchant; readonly mode: Mode } | null
  merchant(id: string): Merchant | null
  readSecrets(merchantId: string): Promise<MerchantSecrets>
  mapping(merchantId: string, protocol: Protocol): ProtocolMapping | null
  /** The merchant's mappings with their MIDs, including inactive ones. */
  candidates(merchantId: string): readonly { readonly mapping: MerchantMapping; readonly mid: Mid }[]
  mid(id: string): Mid | null
  mids(): readonly Mid[]
  midNamed(name: string): Mid | null
  /** The published routing rules for a merchant's payments: its own rule set first, then the one for all merchants. */
  ruleSets(merchantId: string): readonly RuleSet[]
  /** What the operator charges the merchant, by the days of each list. */
  priceLists(merchantId: string): readonly PriceList[]
  /** The brand with exactly this code or alias, whether enabled or not. */
  brand(name: string): Brand | null
  brands(): readonly Brand[]
  /** Crypto currencies and their decimals. Brands of kind `crypto` accept these in addition to ISO 4217. */
  cryptoCurrencies(): Exponents
  /** True for a card network that the service knows and has enabled. */
  brandEnabled(code: string): boolean
}
