/** GET /page/v1/session: everything that the page shows. Chapter 30 §7.1, §7.5, §7.10. */

import { declines, isCancelled } from '#domain/checkout/session.ts'
import { formatAmount } from '#domain/money/money.ts'
import { isMoto } from '#domain/payment/moto.ts'
import { type Language, type LanguageCode, languageOf, languages } from '#domain/place/language.ts'
import { qrPath } from '#domain/qr/qr.ts'
import { dayIn } from '#domain/schedule/day.ts'
import { firstDate } from '#domain/schedule/schedule.ts'
import type { SavedCard } from '../../../payments/methods/saved-card.ts'
import { sessionAmount, totalText } from '../../../payments/sessions/session-amount.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { PageAddress } from '../page-address.ts'
import type { HostedPageParts } from '../parts.ts'
import { declineMessage, declinesLeft, maySameCard, readAwayRedirect } from '../payment/outcome.ts'
import { composeBrandingAnswer } from './branding.ts'
import { noteLeftOut } from './missing-button.ts'
import { composeShownMethod, type ShownMethod } from './offered-method.ts'
import { composeAddress, redirectOfState } from './session-return.ts'

/** Chapter 30 §7.6: the language that the merchant sent, else the mapping's. */
export function languageFor({ session, mapping }: SessionContext, chosen?: string): Language {
  return languageCoded(languageOf(chosen ?? session.request.billingAddress['language'] ?? mapping.defaultLanguage))
}

export function languageCoded(code: LanguageCode): Language {
  const language = languages.find((one) => one.code === code)
  if (!language) throw new Error('Every code has its language.')
  return language
}

export async function composePageSession(
  parts: HostedPageParts,
  context: SessionContext,
  pageAddress: PageAddress,
  chosen?: string,
): Promise<object> {
  const { session, merchant, mapping, payments } = context
  const { request } = session
  const language = languageFor(context, chosen)
  const { methods, leftOut } = await parts.operations.sessions.offer(merchant, session)
  await noteLeftOut(parts, context, leftOut, pageAddress)
  const shown = await Promise.all(
    methods.map((method) => composeShownMethod(parts, context, method, { language: language.code, pageAddress })),
  )
  const saved = await parts.operations.sessions.listSavedCards(merchant, session)
  return {
    ...(await composeStateAnswer(parts, context, language.code)),
    operation: session.operation,
    test: session.mode === 'test',
    auth: request.auth,
    moto: isMoto(request.motoType),
    save_card: request.saveCard,
    order: request.order,
    crypto_network: request.cryptoNetwork,
    expires_at: session.expiresAt.toISOString(),
    server_time: parts.clock.now().toISOString(),
    language: language.code,
    direction: language.direction,
    branding: await composeBrandingAnswer(parts, merchant),
    methods: eachOnce(shown.filter((method) => method !== null)),
    card_tokens: saved.map((card) => cardAnswer(card, context)),
    customer: request.customer,
    billing_address: request.billingAddress,
    custom_data: request.customData ?? {},
    declines: { count: declines(payments), max: mapping.maxDeclines },
    terms: mapping.terms.enabled ? { url: mapping.terms.url ?? `${parts.publicUrl()}/terms` } : null,
    schedule: await scheduleAnswer(parts, context),
    consent: request.consentRequired,
    cancel_url: request.urls.cancel === null ? null : await composeAddress(parts, context, 'cancel'),
    url_target: request.urlTarget,
  }
}

/** A merchant may name a method twice, or by its code and by an alias: the payer chooses once. */
const eachOnce = (methods: readonly ShownMethod[]): readonly ShownMethod[] =>
  methods.filter(({ code }, at) => methods.findIndex((one) => one.code === code) === at)

/** The part of the answer that this call and `state` share. */
export async function composeStateAnswer(
  parts: HostedPageParts,
  context: SessionContext,
  language: string,
): Promise<object> {
  const { state, payments } = context
  const [newest] = payments
  const declined = newest?.status === 'DECLINED' && !isCancelled(newest) ? newest : null
  return {
    state,
    // Increases with every change, so that a page can wait for the next one and check whether its amount is current.
    version: context.session.version,
    ...amountsOf(context),
    payment_id: newest?.id ?? null,
    redirect: state === 'away' ? await readAwayRedirect(parts, context) : await redirectOfState(parts, context),
    ...(await readConfirmation(parts, context)),
    decline_message: declined && declineMessage(declined, context, language),
    same_card: declined !== null && maySameCard(declined, context),
    declines_left: declinesLeft(context),
    waiting_for: waitingFor(context),
  }
}

/** While the payer has a step to confirm, `redirect` leads to it and `leave` back to the shop. */
export async function readConfirmation(parts: HostedPageParts, context: SessionContext): Promise<object> {
  if (context.state !== 'away') return { confirms_at: null, leave: null }
  const [newest] = context.payments
  return { confirms_at: newest?.facts.brand ? 'method' : 'bank', leave: await redirectOfState(parts, context) }
}

/** Where the payer must act elsewhere to pay: a crypto address, or a voucher. */
function waitingFor({ state, payments: [newest] }: SessionContext): object | null {
  if (state !== 'waiting' || !newest) return null
  const { crypto, voucher } = newest.facts.acquirer ?? {}
  const until = newest.facts.brand?.expiresAt ?? null
  if (crypto) return { kind: 'crypto', amount: null, currency: null, ...crypto, qr: qrPath(crypto.address), until }
  return voucher ? { kind: 'voucher', ...voucher, until } : null
}

function amountsOf({ session: { request }, merchant, crypto }: SessionContext): object {
  const { amountDecimals, vatMinor } = sessionAmount(request, merchant, crypto)
  const { currency } = request.order
  return {
    vat_amount: vatMinor === null ? null : formatAmount(vatMinor, currency, amountDecimals),
    total_amount: totalText(request, merchant, crypto),
    currency,
  }
}

/** Deployed forms read month and year as texts. Chapter 30 §9.1. A payout asks for them as proof, so it does not tell them. */
function cardAnswer({ saved, card, isExpired }: SavedCard, { session: { operation } }: SessionContext): object {
  const { expiryMonth, expiryYear } = operation === 'credit' ? { expiryMonth: null, expiryYear: null } : card
  const name = [saved.firstName, saved.lastName].filter((part) => part !== null).join(' ')
  return {
    token: saved.token,
    last: card.lastFour,
    month: expiryMonth === null ? '' : String(expiryMonth).padStart(2, '0'),
    year: expiryYear === null ? '' : String(expiryYear),
    brand: card.network ?? '',
    cardholder_name: name,
    expired: isExpired,
    asks: [operation === 'credit' ? 'expiry' : 'cvv'],
  }
}

/** The plan as the page shows it, on the assumption that the payment is made today. */
async function scheduleAnswer(
  { operations, clock }: HostedPageParts,
  { session: { request, mode }, merchant }: SessionContext,
): Promise<object | null> {
  const wish = request.schedule
  const schedule = wish && (await operations.schedules.find(merchant.id, wish.id, mode))
  if (!wish || !schedule) return null
  const start = { initiatedOn: dayIn(clock.now(), merchant.timeZone), startDate: wish.startDate }
  return {
    amount: wish.amount ?? request.order.amount,
    interval: schedule.intervalLength,
    unit: schedule.intervalUnit,
    payments: schedule.paymentsCount,
    first_date: firstDate(schedule, start),
  }
}
