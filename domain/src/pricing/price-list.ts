/**
 * What the operator charges a merchant for a transaction, and what it keeps in reserve. Chapter 70 §3.
 *
 * The first rule that fits decides. A share in per cent is rounded half up to a minor unit, once per transaction, in the
 * transaction's own currency: so the same rule serves currencies with 0, 2 and 3 decimals. The minimum applies to the sum of both parts.
 */
import type { Entry } from '../money/ledger.ts'
import type { TransactionType } from '../payment/payment.ts'

export const pricedKinds = ['sale', 'refund', 'chargeback', 'payout', 'transfer'] as const
type PricedKind = (typeof pricedKinds)[number]

/** Where the card was issued, seen from the list's country. Without a known issuer a card counts as international. */
export const regions = ['domestic', 'regional', 'international'] as const
type Region = (typeof regions)[number]

/** A share in millionths: 1.25 % is 12500. */
type Millionths = number
export const wholeMillionths = 1_000_000

/** An empty list means any. */
export interface PriceRule {
  readonly kinds: readonly PricedKind[]
  readonly midIds: readonly string[]
  readonly networks: readonly string[]
  readonly regions: readonly Region[]
  /** Null for any currency; then the rule has no amounts, because they would mean other money in each. */
  readonly currency: string | null
  /** Of the transaction, both included. */
  readonly fromMinor: bigint | null
  readonly toMinor: bigint | null
  readonly fixedMinor: bigint
  readonly share: Millionths
  readonly minimumMinor: bigint
}

interface Reserve {
  readonly share: Millionths
  readonly days: number
}

export interface PriceTerms {
  /** The merchant's country, and those that count as its region. */
  readonly country: string
  readonly region: readonly string[]
  readonly rules: readonly PriceRule[]
  /** At most one per currency. */
  readonly monthly: readonly { readonly currency: string; readonly amountMinor: bigint }[]
  readonly reserve: Reserve | null
}

/** Days are `YYYY-MM-DD` in UTC, both included; a list without a last day is valid until another one begins. */
export interface PriceList extends PriceTerms {
  readonly id: string
  readonly validFrom: string
  readonly validTo: string | null
}

interface PricedTransaction {
  readonly kind: PricedKind
  readonly midId: string
  readonly network: string | null
  readonly issuerCountry: string | null
  readonly currency: string
  readonly amountMinor: bigint
}

export const priceListOn = (lists: readonly PriceList[], day: string): PriceList | null =>
  lists.find(({ validFrom, validTo }) => validFrom <= day && (validTo === null || day <= validTo)) ?? null

/** The entries of fee and reserve; both are taken from what the merchant is owed. */
export function chargesOf(terms: PriceTerms, transaction: PricedTransaction): readonly Entry[] {
  const feeMinor = feeOf(terms, transaction)
  const heldMinor =
    terms.reserve && transaction.kind === 'sale' ? shareOf(transaction.amountMinor, terms.reserve.share) : 0n
  return [
    { from: 'payable', to: 'fees', amountMinor: feeMinor } as const,
    { from: 'payable', to: 'reserve', amountMinor: heldMinor } as const,
  ].filter(({ amountMinor }) => amountMinor > 0n)
}

export function feeOf(terms: PriceTerms, transaction: PricedTransaction): bigint {
  const rule = terms.rules.find((one) => applies(one, transaction, regionOf(terms, transaction.issuerCountry)))
  if (!rule) return 0n
  const fee = rule.fixedMinor + shareOf(transaction.amountMinor, rule.share)
  return fee > rule.minimumMinor ? fee : rule.minimumMinor
}

function applies(rule: PriceRule, of: PricedTransaction, region: Region): boolean {
  const accepts = <T>(list: readonly T[], value: T | null): boolean =>
    list.length === 0 || (value !== null && list.includes(value))
  return (
    accepts(rule.kinds, of.kind) &&
    accepts(rule.midIds, of.midId) &&
    accepts(rule.networks, of.network) &&
    accepts(rule.regions, region) &&
    (rule.currency === null || rule.currency === of.currency) &&
    (rule.fromMinor === null || of.amountMinor >= rule.fromMinor) &&
    (rule.toMinor === null || of.amountMinor <= rule.toMinor)
  )
}

function regionOf({ country, region }: PriceTerms, issuer: string | null): Region {
  if (issuer === country) return 'domestic'
  return issuer !== null && region.includes(issuer) ? 'regional' : 'international'
}

const shareOf = (amountMinor: bigint, share: Millionths): bigint =>
  (amountMinor * BigInt(share) + BigInt(wholeMillionths / 2)) / BigInt(wholeMillionths)

/**
 * The kind under which an executed transaction is charged; null if it costs nothing. An authorisation is charged when it is captured, and
 * what undoes a hold or a sale of the same day is free.
 */
export function pricedKindOf(type: TransactionType, moved: readonly Entry[]): PricedKind | null {
  const reaches = (account: Entry['to']): boolean => moved.some(({ to }) => to === account)
  switch (type) {
    case 'SALE':
    case 'DEBIT':
    case 'CAPTURE':
    case 'RETRY':
      return reaches('settled') ? 'sale' : null
    case 'REFUND':
    case 'REVERSAL':
      return reaches('refunded') ? 'refund' : null
    case 'CHARGEBACK':
      return reaches('charged_back') ? 'chargeback' : null
    case 'CREDIT':
      return moved.length > 0 ? 'payout' : null
    case 'TRANSFER':
      return moved.length > 0 ? 'transfer' : null
    case 'AUTH':
    case 'VOID':
    case 'CALC':
    case '3DS':
    case 'REDIRECT':
      return null
  }
}

/** Lists what is wrong with a price list, by member. */
export function priceFaults(terms: PriceTerms): readonly { readonly member: string; readonly text: string }[] {
  const faults = terms.rules.flatMap((rule, index) =>
    ruleFaults(rule).map((text) => ({ member: `rules.${index}`, text: `Rule ${index + 1}: ${text}` })),
  )
  const currencies = terms.monthly.map(({ currency }) => currency)
  const doubled = currencies.find((one, index) => currencies.indexOf(one) !== index)
  return doubled === undefined
    ? faults
    : [...faults, { member: 'monthly', text: `${doubled} has two monthly fees; keep one.` }]
}

function ruleFaults({ currency, fixedMinor, minimumMinor, fromMinor, toMinor }: PriceRule): readonly string[] {
  const hasAmounts = fixedMinor > 0n || minimumMinor > 0n || fromMinor !== null || toMinor !== null
  const faults: string[] = []
  if (currency === null && hasAmounts) faults.push('select the currency of its amounts.')
  if (fromMinor !== null && toMinor !== null && fromMinor > toMinor)
    faults.push('the smallest amount exceeds the largest.')
  return faults
}
