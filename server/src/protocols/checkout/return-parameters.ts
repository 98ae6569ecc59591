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
import { checkoutFormulas, type SigningKey, signCheckout } from '#domain/signature/signature.ts'
import type { SessionRecord } from '../../contracts/session-records.ts'
import { withQuery } from '../payer-pages/return-address.ts'

/** `return` is for hosted fields after a payer step, whatever its outcome. */
export type ReturnReason = 'success' | 'cancel' | 'expiry' | 'error' | 'return'

export interface ReturnFacts {
  readonly session: Pick<SessionRecord, 'request' | 'firstPayment'>
  /** The last payment of the session; null while there is none. */
  readonly payment: PaymentFacts | null
  readonly mapping: Pick<ProtocolMapping, 'addToRedirect' | 'hashUpperCasing'>
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
export function returnParameters({ session, payment, mapping, key }: ReturnFacts): Readonly<Record<string, string>> {
  const { order } = session.request
  const payment_id = payment?.id ?? session.firstPayment
  const hash = signCheckout(
    checkoutFormulas.return,
    {
      payment_id,
      order_number: order.number,
      order_amount: payment?.order.amountAsSent ?? order.amount ?? undefined,
      order_currency: order.currency,
      order_description: order.description,
    },
    key,
    mapping.hashUpperCasing,
  )
  return { payment_id, trans_id: payment_id, order_id: order.number, hash, ...additionalParameters(payment, mapping) }
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
