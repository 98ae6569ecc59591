/**
 * An attempt to pay a session: builds the first step of a payment from the merchant's session and the payer's choices.
 * Chapter 30 §3.9, §4.9, §7.5, §7.10.
 *
 * The attempt's identifier makes it idempotent: a browser that lost the answer repeats the request and gets the result. Identifiers are
 * valid only within their session, so that a payer cannot read the attempts of another session.
 */

import type { Expiry } from '#domain/card.ts'
import { errors } from '#domain/errors.ts'
import { isObject } from '#domain/json.ts'
import { limits } from '#domain/limits.ts'
import { type Wallet, wallets } from '#domain/mid.ts'
import type { Amount } from '#domain/money/money.ts'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import { requestTexts, textsOf } from '#domain/payment/facts.ts'
import type { Secret } from '#domain/secret.ts'
import type { JsonObject, StoredFacts } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { SessionOperation, SessionRecord } from '../../contracts/session-records.ts'
import { readNewestAttempt } from '../attempt/cascade-end.ts'
import { takeFirstStep } from '../commands/first-step.ts'
import { derivedId } from '../exchange/derived-id.ts'
import type { PaymentWithTransaction } from '../outcome/perform.ts'
import { buildFirstStep } from '../request/build-first-step.ts'
import type { CardInput } from '../request/card-input.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstAction, FirstStepRequest } from '../request/first-step-request.ts'
import type { PaymentMethod } from '../request/payment-method.ts'
import type { OfferedMethod } from './offer.ts'
import { sessionAmount } from './session-amount.ts'
import type { SessionContext } from './session-context.ts'

/** What the payer pays with, by the kind of the method. */
export type PaidWith =
  | {
      readonly kind: 'card'
      readonly number: Secret<string>
      readonly expiry: Expiry | null
      readonly code: Secret<string> | null
    }
  | { readonly kind: 'saved'; readonly token: string; readonly code: Secret<string> | null }
  | { readonly kind: 'wallet'; readonly token: Secret<string> }
  | { readonly kind: 'brand'; readonly identifier: string | null; readonly parameters: JsonObject }

export interface SessionAttempt {
  /** Chosen by the browser; null for an attempt that cannot be repeated. */
  readonly id: string | null
  readonly method: OfferedMethod
  readonly paidWith: PaidWith
  /** Under the names of the parameters without the prefix `payer_`. */
  readonly payer: Readonly<Record<string, string>>
  readonly payee: Readonly<Record<string, string>>
  /** The recipient of a transfer. */
  readonly payeeCard: Secret<string> | null
  /** The payer's amount, if the merchant left it open or allows a change; null means the order's amount. */
  readonly amount: { readonly text: string; readonly amount: Amount } | null
  /** Null at the virtual terminal: the payer is on the phone. */
  readonly payerIp: string | null
  readonly language: string
  /** Null if the payer was not asked. */
  readonly consent: boolean | null
  readonly browser: BrowserFacts | null
  readonly requestId: string
}

export async function pay(
  deps: Deps,
  context: SessionContext,
  attempt: SessionAttempt,
): Promise<PaymentWithTransaction> {
  try {
    return await takeFirstStep(deps, requestOf(deps, context, attempt))
  } catch (error) {
    throw isNetworkRefused(error, attempt) ? new RefusedError(errors.cardBrandRefused) : error
  }
}

/** The result of an attempt that the browser repeats; null if nothing was stored. */
export async function recallAttempt(
  deps: Deps,
  session: SessionRecord,
  attemptId: string,
): Promise<PaymentWithTransaction | null> {
  const transaction = await deps.payments.findByUse(session.merchantId, useOf(session, attemptId))
  const payment = transaction && (await deps.payments.find(session.merchantId, transaction.paymentId))
  return payment && readNewestAttempt(deps, payment)
}

const useOf = ({ id }: SessionRecord, attemptId: string): string => derivedId(`attempt ${id} ${attemptId}`)

/** A card whose network no MID accepts is refused with the page's own error. Chapter 30 §7.3, §11. */
function isNetworkRefused(error: unknown, { paidWith: { kind } }: SessionAttempt): boolean {
  const isCard = kind === 'card' || kind === 'saved'
  if (!isCard || !(error instanceof RefusedError)) return false
  return error.refusal === errors.brandNotSupported || error.refusal === errors.brandNotFound
}

function requestOf(deps: Deps, context: SessionContext, attempt: SessionAttempt): FirstStepRequest {
  const { session, merchant, mapping } = context
  const { request, operation } = session
  const { method } = attempt
  const startsChain = request.recurringInit && attempt.consent !== false
  return buildFirstStep({
    merchant,
    mode: session.mode,
    protocol: 'CHECKOUT',
    mapping,
    action: actionOf(operation, method.kind),
    auth: request.auth,
    channel: request.channel,
    order: orderOf(context, attempt),
    paymentMethod: methodOf(session, attempt),
    payeeCard: attempt.payeeCard,
    saveCard: request.saveCard && method.kind === 'card',
    payer: attempt.payer,
    payee: attempt.payee,
    payerIp: attempt.payerIp,
    language: attempt.language,
    payerReturn: payerReturnOf(session),
    // A session of an earlier release lacks texts that were added later.
    ...textsOf(requestTexts, (name) => request[name] ?? null),
    recurringInit: startsChain,
    schedule: startsChain ? request.schedule : null,
    parameters: parametersOf(session, attempt),
    customData: request.customData,
    useId: attempt.id === null ? null : useOf(session, attempt.id),
    requestId: attempt.requestId,
    checkout: {
      session: { id: session.id, version: session.version },
      paymentId: session.attempts === 0 ? session.firstPayment : null,
      facts: factsOf(deps, context, attempt),
    },
  })
}

function actionOf(operation: SessionOperation, kind: OfferedMethod['kind']): FirstAction {
  switch (operation) {
    case 'purchase':
      return 'SALE'
    case 'debit':
      return kind === 'brand' ? 'DEBIT2VIRTUAL' : 'DEBIT'
    case 'credit':
      return 'CREDIT2CARD'
    case 'transfer':
      return 'CARD2CARD'
  }
}

function orderOf({ session: { request }, merchant, crypto }: SessionContext, { amount: own }: SessionAttempt) {
  const { amountMinor, amountDecimals, openAmount } = sessionAmount(request, merchant, crypto)
  const { number: id, description, currency } = request.order
  const order = { id, description, currency }
  if (own) return { ...order, amountMinor: own.amount.minor, amountDecimals: own.amount.decimals }
  return { ...order, amountMinor, amountDecimals, openAmount }
}

function methodOf(session: SessionRecord, { method, paidWith }: SessionAttempt): PaymentMethod {
  switch (paidWith.kind) {
    case 'card':
      return { kind: 'card', card: { source: 'card', verificationCode: paidWith.code, ...cardOf(paidWith) } }
    case 'saved':
      return { kind: 'card', card: { source: 'token', token: paidWith.token, verificationCode: paidWith.code } }
    case 'wallet':
      return {
        kind: 'wallet',
        wallet: walletNamed(method.code),
        sentAs: method.sentAs,
        token: paidWith.token,
        param: 'wallet_token',
        bindingValue: bindingValueOf(session),
        brand: method.brand,
      }
    case 'brand':
      if (!method.brand) throw new RefusedError(errors.methodNotSupported)
      return {
        kind: 'brand',
        brand: method.brand,
        sentAs: method.sentAs,
        identifier: paidWith.identifier,
        cryptoNetwork: session.request.cryptoNetwork,
      }
  }
}

type EnteredCard = Extract<CardInput, { source: 'card' }>

const cardOf = ({ number, expiry }: Extract<PaidWith, { kind: 'card' }>): Pick<EnteredCard, 'number' | 'expiry'> => ({
  number,
  expiry,
})

function walletNamed(code: string): Wallet {
  const wallet = wallets.find((one) => one === code)
  if (!wallet) throw new RefusedError(errors.methodNotSupported)
  return wallet
}

/** The payment sheet includes it in the signed data, so that a token is valid for its session only. Chapter 40 §17. */
export const bindingValueOf = ({ id }: Pick<SessionRecord, 'id'>): string => id

/** The final address depends on the result and is chosen when the payer returns. A payout has no payer to redirect. */
function payerReturnOf({ operation, request: { urls, urlTarget } }: SessionRecord): FirstStepRequest['payerReturn'] {
  const url = urls.return ?? urls.success
  return operation === 'credit' || url === null ? null : { url, target: urlTarget }
}

/** Extras of the method that the merchant sent, with what the payer entered on top. */
function parametersOf({ request }: SessionRecord, { method, paidWith }: SessionAttempt): JsonObject | null {
  const extras = extrasOf(request.parameters, method)
  if (paidWith.kind === 'brand') return { ...extras, ...paidWith.parameters }
  return Object.keys(extras).length === 0 ? null : extras
}

export function extrasOf(
  parameters: JsonObject | null,
  { code, sentAs }: Pick<OfferedMethod, 'code' | 'sentAs'>,
): JsonObject {
  const extras = parameters?.[sentAs] ?? parameters?.[code]
  return isObject(extras) ? extras : {}
}

function factsOf(
  deps: Deps,
  { session: { request, expiresAt }, merchant, crypto }: SessionContext,
  { amount, consent, browser }: SessionAttempt,
): NonNullable<FirstStepRequest['checkout']>['facts'] {
  const { vatMinor } = sessionAmount(request, merchant, crypto)
  const amountAsSent = amount?.text ?? request.order.amount
  return {
    payerUntil: new Date(expiresAt.getTime() + limits.redirect.pastSessionMs).toISOString(),
    ...(amountAsSent === null ? {} : { amountAsSent }),
    ...(vatMinor === null ? {} : { vatMinor: String(vatMinor) }),
    ...(consent === null ? {} : { consent: newConsent(deps, consent) }),
    ...(browser === null ? {} : { browser }),
  }
}

/** Chapter 30 §7.5. */
const newConsent = ({ ids }: Deps, isGiven: boolean): NonNullable<StoredFacts['consent']> =>
  isGiven ? { id: ids.next(), state: 'active' } : { id: null, state: 'ignored' }
