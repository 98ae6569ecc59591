/**
 * Explains why a wallet's button is missing and why its tokens are not decrypted: the first row of Chapter 40 §17 that fails, and the unmet
 * inputs of §9, each with a remedy. Chapter 40 §7.
 */
import { isThisMachine, usualName } from '#domain/address/loopback.ts'
import {
  activeKeys,
  incompleteSettings,
  showsButton,
  takesPayments,
  type WalletStateData,
  walletState,
} from './state.ts'

/** A MID that the merchant may use in that mode, with its connector's capabilities. */
export interface CandidateMid {
  readonly name: string
  readonly acceptsWallet: boolean
  /** Empty: all. */
  readonly currencies: readonly string[]
  readonly networks: readonly string[]
  /** `sells`: can charge at once. `holds`: can authorise for a later capture. A MID in DMS mode only holds. */
  readonly sells: boolean
  readonly holds: boolean
  readonly recurring: boolean
  readonly cardFlow: boolean
  readonly acceptsDecrypted: boolean
  readonly passesTokens: boolean
}

/** The page in question, as far as it is known; null members are not checked. */
export interface PageQuestion {
  readonly host: string | null
  readonly secure: boolean
  readonly currency: string | null
  readonly auth: boolean
  readonly recurring: boolean
  readonly browser: BrowserKind | null
}

export const browserKinds = ['maker', 'maker-no-card', 'other', 'unsupported', 'frame'] as const
type BrowserKind = (typeof browserKinds)[number]

export type HiddenReason =
  | 'not enabled'
  | 'lapsed'
  | 'incomplete'
  | 'no mid'
  | 'needs card flow'
  | 'no https'
  | 'domain unverified'
  | 'frame'
  | 'no card'
  | 'browser unsupported'

export interface ExplainedReason<T> {
  readonly because: T
  readonly remedy: string
}

/** Null if every row that can be checked holds. `facts` is null without settings. */
export function explainButton(
  facts: WalletStateData | null,
  mids: readonly CandidateMid[],
  page: PageQuestion,
): ExplainedReason<HiddenReason> | null {
  return settingsRow(facts) ?? midRow(facts, mids, page) ?? placeRow(facts, page) ?? browserRow(facts, page)
}

/** The flow that tokens take now, and every unmet input that prevents sending decrypted data. */
export interface ExplainedFlow {
  readonly flow: 'decrypted' | 'passed_on' | 'virtual' | null
  readonly unmet: readonly ExplainedReason<string>[]
}

export function explainFlow(facts: WalletStateData | null, mids: readonly CandidateMid[]): ExplainedFlow {
  const accepting = mids.filter(({ acceptsWallet }) => acceptsWallet)
  const key = facts !== null && activeKeys(facts.keys, 'processing', facts.now).length > 0
  const cardFlow = accepting.filter((mid) => mid.cardFlow)
  const decrypted = cardFlow.some(({ acceptsDecrypted }) => acceptsDecrypted)
  const unmet = [
    ...(key ? [] : [noKey]),
    ...(cardFlow.length > 0 ? [] : [noCardFlow]),
    ...(decrypted || cardFlow.length === 0 ? [] : [notDecrypted]),
  ]
  if (key && cardFlow.length > 0) return { flow: decrypted ? 'decrypted' : 'passed_on', unmet }
  return { flow: accepting.some(({ passesTokens }) => passesTokens) ? 'virtual' : null, unmet }
}

const noKey: ExplainedReason<string> = {
  because: 'There is no active processing key.',
  remedy: 'Enter the processing key. If the payment provider holds the key, tokens are not decrypted here.',
}
const noCardFlow: ExplainedReason<string> = {
  because: 'No MID that accepts the wallet has card flow.',
  remedy: 'Enable card flow on a MID whose connector supports it.',
}
const notDecrypted: ExplainedReason<string> = {
  because: 'No MID with card flow takes decrypted data.',
  remedy: 'Tokens are opened, then passed on unchanged. Switch decrypted data on where the provider takes it.',
}

/** Row 2. */
function settingsRow(facts: WalletStateData | null): ExplainedReason<HiddenReason> | null {
  if (facts === null) return { because: 'not enabled', remedy: 'The wallet has no settings in this mode.' }
  const { state, reasons } = walletState(facts)
  const incomplete = incompleteSettings(facts)
  if (takesPayments(state)) return incomplete === null ? null : { because: 'incomplete', remedy: incomplete }
  return { because: state === 'lapsed' ? 'lapsed' : 'not enabled', remedy: reasons.join(' ') }
}

/** Row 3. */
function midRow(
  facts: WalletStateData | null,
  mids: readonly CandidateMid[],
  { currency, auth, recurring }: PageQuestion,
): ExplainedReason<HiddenReason> | null {
  const shown = facts?.settings.fields.supportedNetworks ?? []
  const candidates = mids.filter(
    (mid) =>
      mid.acceptsWallet &&
      (currency === null || acceptsAny(mid.currencies, [currency])) &&
      acceptsAny(mid.networks, shown) &&
      (auth ? mid.holds : mid.sells) &&
      (!recurring || mid.recurring),
  )
  const { flow } = explainFlow(facts, candidates)
  if (flow === null) return { because: 'no mid', remedy: noMid(mids) }
  if (flow !== 'virtual' || (!auth && !recurring)) return null
  return {
    because: 'needs card flow',
    remedy: 'A hold or a recurring chain needs the card number later. See why the flow is virtual.',
  }
}

/** An empty list on either side excludes nothing. The comparison ignores case. */
function acceptsAny(accepted: readonly string[], wanted: readonly string[]): boolean {
  const names = new Set(accepted.map((name) => name.toLowerCase()))
  return names.size === 0 || wanted.length === 0 || wanted.some((name) => names.has(name.toLowerCase()))
}

function noMid(mids: readonly CandidateMid[]): string {
  if (mids.length === 0) return 'The merchant has no enabled MID in this mode.'
  if (!mids.some(({ acceptsWallet }) => acceptsWallet)) return 'Enable the wallet on one of the merchant’s MIDs.'
  return 'No MID that accepts the wallet supports this combination of currency, networks and operation.'
}

/** Row 4, which applies to wallet A only. */
function placeRow(facts: WalletStateData | null, { host, secure }: PageQuestion): ExplainedReason<HiddenReason> | null {
  if (facts?.settings.wallet !== 'walletapay') return null
  if (host === null) return facts.domains.some(showsButton) ? null : noDomain
  if (!secure && !isThisMachine(host)) return { because: 'no https', remedy: 'Serve the page over https.' }
  const entry = facts.domains.find(({ domain }) => domain === host || domain === usualName(host))
  if (entry !== undefined && showsButton(entry)) return null
  const fault = entry?.lastFault ?? null
  return {
    because: 'domain unverified',
    remedy: entry === undefined ? noEntry(host) : unverifiedText(entry.state, fault),
  }
}

const noDomain: ExplainedReason<HiddenReason> = {
  because: 'domain unverified',
  remedy: 'No domain of the merchant is verified. Add the domain of the page that shall show the button.',
}

const noEntry = (host: string): string => `Add ${host} to the merchant’s domains; every subdomain needs its own entry.`

const unverifiedText = (state: string, fault: string | null): string =>
  `The domain is ${state}${fault === null ? '' : `, its last check found ${fault}`}. It must serve its verification file at the well-known path.`

/** Rows 5 and 6. In other browsers than the wallet's own the payer scans a code. */
function browserRow(facts: WalletStateData | null, { browser }: PageQuestion): ExplainedReason<HiddenReason> | null {
  if (browser === 'frame') return { because: 'frame', remedy: 'The frame needs allow="payment".' }
  if (browser === 'maker-no-card') return { because: 'no card', remedy: 'The payer has no card in the wallet.' }
  if (browser !== 'unsupported') return null
  const other =
    facts?.settings.wallet === 'walletapay' ? ' or a browser that supports the wallet provider’s script' : ''
  return { because: 'browser unsupported', remedy: `The payer needs the wallet provider’s browser${other}.` }
}
