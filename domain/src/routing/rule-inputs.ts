/** The attributes of a payment that routing rules may refer to. Chapter 50 §4. */
import type { Issuer } from '../issuer.ts'
import type { Protocol } from '../merchant.ts'
import type { RiskKind, RiskList } from '../risk/risk-entry.ts'
import type { VelocityQuestion } from '../risk/velocity.ts'
import type { Need } from './need.ts'

/** Null if the payment has none; undefined while unknown, such as the card before it is entered. */
export type RuleInput = string | null | undefined

export interface RuleInputs {
  /** Null for an open-amount crypto order. */
  readonly amountMinor: bigint | null
  readonly currency: string
  readonly payerCountry: RuleInput
  readonly issuerCountry: RuleInput
  /** The first six to eight digits, as many as are known. */
  readonly bin: RuleInput
  readonly network: RuleInput
  readonly funding: RuleInput
  readonly brand: RuleInput
  readonly wallet: RuleInput
  readonly panType: RuleInput
  /** Null if the token has no assurance data. */
  readonly walletAssurance: RuleInput
  readonly paymentMode: 'SMS' | 'DMS'
  readonly protocol: Protocol
  readonly initiator: 'cardholder' | 'merchant'
  readonly recurring: 'none' | 'init' | 'charge'
  readonly motoType: RuleInput
  readonly channel: string | null
  readonly customData: Readonly<Record<string, unknown>> | null
  readonly at: Date
  /** Undefined if nothing was looked up: no rule asks for it. */
  readonly risk?: RiskFindings | undefined
}

/** What was looked up about a payment for the conditions on risk lists and velocity. */
export interface RiskFindings {
  readonly listed: readonly RiskMatch[]
  /** Undefined if it is not known; null if the payment has no such attribute. */
  velocity(question: VelocityQuestion, scope: 'merchant' | 'global'): bigint | null | undefined
}

export interface RiskMatch {
  readonly list: RiskList
  readonly kind: RiskKind
  readonly reason: string
}

/** `issuer` is that of the card, where the operator's table has it. */
export function ruleInputsOf(need: Need, issuer: Issuer | null, at: Date): RuleInputs {
  // A brand payment never has a card (null); every other payment will have one (undefined until then).
  const none = need.brand !== null && need.wallet === null ? null : undefined
  const { card } = need
  return {
    amountMinor: need.amountMinor,
    currency: need.currency,
    payerCountry: need.payerCountry,
    issuerCountry: card ? (issuer?.country ?? undefined) : none,
    bin: card ? (card.bin ?? undefined) : none,
    network: card ? card.network : none,
    funding: card ? (issuer?.funding ?? undefined) : none,
    brand: need.brand?.code ?? null,
    wallet: need.wallet?.name ?? null,
    panType: card ? card.panType : none,
    walletAssurance: card ? (card.assurance ?? null) : none,
    paymentMode: need.auth ? 'DMS' : 'SMS',
    protocol: need.protocol,
    initiator: need.initiator,
    recurring: need.recurring,
    motoType: need.motoType,
    channel: need.channelId,
    customData: need.customData,
    at,
  }
}
