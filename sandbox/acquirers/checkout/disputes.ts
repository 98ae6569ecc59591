/**
 * Disputes, reported as Checkout.com reports them. In its sandbox amount and expiry of a card ask for one:
 * https://www.checkout.com/docs/developer-resources/testing/disputes-testing.
 */
import { dayMs } from '#domain/time.ts'
import type { Effect, Notice } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import { type DisputablePayment, type DisputeStep, effectsOfStep } from '../kit/dispute-pages.ts'
import { newId, type Payment } from './payment.ts'
import { arnOf } from './views.ts'
import { eventOf } from './webhook.ts'

/** The documented example of Visa's reason 10.4: an amount of 10.40, and a card that ends in January 2099. */
export const isDisputed = (amount: unknown, month: unknown, year: unknown): boolean =>
  amount === 1040 && month === 1 && year === 2099

type Step = DisputeStep | 'answered' | 'accepted'

const events: Readonly<Record<Step, readonly string[]>> = {
  open: ['received', 'evidence_required'],
  answered: ['evidence_submitted'],
  accepted: ['accepted'],
  won: ['won'],
  lost: ['lost'],
}

interface Disputed {
  readonly payment: Payment
  readonly effects: readonly Effect[]
  readonly notices: readonly Notice[]
}

/** Nothing follows while the payment is not captured, or once it is disputed. */
export function disputeAsAsked(payment: Payment): Disputed {
  const { asksForDispute, dispute, captured } = payment
  return asksForDispute && !dispute && captured > 0 ? takeStep(payment, 'open') : { payment, effects: [], notices: [] }
}

export function takeStep(before: Payment, step: Step): Disputed {
  const at = now()
  const state = step === 'accepted' ? 'lost' : step
  const dispute = before.dispute ?? { id: newId('dsp'), state, openedAt: at.toISOString() }
  const payment: Payment = { ...before, dispute: { ...dispute, state } }
  const notices = events[step].map((status) =>
    eventOf(`dispute_${status}`, payment.account, {
      id: dispute.id,
      category: 'fraudulent',
      status,
      reason_code: '10.4',
      amount: payment.captured - payment.refunded,
      currency: payment.currency,
      payment_id: payment.id,
      payment_reference: payment.reference,
      payment_arn: arnOf(payment.id),
      payment_method: 'VISA',
      date: dispute.openedAt,
      evidence_required_by: new Date(Date.parse(dispute.openedAt) + 14 * dayMs).toISOString(),
      last_update: at.toISOString(),
    }),
  )
  const isMovement = step !== 'answered' && step !== 'accepted'
  return { payment, effects: isMovement ? effectsOf(payment, step, dispute.id) : [], notices }
}

function effectsOf(payment: Payment, step: DisputeStep, reference: string): readonly Effect[] {
  const { account, transactionId, currency, captured, refunded } = payment
  return effectsOfStep(step, { account, transactionId, currency, reference, amount: String(captured - refunded) })
}

export function disputableOf(payment: Payment): DisputablePayment {
  const { id: reference, account, captured, refunded, currency, lastFour, dispute } = payment
  const amountMinor = BigInt(captured - refunded)
  return {
    reference,
    account,
    amountMinor,
    currency,
    lastFour,
    state: dispute?.state ?? 'none',
    answer: dispute?.answer,
  }
}
