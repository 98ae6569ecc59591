/** The filters of chapter 50 §3 as a table: the conditions under which a MID can take a payment. */

import { errors, type Refusal } from '../errors.ts'
import type { Limit, Mid, MidAction } from '../mid.ts'
import { isMoto } from '../payment/moto.ts'
import type { Candidate, LimitUsage } from './candidate.ts'
import type { WalletFlow } from './choice.ts'
import type { Evaluation } from './evaluate.ts'
import type { Need } from './need.ts'

/** The needs of a payment together with the decisions of the rules. */
export interface NeedWithRules extends Need {
  readonly rules: Evaluation
}

interface Fault {
  readonly reason: string
  readonly refusal: Refusal
}

interface Filter {
  readonly number: number
  readonly name: string
  readonly fault: (candidate: Candidate, need: NeedWithRules) => Fault | null
}

type Test = (candidate: Candidate, need: NeedWithRules) => boolean

const row = (number: number, name: string, keeps: Test, reason: string, refusal: Refusal): Filter => ({
  number,
  name,
  fault: (candidate, need) => (keeps(candidate, need) ? null : { reason, refusal }),
})

/** Exported for payments that find a limit used up only when they are written. */
export const limitsFilter: Filter = { number: 8, name: 'limits', fault: exceededLimit }

/** The table of chapter 50 §3, its numbers and its order. */
// biome-ignore format: a table is read in columns.
export const filters: readonly Filter[] = [
  //   #  filter           a MID passes if                                    reason it was dropped for                            none left
  row(1,  'enabled',       ({ mapping, mid }) => mapping.enabled && mid.enabled, 'The MID or the mapping is disabled.',            errors.noMid),
  row(1,  'side',          ({ mid }, need) => mid.mode === need.mode,         'The MID is for the other mode, live or test.',      errors.noMid),
  row(1,  'channel',       ({ mapping }, need) => mapping.channel === need.channelId, 'The mapping serves another channel.',       errors.noMid),
  { number: 1, name: 'routing rule', fault: exclusionByRule },
  row(2,  'MOTO',          takesMoto,                                         'MOTO is not enabled on the MID.',                   errors.motoNotSupported),
  row(3,  'wallet',        (_, need) => need.wallet?.usable ?? true,          'The wallet is not in force on the account.',        errors.walletNotSupported),
  row(3,  'wallet',        takesWallet,                                       'The MID does not accept the wallet.',               errors.walletNotSupported),
  row(4,  'cards',         ({ mid }, need) => need.protocol !== 'S2S_CARD' || mid.cards, 'The MID takes no cards.',               errors.typeNotSupported),
  row(5,  'methods',       servesMethod,                                      'The MID serves none of the methods.',               errors.methodNotSupported),
  row(5,  'brand',         servesBrand,                                       'The MID does not offer the brand.',                 errors.brandNotSupported),
  row(5,  'network',       takesNetwork,                                      'The MID does not take the card network.',           errors.brandNotSupported),
  row(6,  'action',        offersAction,                                      'The MID or its connector does not offer the action.', errors.actionNotSupported),
  row(6,  'Payment Mode',  fitsPaymentMode,                                   'The Payment Mode of the MID does not fit.',         errors.actionNotSupported),
  row(6,  'recurring',     takesRecurring,                                    'The MID or its connector takes no recurring payments.', errors.actionNotSupported),
  row(6,  'zero amount',   takesZero,                                         'The MID or its connector takes no zero amount.',    errors.actionNotSupported),
  row(6,  '3-D Secure',    takesThreeDs,                                      'The connector takes no 3-D Secure data.',           errors.actionNotSupported),
  row(6,  'card flow',     holdsWallet,                                       'The wallet would be in virtual flow on the MID.',   errors.actionNotSupported),
  row(7,  'currency',      takesCurrency,                                     'The MID does not take the currency.',               errors.currencyNotFound),
  limitsFilter,
  row(9,  'health',        ({ healthy }) => healthy,                          'The acquirer is failing at the moment.',            errors.noMid),
  row(10, 'card flow',     runsCardFlow,                                      'The wallet can not run in card flow on the MID.',   errors.noCardFlow),
]

/**
 * Whether the first step of a payment only holds the money on this MID. A MID in DMS mode turns a plain sale into an
 * authorization; debits, payouts and transfers never hold. Chapter 10 §6, §7.1.6.
 */
export function holdsOn(mid: Pick<Mid, 'paymentMode'>, need: Pick<Need, 'kind' | 'auth'>): boolean {
  return need.kind === 'sale' && (need.auth || mid.paymentMode === 'DMS')
}

/** A MID excluded by a rule counts as not mapped. Rules apply to a wallet payment only with decrypted data (chapter 40 §9). */
function exclusionByRule(candidate: Candidate, need: NeedWithRules): Fault | null {
  const { excluded, order } = need.rules
  const { id } = candidate.mid
  if (!isRuled(candidate, need)) return null
  const excluding = excluded.get(id)
  if (excluding) return { reason: `The rule "${excluding.name}" excludes the MID.`, refusal: errors.noMid }
  if (!order?.only || order.mids.some(({ midId }) => midId === id)) return null
  return { reason: `The rule "${order.rule.name}" allows other MIDs only.`, refusal: errors.noMid }
}

/** True if rules apply to this payment on this MID. */
export function isRuled(candidate: Candidate, need: Need): boolean {
  const flow = flowOf(candidate, need)
  return flow === null || flow === 'decrypted'
}

function takesThreeDs({ capabilities }: Candidate, need: NeedWithRules): boolean {
  return capabilities.externalThreeDs || !demandsThreeDs(need)
}

/** A rule can require 3-D Secure only when a payer is present to authenticate. Chapter 10 §7.1.7 to §7.1.9. */
function demandsThreeDs({ rules, card, motoType, initiator }: NeedWithRules): boolean {
  if (rules.threeDs?.wish !== 'require' || card === null || card.panType === 'DPAN') return false
  return !isMoto(motoType) && initiator === 'cardholder'
}

function takesMoto({ mid, capabilities }: Candidate, need: Need): boolean {
  return !isMoto(need.motoType) || (mid.motoEnabled && capabilities.moto)
}

function takesWallet({ mid }: Candidate, need: Need): boolean {
  return need.wallet === null || mid.wallets.includes(need.wallet.name)
}

function servesMethod(candidate: Candidate, need: Need): boolean {
  return need.methods.length === 0 || need.methods.some((method) => serves(candidate, method))
}

/** A wallet needs no check of its brand code, because it has passed the wallet filter. Chapter 20 §5.1, `connectors`. */
function servesBrand(candidate: Candidate, { brand, wallet }: Need): boolean {
  if (brand === null) return true
  const { connectors, code } = brand
  if (!connectors.includes('*') && !connectors.includes(candidate.mid.connector)) return false
  return wallet !== null || serves(candidate, code)
}

/** A wallet is offered if the MID accepts it (chapter 20 §5.1). */
function serves({ mid, capabilities }: Candidate, method: string): boolean {
  if (method === 'card') return mid.cards
  if (method === 'walletapay' || method === 'walletbpay') return mid.wallets.includes(method)
  return within(mid.brands, method) && (capabilities.brands?.includes(method) ?? true)
}

function takesNetwork({ mid, capabilities }: Candidate, { card }: Need): boolean {
  if (card === null) return true
  if (card.network === null) return false
  return within(mid.networks, card.network) && (capabilities.networks?.includes(card.network) ?? true)
}

function offersAction({ mid, capabilities }: Candidate, need: Need): boolean {
  const holds = holdsOn(mid, need)
  const action: MidAction = holds ? 'auth' : need.kind
  // Without `capture` in the connector, the held money could never be taken. Chapter 20 §6.5.
  if (holds && need.brand !== null && capabilities.followUps?.has('capture') === false) return false
  return mid.actions.includes(action) && capabilities.actions.includes(action)
}

function fitsPaymentMode({ mid }: Candidate, need: Need): boolean {
  if (need.kind !== 'sale') return true
  if (need.auth) return mid.paymentMode !== 'SMS'
  return mid.paymentMode !== 'DMS' || mayTurnIntoHold(need)
}

/** Checkout promises a sale unless `auth: true` was sent; elsewhere a DMS MID may take a plain sale and then holds it. */
function mayTurnIntoHold({ protocol, brand, recurring }: Need): boolean {
  if (recurring === 'charge' || protocol === 'S2S_CARD') return true
  return protocol === 'S2S_APM' && (brand?.twoStage ?? false)
}

function takesRecurring({ mid, capabilities }: Candidate, need: Need): boolean {
  return need.recurring === 'none' || (mid.actions.includes('recurring') && capabilities.actions.includes('recurring'))
}

function takesZero({ mid, capabilities }: Candidate, need: Need): boolean {
  return need.amountMinor !== 0n || (mid.zeroAmount && capabilities.zeroAmount)
}

/** Chapter 30 §3.8: a wallet in virtual flow neither holds nor starts a chain on Checkout. */
function holdsWallet(candidate: Candidate, need: Need): boolean {
  if (need.wallet === null || need.protocol !== 'CHECKOUT') return true
  return (!need.auth && need.recurring === 'none') || flowOf(candidate, need) !== 'virtual'
}

function takesCurrency({ mid, capabilities }: Candidate, { currency }: Need): boolean {
  return within(mid.currencies, currency) && (capabilities.currencies?.includes(currency) ?? true)
}

function runsCardFlow(candidate: Candidate, need: Need): boolean {
  return need.wallet === null || need.protocol !== 'S2S_CARD' || flowOf(candidate, need) !== 'virtual'
}

/** How a wallet payment would run on a MID; null for any other payment. Chapter 40 §9. */
export function flowOf({ mid, capabilities }: Candidate, { wallet }: Need): WalletFlow | null {
  if (wallet === null) return null
  if (!wallet.key || !mid.cardFlow || !capabilities.cardFlow) return 'virtual'
  return mid.acceptsDecrypted && capabilities.acceptsDecrypted ? 'decrypted' : 'passed_on'
}

/** A limit is exceeded if the usage including this payment is above it. */
function exceededLimit({ mid, mapping, usage }: Candidate, need: Need): Fault | null {
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [Limit, LimitUsage | undefined, Fault])[] = [
    [mid.dayLimit,      usage?.midDay,      { reason: 'The day limit of the MID is exceeded.',      refusal: errors.dayMidLimit }],
    [mid.monthLimit,    usage?.midMonth,    { reason: 'The month limit of the MID is exceeded.',    refusal: errors.monthMidLimit }],
    [mapping.dayLimit,  usage?.mappingDay,  { reason: 'The day limit of the mapping is exceeded.',  refusal: errors.dayMappingLimit }],
    [mapping.weekLimit, usage?.mappingWeek, { reason: 'The week limit of the mapping is exceeded.', refusal: errors.weekMappingLimit }],
  ]
  const exceeded = rows.find(([limit, used]) => goesBeyond(limit, used, need))
  return exceeded?.[2] ?? null
}

/** The used amount is that of the payment's currency. */
function goesBeyond(limit: Limit, used: LimitUsage = { amountMinor: 0n, count: 0 }, need: Need): boolean {
  const most = limit.amounts[need.currency]
  if (most !== undefined && used.amountMinor + (need.amountMinor ?? 0n) > most) return true
  return limit.count !== null && used.count + 1 > limit.count
}

/** An empty list on a MID means everything that its connector takes. */
const within = (list: readonly string[], value: string): boolean => list.length === 0 || list.includes(value)
