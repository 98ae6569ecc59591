/**
 * A brand: one payment method of S2S APM and of the hosted page, as data. Chapter 20 §5.
 *
 * Built-in brands are the table of `built-in-brands.ts`; an operator's own come from a file or the panel through
 * `brand-record.ts`. A brand holds nothing but JSON, so that a version of it can be stored as it is.
 *
 * What is deliberately not here: author and time of a change, which the store records.
 */
import { type Exponents, isoExponents } from '../money/currencies.ts'
import { parseAmount } from '../money/money.ts'
import type { BrandDocument } from '../payment/facts.ts'
import type { BrandLimits } from '../payment/rules.ts'
import type { Need } from '../routing/need.ts'
import type { ParameterRow } from './parameter-row.ts'

export const brandKinds = ['direct', 'redirect', 'crypto', 'voucher', 'wallet', 'debit', 'payout'] as const
export type BrandKind = (typeof brandKinds)[number]

/** The actions of chapter 20 §3 that create or change payments. */
export const brandActions = [
  'SALE',
  'CAPTURE',
  'CREDITVOID',
  'VOID',
  'CREDIT2VIRTUAL',
  'CREDIT2CRYPTO',
  'DEBIT2VIRTUAL',
  'DEBIT2VIRTUAL_CALC',
  'DEBIT2VIRTUAL_COMPLETE',
] as const
export type BrandAction = (typeof brandActions)[number]

export const pageModes = ['own_form', 'redirect', 'button', 'hidden'] as const
export const waitingStatuses = ['prepare', 'pending', 'redirect'] as const
export const refundScopes = ['none', 'full', 'partial'] as const

/** How the sandbox serves a brand: the kinds of chapter 20 §18, and `approval` for a payer who approves in the provider's app. */
export const sandboxBehaviours = [
  'direct',
  'approval',
  'redirect',
  'crypto',
  'voucher',
  'wallet',
  'debit',
  'payout',
] as const

export interface Brand {
  readonly code: string
  /** Other accepted names; an answer echoes the name in the request. */
  readonly aliases: readonly string[]
  /** By language code; `en` is always there. */
  readonly title: Readonly<Record<string, string>>
  readonly description: string | null
  readonly logo: string | null
  readonly kind: BrandKind
  readonly enabled: boolean
  readonly builtIn: boolean
  readonly testOnly: boolean
  readonly actions: readonly BrandAction[]
  /** Connectors that can serve it; `*` means all. */
  readonly connectors: readonly string[]
  /** `*` means all currencies of ISO 4217; crypto currencies must be named. */
  readonly currencies: readonly string[]
  /** `*` means all countries. */
  readonly countries: readonly string[]
  /** By currency; amounts as they are written in it. */
  readonly amountLimits: Readonly<Record<string, AmountLimit>>
  readonly identifier: 'required' | 'optional'
  readonly identifierSchema: ParameterRow | null
  readonly amountOptional: boolean
  /** Null accepts any text. */
  readonly cryptoNetworks: readonly string[] | null
  readonly payerRequired: ByAction<readonly string[]>
  readonly parameters: ByAction<readonly ParameterRow[]>
  readonly twoStage: 'no' | 'by_connector'
  readonly partialCapture: boolean
  readonly void: boolean
  readonly refund: (typeof refundScopes)[number]
  /** The status while the payer or the provider has not finished. */
  readonly waiting: (typeof waitingStatuses)[number]
  readonly expiresAfterSeconds: number
  readonly pageMode: (typeof pageModes)[number]
  readonly pageOrder: number
  readonly checkoutName: string
  readonly cascade: boolean
  readonly sandboxBehaviour: (typeof sandboxBehaviours)[number]
  /** Incremented by each save; a payment stores the version that it was created with. */
  readonly version: number
}

export type ByAction<T> = Readonly<Partial<Record<BrandAction, T>>>

export interface AmountLimit {
  readonly min: string | null
  readonly max: string | null
}

/** Finds a brand by its code or an alias; the spelling must match exactly. */
export function brandNamed(brands: Iterable<Brand>, name: string): Brand | null {
  for (const brand of brands) if (brand.code === name || brand.aliases.includes(name)) return brand
  return null
}

export const isTwoStage = ({ twoStage }: Brand): boolean => twoStage === 'by_connector'

export const takesCurrency = ({ currencies }: Brand, currency: string): boolean =>
  currencies.includes(currency) || (currencies.includes('*') && isoExponents.has(currency))

export const takesCountry = ({ countries }: Brand, country: string): boolean =>
  countries.includes('*') || countries.includes(country)

/** A limit that cannot be parsed in the currency is ignored. */
export function withinAmountLimits(
  { amountLimits }: Brand,
  currency: string,
  amountMinor: bigint,
  crypto?: Exponents,
): boolean {
  const limit = Object.hasOwn(amountLimits, currency) ? amountLimits[currency] : undefined
  const minor = (text: string | null | undefined): bigint | null => {
    const amount = typeof text === 'string' ? parseAmount(text, currency, crypto) : 'malformed'
    return typeof amount === 'string' ? null : amount.minor
  }
  const [low, high] = [minor(limit?.min), minor(limit?.max)]
  return (low === null || amountMinor >= low) && (high === null || amountMinor <= high)
}

/** A payout has no payer to identify. Chapter 20 §10, §11. */
export const needsIdentifier = ({ identifier }: Brand, action: BrandAction): boolean =>
  identifier === 'required' && !isPayout(action)

/** Payer fields, by their wire names, that this brand makes required. */
export const payerFieldsRequired = ({ payerRequired }: Brand, action: BrandAction): readonly string[] =>
  payerRequired[action] ?? []

export const parameterRows = ({ parameters }: Brand, action: BrandAction): readonly ParameterRow[] =>
  parameters[action] ?? []

/** A brand without a list accepts any text; a request without a network leaves the choice to the provider. */
export const takesCryptoNetwork = ({ cryptoNetworks }: Brand, network: string): boolean =>
  cryptoNetworks === null || cryptoNetworks.includes(network)

/** A brand with a form of its own or a button has no room for the checkbox. Chapter 20 §5.1. */
export const hasTermsCheckbox = ({ kind, pageMode }: Brand): boolean => pageMode === 'redirect' && kind !== 'crypto'

/** The value of the mapped attribute `brand`. Chapter 20 §5.1. */
export function documentOf({ kind }: Brand, flow: { readonly card: boolean }): BrandDocument {
  if (kind === 'crypto') return 'payment_document_crypto'
  return kind === 'wallet' && flow.card ? 'payment_document_card' : 'payment_document_virtual'
}

/** The brand's limits for `decide`; a connector without partial capture removes that permission. */
export const limitsOf = (brand: Brand, connector: { readonly partialCapture: boolean }): BrandLimits => ({
  refund: brand.refund,
  partialCapture: brand.partialCapture && connector.partialCapture,
  void: brand.void && brand.actions.includes('VOID'),
})

/** The brand's values that routing needs. */
export const routingOf = (brand: Brand): NonNullable<Need['brand']> => ({
  code: brand.code,
  twoStage: isTwoStage(brand),
  connectors: brand.connectors,
})

export const isPayout = (action: BrandAction): boolean => action === 'CREDIT2VIRTUAL' || action === 'CREDIT2CRYPTO'
