/**
 * Consequences of an outcome besides the change of the payment: a chain that can be charged, a plan that begins or ends, a command
 * deferred for the service to execute. They are written by the same statement as the outcome, so that none is lost.
 */
import { allowsRetry, firstStepTypes } from '#domain/payment/payment.ts'
import type { Consequences, DeferredCommand, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'
import { newPlan } from './plan.ts'

export const noConsequences: Consequences = { chain: null, plan: null, endsPlan: null, deferred: null }

export async function deriveConsequences(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  at: Date,
): Promise<Consequences> {
  if (transaction.type === 'CALC') return { ...noConsequences, deferred: expiryOf(payment, transaction) }
  if (!firstStepTypes.includes(transaction.type)) return noConsequences
  switch (transaction.state) {
    case 'success':
      return {
        ...noConsequences,
        chain: chainOf(payment, transaction),
        plan: await preparePlan(deps, payment, at),
        deferred: captureOf(deps, payment, at),
      }
    case 'fail':
      return decideAfterDecline(deps, payment, transaction, at)
    case 'sent':
    case 'waiting':
    case 'undefined':
      return noConsequences
  }
}

/** The date of the first plan payment is known only once the plan exists; a plan that could not begin has no date. */
export function withFirstDate(payment: PaymentRecord, { plan }: Consequences): PaymentRecord {
  const { schedule, planned } = payment.facts
  if (!schedule || planned) return payment
  const firstDate = plan?.subscription.nextDate ?? null
  return { ...payment, facts: { ...payment.facts, schedule: { ...schedule, firstDate } } }
}

/** A chain can be charged once its first payment has succeeded. Chapter 10 §9.1. */
function chainOf(payment: PaymentRecord, transaction: TransactionRecord): Consequences['chain'] {
  const { recurringInit, recurringToken } = payment.facts
  if (!recurringInit || !recurringToken) return null
  return {
    merchantId: payment.merchantId,
    id: recurringToken,
    firstPayment: payment.id,
    kind: payment.kind === 'debit' ? 'debit' : 'sale',
    networkTransactionId: transaction.facts.networkTransactionId ?? null,
  }
}

/** No plan begins if the schedule was deleted, or the consent withdrawn, while the payment was in progress. */
async function preparePlan(deps: Deps, payment: PaymentRecord, at: Date): Promise<Consequences['plan']> {
  const { schedule: requested, planned, consent } = payment.facts
  if (!requested || planned || consent?.state === 'cancelled') return null
  const schedule = await deps.schedules.find(payment.merchantId, requested.id)
  const subscription = schedule && newPlan(deps, payment, schedule, at)
  return subscription ? { subscription, schedule } : null
}

/** A calculated debit that the merchant does not complete in time expires. Chapter 20 §12.3. */
function expiryOf({ merchantId, id, facts }: PaymentRecord, { state }: TransactionRecord): DeferredCommand | null {
  if (state !== 'success' || !facts.brand) return null
  return { merchantId, paymentId: id, command: 'EXPIRE', dueAt: new Date(facts.brand.expiresAt) }
}

/** MID setting "capture after N hours". Chapter 10 §6, "Auto-capture". A payment in review is captured when it is accepted. */
function captureOf(deps: Deps, payment: PaymentRecord, at: Date): DeferredCommand | null {
  const hours = payment.midId === null ? null : deps.configuration.mid(payment.midId)?.autoCaptureHours
  if (payment.status !== 'PENDING' || payment.authorisedMinor === 0n || !hours || payment.routing?.review) return null
  return command(payment, 'CAPTURE', at, hours)
}

/** Chapter 10 §9.2: a hard decline ends the plan; after a soft one the plan continues, and the operator's retry schedule applies. */
async function decideAfterDecline(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  at: Date,
): Promise<Consequences> {
  const { subscriptionId, declineClass } = payment
  if (subscriptionId === null || declineClass === null) return noConsequences
  if (!allowsRetry(declineClass)) {
    return { ...noConsequences, endsPlan: { of: 'subscription', id: subscriptionId, reason: 'hard decline' } }
  }
  const hours = deps.planRetryHours[await countRetries(deps, payment, transaction)]
  return hours === undefined ? noConsequences : { ...noConsequences, deferred: command(payment, 'RETRY', at, hours) }
}

/** The number of retries so far, including the one that just ended. */
async function countRetries(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<number> {
  if (transaction.type !== 'RETRY' || deps.planRetryHours.length === 0) return 0
  const transactions = await deps.payments.listTransactions(payment.merchantId, payment.id)
  return transactions.filter(({ type }) => type === 'RETRY').length
}

const command = (
  { merchantId, id }: PaymentRecord,
  name: DeferredCommand['command'],
  at: Date,
  hours: number,
): DeferredCommand => ({
  merchantId,
  paymentId: id,
  command: name,
  dueAt: new Date(at.getTime() + hours * 3_600_000),
})
