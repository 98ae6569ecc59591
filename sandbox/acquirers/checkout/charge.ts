/** `POST /payments`: a payment is authorised, declined, or waits for its payer; a payout is paid. */
import { randomBytes } from 'node:crypto'
import { luhnValid } from '#domain/card.ts'
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Effect } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import type { Execution } from '../kit/idempotency.ts'
import { disputeAsAsked, isDisputed } from './disputes.ts'
import { invalid } from './errors.ts'
import { type Action, newId, type Payment } from './payment.ts'
import { approvedVerdict, authenticationFailed, authenticationRequired, type Verdict, verdictOn } from './test-cards.ts'
import { paymentView } from './views.ts'
import { noticeOf } from './webhook.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface Caller {
  readonly account: string
  readonly transactionId: string
  /** This program's address. */
  readonly url: string
  /** The number behind a token; undefined if the token is unknown. */
  readonly numberOf: (token: string) => string | undefined
}

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export function request(body: Fields, caller: Caller): Execution<Payment> {
  const { amount, currency, source, destination } = body
  const codes = faultsIn(body, caller)
  if (codes.length > 0) return { reply: invalid(...codes), isRefused: true }
  const isPayout = isObject(destination)
  const card = fieldsOf(isPayout ? destination : source)
  const number = numberIn(card, caller)
  const payment: Payment = {
    id: newId('pay'),
    account: caller.account,
    reference: textOf(body.reference),
    transactionId: caller.transactionId || textOf(body.reference),
    kind: isPayout ? 'credit' : body.capture === false ? 'authorize' : 'sale',
    amount: Number(amount),
    currency: textOf(currency),
    lastFour: number.slice(-4),
    state: 'at-payer',
    captured: 0,
    refunded: 0,
    actions: [],
    page: null,
    asksForDispute: !isPayout && isDisputed(amount, card.expiry_month, card.expiry_year),
  }
  if (isPayout) return payOut(payment, caller)
  const verdict = verdictOn(number, isAuthenticated(body))
  return asksPayer(body, verdict) ? sendAway(payment, body, number, caller) : decide(payment, verdict, caller.url)
}

function faultsIn(body: Fields, caller: Caller): readonly string[] {
  const { amount, currency, source, destination } = body
  const card = fieldsOf(isObject(destination) ? destination : source)
  const isAmount = Number.isSafeInteger(amount) && Number(amount) >= 0 && Number(amount) <= 999_999_999
  return [
    ...(isAmount ? [] : ['amount_invalid']),
    ...(/^[A-Z]{3}$/.test(textOf(currency)) ? [] : ['currency_invalid']),
    ...(textOf(body.processing_channel_id).startsWith('pc_') ? [] : ['processing_channel_id_required']),
    ...(luhnValid(numberIn(card, caller)) ? [] : ['card_number_invalid']),
    ...(isExpired(card) ? ['card_expired'] : []),
  ]
}

function isExpired({ expiry_month: month, expiry_year: year }: Fields): boolean {
  if (typeof month !== 'number' || typeof year !== 'number') return false
  return Date.UTC(year, month) <= now().getTime()
}

const numberIn = ({ type, number, token }: Fields, { numberOf }: Caller): string =>
  type === 'token' ? (numberOf(textOf(token)) ?? '') : textOf(type === 'network_token' ? token : number)

/** By the merchant's own 3-D Secure or the wallet's cryptogram; without the payer there is no authentication. */
function isAuthenticated(body: Fields): boolean {
  const [threeDs, source] = [fieldsOf(body['3ds']), fieldsOf(body.source)]
  const isMerchants = body.merchant_initiated === true || body.payment_type === 'MOTO'
  return isMerchants || textOf(threeDs.cryptogram) !== '' || textOf(source.cryptogram) !== ''
}

function asksPayer(body: Fields, verdict: Verdict): boolean {
  const { enabled, allow_upgrade: upgrades, cryptogram } = fieldsOf(body['3ds'])
  if (textOf(cryptogram) !== '' || textOf(body.success_url) === '') return false
  return enabled === true || (upgrades === true && verdict.code === authenticationRequired.code)
}

function sendAway(payment: Payment, body: Fields, number: string, { url }: Caller): Execution<Payment> {
  const page = {
    key: randomBytes(16).toString('base64url'),
    session: newId('sid'),
    successUrl: textOf(body.success_url),
    failureUrl: textOf(body.failure_url),
    merchant: textOf(fieldsOf(body.billing_descriptor).name),
    verdict: verdictOn(number, true),
  }
  const waiting = { ...payment, page }
  return { reply: { status: 202, body: paymentView(waiting, url) }, line: { items: [waiting] } }
}

/** The payer has decided on the page. */
export function decideAtPage(payment: Payment, decision: 'approve' | 'decline', url: string): Execution<Payment> {
  return decide(
    payment,
    decision === 'approve' ? (payment.page?.verdict ?? approvedVerdict) : authenticationFailed,
    url,
  )
}

/** The address to which the payer goes back; null while the payer has not decided. */
export function returnUrlOf({ page, state }: Payment): string | null {
  if (!page || state === 'at-payer') return null
  const url = new URL(state === 'declined' ? page.failureUrl : page.successUrl)
  url.searchParams.set('cko-session-id', page.session)
  return url.href
}

function decide(payment: Payment, verdict: Verdict, url: string): Execution<Payment> {
  const { amount, kind, reference } = payment
  const isApproved = verdict.code === approvedVerdict.code
  const isVerification = amount === 0
  const authorization = actionOf(isVerification ? 'Card Verification' : 'Authorization', payment, verdict)
  const isCaptured = isApproved && kind === 'sale' && !isVerification
  const authorized: Payment = {
    ...payment,
    state: isApproved ? 'authorized' : 'declined',
    actions: [authorization],
  }
  const capture = { ...actionOf('Capture', payment, approvedVerdict), reference }
  const after = isCaptured ? { ...authorized, captured: amount, actions: [capture, authorization] } : authorized
  const disputed = disputeAsAsked(after)
  const reply: Reply = { status: 201, body: paymentView(authorized, url) }
  const event = isVerification
    ? `card_${isApproved ? 'verified' : 'verification_declined'}`
    : `payment_${isApproved ? 'approved' : 'declined'}`
  return {
    reply,
    line: {
      items: [disputed.payment],
      effects: [effectOf(after, isApproved ? 'executed' : 'declined'), ...disputed.effects],
      notices: [
        noticeOf(event, authorized, authorization),
        ...(isCaptured ? [noticeOf('payment_captured', after, capture)] : []),
        ...disputed.notices,
      ],
    },
  }
}

/** Taken as pending; the recipient's bank has it at once. */
function payOut(payment: Payment, { url }: Caller): Execution<Payment> {
  const action = actionOf('Payout', payment, approvedVerdict)
  const paid: Payment = { ...payment, state: 'paid', actions: [action] }
  const { id, reference } = payment
  const body = { id, status: 'Pending', reference, _links: { self: { href: `${url}/payments/${id}` } } }
  return {
    reply: { status: 202, body },
    line: { items: [paid], effects: [effectOf(paid, 'executed')], notices: [noticeOf('payment_paid', paid, action)] },
  }
}

const actionOf = (type: Action['type'], { amount, reference }: Payment, { code, summary }: Verdict): Action => ({
  id: newId('act'),
  type,
  reference,
  amount,
  code,
  summary,
  at: now().toISOString(),
})

function effectOf({ account, transactionId, kind, amount, currency, id }: Payment, state: Effect['state']): Effect {
  return { account, transactionId, kind, amount: String(amount), currency, state, reference: id }
}
