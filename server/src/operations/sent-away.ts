/** The payer is sent away: the step that is kept, and what the merchant is told of it. Chapter 10 §8.2. */
import { limits } from '#domain/limits.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { PayerStep, PaymentRecord, TransactionRecord } from '../records.ts'
import type { Deps } from './deps.ts'
import { storageUrl } from './return-url.ts'

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
    expiresAt: after(now, limits.redirect.expiryMs),
    createdAt: now,
  }
}

/** In memory storage the form stays here and the merchant gets a plain address to send the browser to. */
export function withRedirect(
  deps: Deps,
  payment: PaymentRecord,
  { url, method, params, storedUntil }: PayerStep,
): PaymentRecord {
  const redirect = storedUntil
    ? { url: storageUrl(deps, payment), method: 'GET' as const, params: {} }
    : { url, method, params }
  return { ...payment, facts: { ...payment.facts, redirect } }
}

const inMemoryStorage = ({ configuration }: Deps, { merchantId, protocol }: PaymentRecord): boolean =>
  configuration.mapping(merchantId, protocol)?.redirectMode === 'memory_storage'

const after = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds)
