/** Payer redirects: the step that is stored, and the redirect that the merchant gets. Chapter 10 §8.2, chapter 20 §6.3. */
import { limits } from '#domain/limits.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { PayerStep, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { redirectPageUrl } from '../exchange/return-url.ts'
import type { Deps } from '../request/deps.ts'
import { payerHasUntil } from './interpret-outcome.ts'

export function newPayerStep(
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
    fields: {},
    listedAs: outcome.step === 'REDIRECT' ? deps.ids.next() : null,
    state: 'waiting',
    storedUntil: inMemoryStorage(deps, payment) ? after(now, limits.redirect.memoryStorageMs) : null,
    givenOut: 0,
    // A brand sets its own time limit, counted from the creation of the payment.
    expiresAt: withinSession(payment, payerHasUntil(payment, transaction) ?? after(now, limits.redirect.expiryMs)),
    createdAt: now,
  }
}

/** A payer step must end shortly after the Checkout session that it belongs to. Chapter 30 §6.3. */
function withinSession({ facts: { payerUntil } }: PaymentRecord, until: Date): Date {
  const latest = payerUntil === undefined ? until : new Date(payerUntil)
  return latest < until ? latest : until
}

/** With memory storage the form is stored here, and the merchant gets a plain URL that opens it. */
export function withRedirect(
  deps: Deps,
  payment: PaymentRecord,
  { url, method, params, storedUntil }: PayerStep,
): PaymentRecord {
  const redirect = storedUntil
    ? { url: redirectPageUrl(deps, payment), method: 'GET' as const, params: {} }
    : navigableRedirect(payment, { url, method, params })
  return { ...payment, facts: { ...payment.facts, redirect } }
}

type Redirect = Pick<PayerStep, 'url' | 'method' | 'params'>

/** A GET form drops the query of its action URL, so on S2S APM all parameters go into the URL and plain navigation works. */
function navigableRedirect({ protocol }: PaymentRecord, redirect: Redirect): Redirect {
  if (protocol !== 'S2S_APM' || redirect.method !== 'GET') return redirect
  const url = new URL(redirect.url)
  for (const [name, value] of Object.entries(redirect.params)) url.searchParams.append(name, value)
  return { ...redirect, url: Object.keys(redirect.params).length === 0 ? redirect.url : url.href, params: {} }
}

/** Checkout always redirects through a URL of ours. Chapter 30 §8.4. */
const inMemoryStorage = ({ configuration }: Deps, { merchantId, protocol }: PaymentRecord): boolean =>
  protocol === 'CHECKOUT' || configuration.mapping(merchantId, protocol)?.redirectMode === 'memory_storage'

const after = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds)
