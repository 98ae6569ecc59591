/**
 * The methods that a session can be paid with, each with the MIDs that would take it: at creation, at an update, and whenever the page
 * is drawn. Chapter 30 §3.7, §3.8.
 *
 * The filters run for each method on its own, and the card network is not known yet. A method that no MID takes is dropped; when none
 * is left, the error is that of the first in the list.
 */

import { type Brand, type BrandAction, routingOf, withinAmountLimits } from '#domain/brand/brand.ts'
import { brandRefusal } from '#domain/brand/brand-refusal.ts'
import { errors, type Refusal } from '#domain/errors.ts'
import type { Merchant } from '#domain/merchant.ts'
import { type Wallet, wallets } from '#domain/mid.ts'
import { isMoto } from '#domain/payment/moto.ts'
import type { Kind } from '#domain/payment/payment.ts'
import type { Choice } from '#domain/routing/choice.ts'
import { type Evaluation, evaluate } from '#domain/routing/evaluate.ts'
import type { Need } from '#domain/routing/need.ts'
import { chooseWalletFlow } from '#domain/routing/route.ts'
import { ruleInputsOf } from '#domain/routing/rule-inputs.ts'
import type { SessionOperation, SessionRecord } from '../../contracts/session-records.ts'
import { hasKey } from '../methods/wallet-token.ts'
import type { Deps } from '../request/deps.ts'
import { listMidsInOrder, worldOf } from '../routing/choose-mid.ts'
import { sessionAmount } from './session-amount.ts'

export interface OfferedMethod {
  /** `card`, the wallet's name or the brand's code. */
  readonly code: string
  /** The name as the merchant wrote it; an alias is echoed. */
  readonly sentAs: string
  readonly kind: 'card' | 'wallet' | 'brand'
  /** Null for cards. */
  readonly brand: Brand | null
  /** In the order in which they would be tried. */
  readonly mids: readonly Choice[]
}

/** A method that was left out, with the reason shown in the panel. */
export interface LeftOut {
  readonly code: string
  readonly sentAs: string
  readonly refusal: Refusal
  /** The filter of the MIDs that left none; null when the method itself does not take the payment. */
  readonly filter: string | null
}

export interface Offer {
  /** Empty exactly when there is a refusal. */
  readonly methods: readonly OfferedMethod[]
  readonly leftOut: readonly LeftOut[]
  readonly refusal: Refusal | null
}

export type OfferedSession = Pick<SessionRecord, 'merchantId' | 'id' | 'kind' | 'operation' | 'mode' | 'request'>

export async function offer(deps: Deps, merchant: Merchant, session: OfferedSession): Promise<Offer> {
  const requested = requestedMethods(deps, merchant, session)
  const results = await Promise.all(requested.map((method) => checkMethod(deps, merchant, session, method)))
  const methods = results.flatMap((one) => (one.kind === 'offered' ? [one.method] : []))
  const leftOut = results.flatMap((one) => (one.kind === 'left-out' ? [one.method] : []))
  const refusal = methods.length > 0 ? null : (leftOut[0]?.refusal ?? errors.methodNotSupported)
  return { methods, leftOut, refusal }
}

type Method = Omit<OfferedMethod, 'mids'>

const card: Method = { code: 'card', sentAs: 'card', kind: 'card', brand: null }

/** Hosted fields take cards; payouts and transfers go from and to cards only. */
function requestedMethods(deps: Deps, merchant: Merchant, session: OfferedSession): readonly Method[] {
  const { kind, operation, request } = session
  if (kind !== 'page' || operation === 'credit' || operation === 'transfer') return [card]
  if (request.methods.length > 0) return request.methods.flatMap((name) => methodsNamed(deps, name))
  const rule = methodRule(deps, merchant, session)
  if (rule?.action === 'show') return rule.codes.flatMap((name) => methodsNamed(deps, name))
  const methods = methodsOfMids(deps, session)
  return rule ? methods.filter(({ code }) => !rule.codes.includes(code)) : methods
}

/** The rules' decision about the page's methods, while the payer has not chosen one yet. Chapter 30 §3.7. */
function methodRule(deps: Deps, merchant: Merchant, session: OfferedSession): Evaluation['methods'] {
  const sets = deps.configuration.ruleSets(merchant.id)
  if (sets.length === 0) return null
  const need = needWith(deps, merchant, session, { ...card, wallet: null })
  const inputs = { ...ruleInputsOf(need, null, deps.clock.now()), brand: undefined, wallet: undefined }
  return evaluate(sets, inputs, worldOf(deps, merchant.id), session.id).methods
}

/** Unknown codes and brands hidden on the page are skipped. */
function methodsNamed({ configuration }: Deps, name: string): readonly Method[] {
  if (name === card.code) return [card]
  const brand = configuration.brand(name)
  return brand && brand.pageMode !== 'hidden' ? [methodOf(brand, name)] : []
}

const methodOf = (brand: Brand, sentAs: string): Method => ({
  code: brand.code,
  sentAs,
  kind: walletOf(brand) ? 'wallet' : 'brand',
  brand,
})

const walletOf = ({ code }: Brand): Wallet | null => wallets.find((wallet) => wallet === code) ?? null

/** Every method of the candidate MIDs: cards first, then by the mapping's priority, and on one MID by the page's order. */
function methodsOfMids(
  { configuration }: Deps,
  { merchantId, request: { channel } }: OfferedSession,
): readonly Method[] {
  const onPage = configuration
    .brands()
    .filter(({ pageMode }) => pageMode !== 'hidden')
    .toSorted((a, b) => a.pageOrder - b.pageOrder)
  const methods = configuration
    .candidates(merchantId)
    .filter(({ mapping }) => mapping.channel === channel)
    .toSorted((a, b) => a.mapping.priority - b.mapping.priority)
    .flatMap(({ mid }) =>
      onPage.filter((brand) => {
        const wallet = walletOf(brand)
        return wallet ? mid.wallets.includes(wallet) : mid.brands.length === 0 || mid.brands.includes(brand.code)
      }),
    )
  return [card, ...[...new Set(methods)].map((brand) => methodOf(brand, brand.code))]
}

type MethodCheck =
  | { readonly kind: 'offered'; readonly method: OfferedMethod }
  | { readonly kind: 'left-out'; readonly method: LeftOut }

async function checkMethod(
  deps: Deps,
  merchant: Merchant,
  session: OfferedSession,
  method: Method,
): Promise<MethodCheck> {
  const { code, sentAs } = method
  const offerOn = (mids: readonly Choice[]): MethodCheck => ({ kind: 'offered', method: { ...method, mids } })
  const leaveOut = (reason: Pick<LeftOut, 'refusal' | 'filter'>): MethodCheck => ({
    kind: 'left-out',
    method: { code, sentAs, ...reason },
  })
  const refusal = refusalOf(deps, merchant, session, method)
  if (refusal) return leaveOut({ refusal, filter: null })
  const need = await readNeed(deps, merchant, session, method)
  const routing = await listMidsInOrder(deps, merchant.id, need, session.id)
  // The last filter to drop a MID is the one that left none.
  if (routing.refusal) return leaveOut({ refusal: routing.refusal, filter: routing.dropped.at(-1)?.name ?? 'enabled' })
  if (method.kind !== 'wallet') return offerOn(routing.ordered)
  const decided = chooseWalletFlow(routing.ordered)
  return decided.kind === 'refused'
    ? leaveOut({ refusal: decided.refusal, filter: 'wallet' })
    : offerOn(decided.ordered)
}

const brandActions: Readonly<Partial<Record<SessionOperation, BrandAction>>> = {
  purchase: 'SALE',
  debit: 'DEBIT2VIRTUAL',
}

/** The refusal of the method itself, independent of the MIDs. */
function refusalOf(deps: Deps, merchant: Merchant, session: OfferedSession, { brand, kind }: Method): Refusal | null {
  if (!brand) return null
  const { operation, mode, request } = session
  const action = brandActions[operation]
  if (!action || (kind === 'wallet' && operation !== 'purchase')) return errors.actionNotSupported
  // Chapter 30 §7.5: a MOTO payer can neither use a wallet nor be redirected.
  if (isMoto(request.motoType)) return errors.motoNotSupported
  if (kind === 'brand' && request.recurringInit) return errors.actionNotSupported
  const { currency } = request.order
  const refusal = brandRefusal(brand, {
    action,
    auth: request.auth,
    mode,
    sandbox: deps.sandbox,
    currency,
    payerCountry: request.billingAddress['country'] ?? null,
  })
  // A disabled brand is treated as unknown. Chapter 30 §10: 204011 is not produced by Checkout.
  if (refusal) return refusal === errors.brandNotFound ? errors.methodNotSupported : refusal
  const crypto = deps.configuration.cryptoCurrencies()
  const { amountMinor, openAmount } = sessionAmount(request, merchant, crypto)
  if (openAmount) return brand.amountOptional ? null : errors.methodNotSupported
  return withinAmountLimits(brand, currency, amountMinor, crypto) ? null : errors.methodNotSupported
}

const kindOf: Readonly<Record<SessionOperation, Kind>> = {
  purchase: 'sale',
  debit: 'debit',
  credit: 'credit',
  transfer: 'transfer',
}

async function readNeed(deps: Deps, merchant: Merchant, session: OfferedSession, method: Method): Promise<Need> {
  const name = method.brand && walletOf(method.brand)
  const wallet = name && (await readWalletReadiness(deps, merchant, session.mode, name))
  return needWith(deps, merchant, session, { ...method, wallet })
}

function needWith(
  deps: Deps,
  merchant: Merchant,
  { operation, mode, request }: OfferedSession,
  { code, brand, wallet }: Pick<Method, 'code' | 'brand'> & Pick<Need, 'wallet'>,
): Need {
  const { amountMinor, openAmount } = sessionAmount(request, merchant, deps.configuration.cryptoCurrencies())
  return {
    mode,
    channelId: request.channel,
    protocol: 'CHECKOUT',
    kind: kindOf[operation],
    auth: request.auth,
    recurring: request.recurringInit ? 'init' : 'none',
    wallet,
    methods: [code],
    brand: brand && routingOf(brand),
    card: null,
    currency: request.order.currency,
    amountMinor: openAmount ? null : amountMinor,
    preferCardOnFile: request.saveCard,
    chainMidId: null,
    initiator: 'cardholder',
    payerCountry: request.billingAddress['country'] ?? null,
    motoType: request.motoType,
    customData: request.customData,
  }
}

async function readWalletReadiness(
  deps: Deps,
  merchant: Merchant,
  mode: 'live' | 'test',
  name: Wallet,
): Promise<NonNullable<Need['wallet']>> {
  const account = await deps.wallets.find(merchant.id, mode, name)
  return { name, usable: account?.usable ?? false, key: account !== null && hasKey(account, deps.clock.now()) }
}
