/**
 * Routing rules as data. Chapter 50 §4.
 *
 * A rule is JSON throughout: the same value is in the store, in a file, in a request of the panel and in the evaluator, so that people
 * read exactly what decides. Hence amounts are texts of minor units, and MIDs are named, because their names never change.
 *
 * Every condition of a rule must hold. If several rules match, `evaluate.ts` says which one decides.
 */

import type { RiskList } from '../risk/risk-entry.ts'
import type { VelocitySubject } from '../risk/velocity.ts'
import type { ApprovalPreference } from './approval.ts'
import type { BreakerState } from './breaker.ts'

/** Conditions that list accepted values of an attribute of the payment; an empty list accepts any value. */
// biome-ignore format: a table is read in columns.
export const listedConditions = {
  // kind             about                                              what its values are
  'currency':         ['the currency of the payment',                    'ISO 4217 codes or crypto currencies'],
  'payer-country':    ['the payer’s country, as sent',                   'two capital letters'],
  'issuer-country':   ['the country of the card’s issuer',               'two capital letters, from the table of issuers'],
  'network':          ['the card network',                               '`visa`, `mastercard` …'],
  'funding':          ['how the card is funded',                         '`credit`, `debit`, `prepaid`, from the table of issuers'],
  'brand':            ['the brand of an alternative method',             'codes of the catalogue'],
  'wallet':           ['the device wallet',                              '`walletapay`, `walletbpay`'],
  'pan-type':         ['what kind of number a wallet gave',              '`DPAN`, `FPAN`'],
  'wallet-assurance': ['what wallet B’s provider has verified',           '`both`, `cardholder`, `account`, `none`: the payer authenticated, the account verified'],
  'payment-mode':     ['what the payment asks for: take or hold',        '`SMS`, `DMS`'],
  'protocol':         ['the protocol of the request',                    '`CHECKOUT`, `S2S_CARD`, `S2S_APM`'],
  'initiator':        ['who begins the payment',                         '`cardholder`, `merchant`'],
  'recurring':        ['the place in a recurring chain',                 '`init`, `charge`'],
  'moto-type':        ['`moto_type` as sent',                            '`phone_moto`, `email_moto`, `default_moto`, `ecommerce`'],
  'channel':          ['`channel_id` as sent',                           'texts of up to 16 characters'],
} as const satisfies Readonly<Record<string, readonly [about: string, values: string]>>

export type ListedKind = keyof typeof listedConditions

export interface BinRange {
  /** Six to eight digits; both ends have the same length and are included. */
  readonly from: string
  readonly to: string
}

/** `not` negates the condition. An unknown attribute meets neither a condition nor its negation. */
export type Condition = { readonly not: boolean } & (
  | { readonly kind: ListedKind; readonly values: readonly string[] }
  | {
      readonly kind: 'amount'
      /** A payment in another currency does not match. */
      readonly currency: string
      /** Minor units as text; both ends are included, null is no bound. */
      readonly fromMinor: string | null
      readonly toMinor: string | null
    }
  | { readonly kind: 'bin'; readonly ranges: readonly BinRange[] }
  /** `HH:MM`; `from` is included and `to` is not, and a range may pass midnight. */
  | { readonly kind: 'time-of-day'; readonly zone: string; readonly from: string; readonly to: string }
  /** 1 for Monday to 7 for Sunday. */
  | { readonly kind: 'weekday'; readonly zone: string; readonly days: readonly number[] }
  /** A top-level key; an empty list matches if the key is present. */
  | { readonly kind: 'custom-data'; readonly key: string; readonly values: readonly string[] }
  /** This percentage of payments, drawn by the payment's id and the rule's name. */
  | { readonly kind: 'share'; readonly percent: number }
  | { readonly kind: 'mid-health'; readonly mid: string; readonly states: readonly BreakerState[] }
  | {
      readonly kind: 'mid-approval-rate'
      readonly mid: string
      readonly windowMinutes: number
      /** The rate is at least the one and below the other; null is no bound. */
      readonly fromPercent: number | null
      readonly belowPercent: number | null
      /** With fewer answers in the window the rate is not known. */
      readonly minimumAnswers: number
    }
  /** The payment is on one of these risk lists, of the merchant or of the platform. Chapter 70 §7. */
  | { readonly kind: 'risk-list'; readonly lists: readonly RiskList[] }
  | {
      /** More than this was asked for within the window, including this payment; of all merchants if the rule is for all. */
      readonly kind: 'velocity'
      readonly per: VelocitySubject
      readonly windowMinutes: number
      /** Null counts payments; otherwise amounts in this currency are added up. */
      readonly currency: string | null
      /** Payments, or minor units as text. */
      readonly moreThan: string
    }
)

export type Action =
  /** These MIDs in this order, followed by the others unless `only` is set. */
  | { readonly kind: 'use'; readonly mids: readonly string[]; readonly only: boolean }
  | { readonly kind: 'split'; readonly shares: readonly { readonly mid: string; readonly weight: number }[] }
  /** An empty list means all candidates. */
  | ({ readonly kind: 'prefer'; readonly mids: readonly string[] } & ApprovalPreference)
  | { readonly kind: 'exclude'; readonly mids: readonly string[] }
  | { readonly kind: 'decline'; readonly reason: string }
  /** The amount is only authorised, and cannot be captured before a person has accepted the payment. Chapter 70 §7. */
  | { readonly kind: 'review'; readonly reason: string }
  | { readonly kind: 'require-3ds' }
  | { readonly kind: 'skip-3ds' }
  /** The hosted page offers these, in this order. */
  | { readonly kind: 'show-methods'; readonly methods: readonly string[] }
  | { readonly kind: 'hide-methods'; readonly methods: readonly string[] }

export interface Rule {
  /** Unique within its set. */
  readonly name: string
  readonly enabled: boolean
  readonly conditions: readonly Condition[]
  readonly action: Action
  /** How many MIDs a cascade may try, including the first; null leaves it to other rules or the default. */
  readonly maximumAttempts: number | null
  /** Later rules are not evaluated once this one has matched. */
  readonly final: boolean
}

/** A published set: of one merchant, or with null of all merchants. */
export interface RuleSet {
  readonly merchantId: string | null
  readonly version: number
  readonly rules: readonly Rule[]
}

/** Conditions that need more than the payment itself: they are looked up before the rules are evaluated. */
export const riskConditionsOf = ({
  rules,
}: RuleSet): readonly Extract<Condition, { kind: 'risk-list' | 'velocity' }>[] =>
  rules
    .filter(({ enabled }) => enabled)
    .flatMap(({ conditions }) => conditions)
    .filter((condition) => condition.kind === 'risk-list' || condition.kind === 'velocity')

/** The MIDs that a rule names anywhere. */
export function midsNamed({ conditions, action }: Rule): ReadonlySet<string> {
  return new Set([...conditions.flatMap(midsOfCondition), ...midsOfAction(action)])
}

const midsOfCondition = (condition: Condition): readonly string[] =>
  condition.kind === 'mid-health' || condition.kind === 'mid-approval-rate' ? [condition.mid] : []

function midsOfAction(action: Action): readonly string[] {
  switch (action.kind) {
    case 'use':
    case 'prefer':
    case 'exclude':
      return action.mids
    case 'split':
      return action.shares.map(({ mid }) => mid)
    default:
      return []
  }
}
