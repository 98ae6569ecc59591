/**
 * The address to which a payer returns, and its parameters. Chapter 30 §6.
 *
 * Everything is computed from the caller's values without look-ups, so that the page, hosted fields and the return after 3-D Secure
 * cannot differ.
 */
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { LinkTarget } from '#domain/mid.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { selectFields } from '#domain/report-fields.ts'
import { type ReturnOutcome, signReturn } from '#domain/signature/payer-return.ts'
import { checkoutFormulas, type SigningKey, signCheckout } from '#domain/signature/signature.ts'
import type { SessionRecord } from '../../contracts/session-records.ts'
import { withQuery } from '../payer-pages/return-address.ts'

/** `return` is for hosted fields after a payer step, whatever its outcome. */
export type ReturnReason = 'success' | 'cancel' | 'expiry' | 'error' | 'return'

export interface ReturnFacts {
  readonly session: Pick<SessionRecord, 'request' | 'firstPayment'>
  /** The last payment of the session; null while there is none. */
  readonly payment: PaymentFacts | null
  readonly outcome: ReturnOutcome
  readonly mapping: Pick<ProtocolMapping, 'addToRedirect' | 'hashUpperCasing' | 'returnSignature'>
  readonly key: SigningKey
}

/** Null if the merchant named no address: the payer then sees the platform's own result page. */
export function returnAddress(facts: ReturnFacts, why: ReturnReason): string | null {
  const address = addressFor(facts.session, why)
  if (address === null) return null
  const isAlwaysNamed = why === 'success' || why === 'cancel'
  return isAlwaysNamed || facts.payment ? withQuery(address, returnParameters(facts)) : address
}

/** Before a payment exists, uses the identifier that the session has reserved for it. */
export function returnParameters(facts: ReturnFacts): Readonly<Record<string, string>> {
  const { session, payment, mapping } = facts
  const payment_id = payment?.id ?? session.firstPayment
  const order_id = session.request.order.number
  const hash = returnHash(facts, payment_id)
  return { payment_id, trans_id: payment_id, order_id, hash, ...additionalParameters(payment, mapping) }
}

function returnHash({ session, payment, outcome, mapping, key }: ReturnFacts, id: string): string {
  const { number, currency, description, amount } = session.request.order
  const order = {
    order_amount: payment?.order.amountAsSent ?? amount ?? undefined,
    order_currency: currency,
  }
  if (mapping.returnSignature === 'own') {
    return signReturn({ trans_id: id, order_id: number, ...order, outcome }, key.password)
  }
  const covered = { payment_id: id, order_number: number, ...order, order_description: description }
  return signCheckout(checkoutFormulas.return, covered, key, mapping.hashUpperCasing)
}

/** Return additional parameters; only texts can be part of an address. */
function additionalParameters(
  payment: PaymentFacts | null,
  { addToRedirect }: Pick<ProtocolMapping, 'addToRedirect'>,
): Readonly<Record<string, string>> {
  if (!payment) return {}
  return Object.fromEntries(
    selectFields(addToRedirect, payment, { protocol: 'CHECKOUT', place: 'redirect' }).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  )
}

/** Chapter 30 §6.1, the column "When absent". */
function addressFor({ request: { urls } }: ReturnFacts['session'], why: ReturnReason): string | null {
  switch (why) {
    case 'success':
      return urls.success ?? urls.return
    case 'cancel':
      return urls.cancel
    case 'expiry':
      return urls.expiry ?? urls.cancel
    case 'error':
      return urls.error ?? urls.cancel
    case 'return':
      return urls.return
  }
}

/**
 * The window of every navigation that leaves the page: Override Link Target of the payment's MID, else what the merchant sent, else the
 * payer's own. Before a MID is known only the last two. Chapter 30 §6.3.
 */
export function linkTarget(
  { request }: Pick<SessionRecord, 'request'>,
  payment: Pick<PaymentFacts, 'mid'> | null,
): LinkTarget {
  const sent = linkTargets.find((target) => target === request.urlTarget)
  return payment?.mid?.overrideLinkTarget ?? sent ?? '_self'
}

const linkTargets: readonly LinkTarget[] = ['_self', '_parent', '_top', '_blank']
