/** The payer is sent away: the step that is kept, and what the merchant is told of it. Chapter 10 §8.2, chapter 20 §6.3. */
import { limits } from '#domain/limits.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { PayerStep, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { storageUrl } from '../exchange/return-url.ts'
import type { Deps } from '../request/deps.ts'
import { payerHasUntil } from './interpret-outcome.ts'

export function stepOf(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  outcome: Outcome,
): PayerStep | null {
  if (outcome.result !== 'payer-step') return null
  const now = deps.clock.now()
  return {
    merchantId: payment.merchantId,
    paymentId: payment.id,
    transactionId: transaction.id,
    kind: outcome.step,
    url: outcome.url,
    method: outcome.method,
    params: outcome.params,
    mpi: outcome.state ?? {},
    listedAs: outcome.step === 'REDIRECT' ? deps.ids.next() : null,
    state: 'waiting',
    storedUntil: inMemoryStorage(deps, payment) ? after(now, limits.redirect.memoryStorageMs) : null,
    // A brand gives its payers a time of their own, which runs from the payment's beginning.
    expiresAt: withinSession(payment, payerHasUntil(payment, transaction) ?? after(now, limits.redirect.expiryMs)),
    createdAt: now,
  }
}

/** A payer's way ends with the session that he was sent from, and a little after it. Chapter 30 §6.3. */
function withinSession({ facts: { payerUntil } }: PaymentRecord, until: Date): Date {
  const latest = payerUntil === undefined ? until : new Date(payerUntil)
  return latest < until ? latest : until
}

/** In memory storage the form stays here and the merchant gets a plain address to send the browser to. */
export function withRedirect(
  deps: Deps,
  payment: PaymentRecord,
  { url, method, params, storedUntil }: PayerStep,
): PaymentRecord {
  const redirect = storedUntil
    ? { url: storageUrl(deps, payment), method: 'GET' as const, params: {} }
    : navigableRedirect(payment, { url, method, params })
  return { ...payment, facts: { ...payment.facts, redirect } }
}

type Redirect = Pick<PayerStep, 'url' | 'method' | 'params'>

/** A GET form drops the query of its action, so that on S2S APM the address says it all and plain navigation works. */
function navigableRedirect({ protocol }: PaymentRecord, redirect: Redirect): Redirect {
  if (protocol !== 'S2S_APM' || redirect.method !== 'GET') return redirect
  const url = new URL(redirect.url)
  for (const [name, value] of Object.entries(redirect.params)) url.searchParams.append(name, value)
  return { ...redirect, url: Object.keys(redirect.params).length === 0 ? redirect.url : url.href, params: {} }
}

/** Checkout always names an address of ours. Chapter 30 §8.4. */
const inMemoryStorage = ({ configuration }: Deps, { merchantId, protocol }: PaymentRecord): boolean =>
  protocol === 'CHECKOUT' || configuration.mapping(merchantId, protocol)?.redirectMode === 'memory_storage'

const after = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds)
