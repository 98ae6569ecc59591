/**
 * Every condition and action of a rule: its title, its fields and its wording. Forms and sentences of this page use only this table; the
 * rules themselves are in `domain/src/routing/rule.ts`.
 */
import { cardNetworks } from '#domain/card.ts'
import { fundings } from '#domain/issuer.ts'
import { protocols } from '#domain/merchant.ts'
import { wallets } from '#domain/mid.ts'
import { riskLists } from '#domain/risk/risk-entry.ts'
import { velocitySubjects, velocityTitles } from '#domain/risk/velocity.ts'
import { assurances } from '#domain/routing/assurance.ts'
import type { Action, Condition } from '#domain/routing/rule.ts'
import type { Choice } from '../../../kit/form/fields.tsx'
import { type Members, type Part, wordAt } from './draft-rule.ts'
import { clauses } from './spelling.ts'

/** One field of a form. `name` is the member that it sets. */
export type FieldSpec = { readonly label: string; readonly hint?: string } & (
  | {
      readonly input: 'many'
      readonly name: string
      readonly options: readonly Choice[] | NameSource
      readonly none?: string
    }
  /** The order of the chosen options matters. */
  | { readonly input: 'ordered'; readonly name: string; readonly options: NameSource }
  | { readonly input: 'one'; readonly name: string; readonly options: readonly Choice[] | NameSource }
  /** Words separated by commas; `lines` has one per line, for words that may contain commas. */
  | { readonly input: 'codes' | 'lines'; readonly name: string }
  | { readonly input: 'text' | 'time' | 'check' | 'weekdays'; readonly name: string }
  /** An optional number is null if nothing is typed. */
  | { readonly input: 'number'; readonly name: string; readonly optional?: boolean }
  /** Sets several members at once. */
  | { readonly input: 'amount-range' | 'bin-ranges' | 'shares' | 'velocity-limit'; readonly names: readonly string[] }
)

/** Options that are read from the service. */
export type NameSource = 'mids' | 'methods' | 'brands'

export interface Kind {
  readonly title: string
  readonly fields: readonly FieldSpec[]
  /** The members of a new part. */
  readonly fresh: Members
  /** For a condition the clause after "if", for an action the clause after "then". */
  readonly says: (part: Part) => string
}

const asChoice = (value: string): Choice => ({ value, text: value })
const asChoices = (values: readonly string[]): readonly Choice[] => values.map(asChoice)

const anything = 'any value at all'

/** An attribute with a known list of values. */
const choiceKind = (title: string, about: string, options: readonly Choice[] | NameSource): Kind => ({
  title,
  fields: [{ input: 'many', name: 'values', label: 'One of these', options, none: anything }],
  fresh: { values: [] },
  says: clauses.listed(about),
})

const codeKind = (title: string, about: string, hint: string, input: 'codes' | 'lines' = 'codes'): Kind => ({
  title,
  fields: [{ input, name: 'values', label: 'One of these', hint: `${hint} Leave empty to match ${anything}.` }],
  fresh: { values: [] },
  says: clauses.listed(about),
})

const zone: FieldSpec = { input: 'text', name: 'zone', label: 'Time zone', hint: 'Such as Europe/Paris.' }
const countries = 'Two-letter codes separated by commas.'

// biome-ignore format: a table is read in columns.
const paymentModes: readonly Choice[] = [
  { value: 'SMS', text: 'SMS: charge immediately' },
  { value: 'DMS', text: 'DMS: authorise first' },
]
// biome-ignore format: a table is read in columns.
const places: readonly Choice[] = [
  { value: 'init',   text: 'init: the first payment' },
  { value: 'charge', text: 'charge: a later payment' },
]
// biome-ignore format: a table is read in columns.
const circuits: readonly Choice[] = [
  { value: 'closed',    text: 'closed: healthy' },
  { value: 'half-open', text: 'half-open: probing' },
  { value: 'open',      text: 'open: failing' },
]

const riskListChoices: readonly Choice[] = riskLists.map((list) => ({ value: list, text: `the ${list} list` }))
const velocityChoices: readonly Choice[] = velocitySubjects.map((per) => ({ value: per, text: velocityTitles[per] }))

// biome-ignore format: a table is read in columns.
export const conditionKinds: Readonly<Record<Condition['kind'], Kind>> = {
  // kind                 title                       wording                                 values
  'currency':       codeKind('Currency',                 'the currency',                         'ISO 4217 codes or crypto currencies, separated by commas.'),
  'amount': {
    title: 'Amount',
    fields: [{ input: 'amount-range', names: ['currency', 'fromMinor', 'toMinor'], label: 'Amount' }],
    fresh: { currency: 'EUR', fromMinor: null, toMinor: null },
    says: clauses.amount,
  },
  'payer-country':  codeKind('Payer’s country',          'the payer’s country',                  countries),
  'issuer-country': codeKind('Issuer’s country',         'the country of the card’s issuer',     countries),
  'network':        choiceKind('Card network',             'the card network',                     asChoices(cardNetworks)),
  'bin': {
    title: 'First digits of the card',
    fields: [{ input: 'bin-ranges', names: ['ranges'], label: 'Ranges of six to eight digits' }],
    fresh: { ranges: [{ from: '', to: '' }] },
    says: clauses.bin,
  },
  'funding':        choiceKind('Funding of the card',      'the funding of the card',              asChoices(fundings)),
  'brand':          choiceKind('Brand',                    'the brand',                            'brands'),
  'wallet':         choiceKind('Device wallet',            'the device wallet',                    asChoices(wallets)),
  'pan-type':       choiceKind('Number type',              'the number type of a wallet',          asChoices(['DPAN', 'FPAN'])),
  'wallet-assurance': choiceKind('Assurance of wallet B',  'the assurance of wallet B',            asChoices(assurances)),
  'payment-mode':   choiceKind('Payment mode',             'the payment mode',                     paymentModes),
  'protocol':       choiceKind('Protocol',                 'the protocol',                         asChoices(protocols)),
  'initiator':      choiceKind('Initiator',                'the initiator',                        asChoices(['cardholder', 'merchant'])),
  'recurring':      choiceKind('Place in a recurring chain', 'the place in a recurring chain',     places),
  'moto-type':      choiceKind('MOTO type',                'moto_type',                            asChoices(['phone_moto', 'email_moto', 'default_moto', 'ecommerce'])),
  'channel':        codeKind('Channel',                  'the channel',                          'Values of channel_id, one per line.', 'lines'),
  'time-of-day': {
    title: 'Time of day',
    fields: [
      { input: 'time', name: 'from', label: 'From' },
      { input: 'time', name: 'to', label: 'Until', hint: 'An earlier time than the first is on the next day.' },
      zone,
    ],
    fresh: { zone: 'UTC', from: '22:00', to: '06:00' },
    says: clauses.timeOfDay,
  },
  'weekday': {
    title: 'Day of the week',
    fields: [{ input: 'weekdays', name: 'days', label: 'Days' }, zone],
    fresh: { zone: 'UTC', days: [6, 7] },
    says: clauses.weekday,
  },
  'custom-data': {
    title: 'Custom data',
    fields: [
      { input: 'text', name: 'key', label: 'Key of custom_data' },
      { input: 'lines', name: 'values', label: 'One of these', hint: 'One per line. Leave empty to match any value of the key.' },
    ],
    fresh: { key: '', values: [] },
    says: clauses.customData,
  },
  'share': {
    title: 'Share of payments',
    fields: [{ input: 'number', name: 'percent', label: 'Percent', hint: 'Drawn by payment id: the same payment always gets the same result.' }],
    fresh: { percent: 10 },
    says: clauses.share,
  },
  'mid-health': {
    title: 'Health of a MID',
    fields: [
      { input: 'one', name: 'mid', label: 'MID', options: 'mids' },
      { input: 'many', name: 'states', label: 'Its circuit', options: circuits },
    ],
    fresh: { mid: '', states: ['open'] },
    says: clauses.health,
  },
  'mid-approval-rate': {
    title: 'Approval rate of a MID',
    fields: [
      { input: 'one', name: 'mid', label: 'MID', options: 'mids' },
      { input: 'number', name: 'fromPercent', label: 'From percent', optional: true },
      { input: 'number', name: 'belowPercent', label: 'Below percent', optional: true },
      { input: 'number', name: 'windowMinutes', label: 'Over minutes', hint: 'At most 1440.' },
      { input: 'number', name: 'minimumAnswers', label: 'Minimum answers', hint: 'With fewer answers the rate counts as unknown.' },
    ],
    fresh: { mid: '', windowMinutes: 60, fromPercent: null, belowPercent: 70, minimumAnswers: 20 },
    says: clauses.approvalRate,
  },
  'risk-list': {
    title: 'Risk list',
    fields: [{ input: 'many', name: 'lists', label: 'The payment is on', options: riskListChoices }],
    fresh: { lists: ['block'] },
    says: clauses.riskList,
  },
  'velocity': {
    title: 'Velocity',
    fields: [
      { input: 'one', name: 'per', label: 'Of one', options: velocityChoices },
      { input: 'velocity-limit', names: ['moreThan', 'currency'], label: 'More than' },
      { input: 'number', name: 'windowMinutes', label: 'In minutes', hint: 'At most 43200, which is 30 days.' },
    ],
    fresh: { per: 'card', moreThan: '5', currency: null, windowMinutes: 60 },
    says: clauses.velocity,
  },
}

const midsInOrder: FieldSpec = { input: 'ordered', name: 'mids', label: 'MIDs', options: 'mids' }
const methods: FieldSpec = {
  input: 'ordered',
  name: 'methods',
  label: 'Methods',
  options: 'methods',
  hint: 'card, or the code of a brand.',
}

// biome-ignore format: a table is read in columns.
export const actionKinds: Readonly<Record<Action['kind'], Kind>> = {
  'use': {
    title: 'Use these MIDs in this order',
    fields: [midsInOrder, { input: 'check', name: 'only', label: 'No other MID may take the payment' }],
    fresh: { mids: [], only: false },
    says: clauses.use,
  },
  'split': {
    title: 'Split payments among MIDs',
    fields: [{ input: 'shares', names: ['shares'], label: 'MIDs and their weights' }],
    fresh: { shares: [{ mid: '', weight: 50 }, { mid: '', weight: 50 }] },
    says: clauses.split,
  },
  'prefer': {
    title: 'Prefer the better approval rate',
    fields: [
      { input: 'many', name: 'mids', label: 'Among these MIDs', options: 'mids', none: 'all' },
      { input: 'one', name: 'method', label: 'Method', options: asChoices(['thompson', 'epsilon-greedy']) },
      { input: 'number', name: 'windowMinutes', label: 'Over minutes', hint: 'At most 1440.' },
      { input: 'number', name: 'exploration', label: 'Exploration share', hint: 'More than 0, at most 0.5.' },
    ],
    fresh: { mids: [], method: 'thompson', windowMinutes: 1440, exploration: 0.05 },
    says: clauses.prefer,
  },
  'exclude': {
    title: 'Exclude MIDs',
    fields: [{ input: 'many', name: 'mids', label: 'MIDs', options: 'mids' }],
    fresh: { mids: [] },
    says: clauses.exclude,
  },
  'decline': {
    title: 'Decline the payment',
    fields: [{ input: 'text', name: 'reason', label: 'Reason', hint: 'The merchant reads it as decline_reason.' }],
    fresh: { reason: '' },
    says: (part) => `decline it: “${wordAt(part, 'reason')}”`,
  },
  'review': {
    title: 'Hold for review',
    fields: [{ input: 'text', name: 'reason', label: 'Reason', hint: 'Shown to the person who decides. The amount is authorised, and not captured before.' }],
    fresh: { reason: '' },
    says: (part) => `hold it for review: “${wordAt(part, 'reason')}”`,
  },
  'require-3ds':  { title: 'Require 3-D Secure',    fields: [],        fresh: {},                says: () => 'require 3-D Secure' },
  'skip-3ds':     { title: 'Skip 3-D Secure',       fields: [],        fresh: {},                says: () => 'skip 3-D Secure' },
  'show-methods': { title: 'Show only these methods', fields: [methods], fresh: { methods: [] }, says: clauses.methods('show only', 'in this order') },
  'hide-methods': { title: 'Hide methods',          fields: [methods], fresh: { methods: [] },   says: clauses.methods('hide') },
}

export const kindOf = (table: Readonly<Record<string, Kind>>, { kind }: Part): Kind | undefined =>
  Object.hasOwn(table, kind) ? table[kind] : undefined

/** A new part of a kind, with `not` if the table is that of conditions. */
export const freshPart = (table: Readonly<Record<string, Kind>>, kind: string): Part => ({
  ...table[kind]?.fresh,
  ...(table === conditionKinds ? { not: false } : {}),
  kind,
})
