/**
 * Disputes: the payer opens one in PayPal's Resolution Center, here on the stand-in's page. A card payment is a chargeback at the bank, which
 * takes the money at once; with a PayPal account the money goes when the case is decided for the payer.
 */
import { dayMs } from '#domain/time.ts'
import type { Effect, Line, Notice } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import { type DisputablePayment, type DisputeAnswer, type DisputeStep, effectsOfStep } from '../kit/dispute-pages.ts'
import { type Capture, minorOf, moneyOf, refundedMinor, type StoredOrder } from './order.ts'
import { newId } from './order-request.ts'
import { showCapture } from './views.ts'
import { webhookNotice } from './webhook.ts'

export interface CapturedOrder {
  readonly order: StoredOrder
  readonly capture: Capture
}

const leftOf = (capture: Capture): bigint => minorOf(capture.amount) - refundedMinor(capture)

const capturesIn = (orders: Iterable<StoredOrder>): readonly CapturedOrder[] =>
  [...orders]
    .flatMap((order) => order.captures.map((capture) => ({ order, capture })))
    .filter(({ capture }) => capture.status === 'COMPLETED' && leftOf(capture) > 0n)

export const disputable = (orders: Iterable<StoredOrder>): readonly DisputablePayment[] =>
  capturesIn(orders)
    .map(
      ({ order, capture }): DisputablePayment => ({
        reference: capture.id,
        account: order.account,
        amountMinor: leftOf(capture),
        currency: capture.amount.currency_code,
        lastFour: order.card?.lastDigits ?? '',
        state: capture.dispute?.state ?? 'none',
        answer: capture.dispute?.answer,
      }),
    )
    .toReversed()

export function takeStep(orders: Iterable<StoredOrder>, reference: string, step: DisputeStep): Line<StoredOrder> {
  const found = capturesIn(orders).find(({ capture }) => capture.id === reference)
  if (!found) throw new Error('The reference belongs to no capture.')
  return enterStep(found, step)
}

export const withDispute = (orders: Iterable<StoredOrder>, account: string, id: string): CapturedOrder | undefined =>
  capturesIn(orders).find(({ order, capture }) => order.account === account && capture.dispute?.id === id)

type Step = DisputeStep | 'answered'

/** `answer`: what the merchant says with it. */
export function enterStep({ order, capture }: CapturedOrder, step: Step, answer?: DisputeAnswer): Line<StoredOrder> {
  const { id = `PP-D-${newId()}`, ...known } = capture.dispute ?? {}
  const dispute = { ...known, id, state: step, ...(answer && { answer }) }
  const disputed: Capture = { ...capture, dispute }
  const after = { ...order, captures: order.captures.map((one) => (one.id === capture.id ? disputed : one)) }
  return { items: [after], effects: effectsOf(after, disputed, dispute), notices: noticesOf(after, disputed, dispute) }
}

function effectsOf(
  { account, referenceId: transactionId, card }: StoredOrder,
  capture: Capture,
  { id: reference, state }: { readonly id: string; readonly state: Step },
): readonly Effect[] {
  if (state === 'answered') return []
  const { currency_code: currency } = capture.amount
  const about = { account, transactionId, currency, reference, amount: String(leftOf(capture)) }
  if (card !== null) return effectsOfStep(state, about)
  return state === 'lost' ? effectsOfStep('open', about) : []
}

const types: Readonly<Record<Step, string>> = {
  open: 'CUSTOMER.DISPUTE.CREATED',
  answered: 'CUSTOMER.DISPUTE.UPDATED',
  won: 'CUSTOMER.DISPUTE.RESOLVED',
  lost: 'CUSTOMER.DISPUTE.RESOLVED',
}

export const disputeStatuses: Readonly<Record<Step, string>> = {
  open: 'WAITING_FOR_SELLER_RESPONSE',
  answered: 'UNDER_REVIEW',
  won: 'RESOLVED',
  lost: 'RESOLVED',
}

function noticesOf(
  order: StoredOrder,
  capture: Capture,
  { id, state }: { readonly id: string; readonly state: Step },
): readonly Notice[] {
  const amount = moneyOf(leftOf(capture), capture.amount.currency_code)
  const isCard = order.card !== null
  const takesMoney = isCard ? state === 'open' : state === 'lost'
  const resource = {
    dispute_id: id,
    create_time: now().toISOString(),
    disputed_transactions: [
      {
        seller_transaction_id: capture.id,
        ...(order.customId && { custom: order.customId }),
        ...(order.invoiceId && { invoice_number: order.invoiceId }),
      },
    ],
    reason: isCard ? 'UNAUTHORISED' : 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    status: disputeStatuses[state],
    dispute_amount: amount,
    dispute_life_cycle_stage: 'CHARGEBACK',
    dispute_channel: isCard ? 'EXTERNAL' : 'INTERNAL',
    seller_response_due_date: new Date(now().getTime() + 10 * dayMs).toISOString(),
    ...((state === 'won' || state === 'lost') && {
      dispute_outcome: {
        outcome_code: state === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR',
        amount_refunded: amount,
      },
    }),
  }
  return [
    webhookNotice(order, types[state], resource),
    ...(takesMoney
      ? [
          webhookNotice(order, 'PAYMENT.CAPTURE.REVERSED', {
            ...showCapture(order, capture),
            amount,
            status: 'REVERSED',
          }),
        ]
      : []),
  ]
}
