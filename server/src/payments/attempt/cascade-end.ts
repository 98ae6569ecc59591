/** Ends a cascade that will not continue: its last decline is final and is called back. Chapter 10 §6.2, "Cascade callbacks". */
import type { Ending } from '#domain/routing/ending.ts'
import type { OpenCascade } from '../../contracts/ports.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { deriveConsequences } from '../outcome/consequences.ts'
import { type PaymentWithTransaction, readTransaction } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'

export async function endCascade(deps: Deps, payment: PaymentRecord, ending: Ending): Promise<PaymentWithTransaction> {
  const { transaction } = await readTransaction(deps, payment, { id: payment.firstTransaction })
  const at = deps.clock.now()
  const { deferred } = await deriveConsequences(deps, payment, transaction, at)
  const callback = await deps.reporter.composeCallback(payment, transaction)
  const hasEnded = await deps.cascades.end({ payment, ending, transaction, callback, deferred, at })
  if (!hasEnded) return readNewestAttempt(deps, payment)
  deps.wake()
  if (payment.sessionId !== null) deps.watch.announceChange(payment.sessionId)
  return {
    payment: {
      ...payment,
      version: payment.version + 1,
      cascading: null,
      facts: { ...payment.facts, cascadeEnd: ending },
      updatedAt: at,
    },
    transaction,
  }
}

/** For a cascade whose process died or exceeded its time between two attempts. */
export async function endOpenCascade(deps: Deps, cascade: OpenCascade): Promise<void> {
  const payment = await deps.payments.find(cascade.merchantId, cascade.paymentId)
  if (payment?.cascading === 'continues') await endCascade(deps, payment, { reason: 'process-ended' })
  // The cascade continued, or the payment was retried in the meantime.
  else await deps.cascades.drop(cascade)
}

/** The newest attempt of the payment's cascade, which is the one to report. */
export async function readNewestAttempt(deps: Deps, payment: PaymentRecord): Promise<PaymentWithTransaction> {
  const newest = (await findNewestAttempt(deps, payment)) ?? payment
  const result = await readTransaction(deps, newest, { id: newest.openTransaction ?? newest.firstTransaction })
  if (newest.cascading !== 'continues') return result
  const { transaction } = result
  return {
    payment: hideUnfinishedDecline(newest),
    transaction: { ...transaction, state: 'undefined', declineReason: null, declineClass: null, endedAt: null },
  }
}

/**
 * Between two attempts the payment is shown as undecided. A payer who saw the decline might pay again, and the order would be paid
 * twice.
 */
export const hideUnfinishedDecline = (payment: PaymentRecord): PaymentRecord =>
  payment.cascading === 'continues'
    ? { ...payment, status: 'PREPARE', declineReason: null, declineClass: null }
    : payment

export const findNewestAttempt = ({ payments }: Deps, payment: PaymentRecord): Promise<PaymentRecord | null> =>
  payment.cascadeId === null && payment.cascading === null
    ? Promise.resolve(payment)
    : payments.findNewestOfCascade(payment.merchantId, payment.cascadeId ?? payment.id)
