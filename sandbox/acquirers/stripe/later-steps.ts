/** Capture and cancellation of an intent, and refunds. */
import type { Effect } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import type { Execution } from '../kit/idempotency.ts'
import { toMinor } from './amounts.ts'
import { type Caller, metadataIn } from './charge.ts'
import { invalid, missing } from './errors.ts'
import { type IntentRecord, type Item, newId, type RefundRecord } from './records.ts'
import { showIntent, showRefund } from './views.ts'
import { eventOf } from './webhook.ts'

const refuse = (reply: Execution<Item>['reply']): Execution<Item> => ({ reply, isRefused: true })

const unexpectedState = (intent: IntentRecord): Execution<Item> =>
  refuse(
    invalid(400, 'payment_intent_unexpected_state', `This PaymentIntent has a status of ${intent.status}.`, {
      payment_intent: showIntent(intent, false),
    }),
  )

export function captureIntent(id: string, { account, fields, records, key }: Caller): Execution<Item> {
  const before = records.find('payment_intent', account, id)
  if (!before) return refuse(missing('payment_intent'))
  if (before.status !== 'requires_capture') return unexpectedState(before)
  const amount = fields['amount_to_capture'] === undefined ? before.amount : Number(fields['amount_to_capture'])
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > before.amount)
    return refuse(invalid(400, 'amount_too_large', 'The amount is not between 1 and the amount of the hold.'))
  const metadata = { ...before.metadata, ...metadataIn(fields) }
  const intent: IntentRecord = { ...before, status: 'succeeded', amountReceived: amount, metadata }
  return {
    reply: { status: 200, body: showIntent(intent, true) },
    line: {
      items: [intent],
      effects: [effectOf(intent, { kind: 'capture', amount, transactionId: key })],
      notices: [eventOf(account, 'payment_intent.succeeded', showIntent(intent, false), key)],
    },
  }
}

export function cancelIntent(id: string, { account, fields, records, key }: Caller): Execution<Item> {
  const before = records.find('payment_intent', account, id)
  if (!before) return refuse(missing('payment_intent'))
  if (before.status === 'succeeded' || before.status === 'canceled') return unexpectedState(before)
  const intent: IntentRecord = {
    ...before,
    status: 'canceled',
    cancellationReason: fields['cancellation_reason'] ?? null,
  }
  const isHold = before.status === 'requires_capture'
  return {
    reply: { status: 200, body: showIntent(intent, true) },
    line: {
      items: [intent],
      effects: isHold ? [effectOf(intent, { kind: 'reverse', amount: before.amount, transactionId: key })] : [],
      notices: [eventOf(account, 'payment_intent.canceled', showIntent(intent, false), key)],
    },
  }
}

export function createRefund({ account, fields, records, key }: Caller): Execution<Item> {
  const intent = records.find('payment_intent', account, fields['payment_intent'] ?? '')
  if (!intent) return refuse(missing('payment_intent'))
  if (intent.status !== 'succeeded' || intent.charge === null) return unexpectedState(intent)
  const left = intent.amountReceived - intent.amountRefunded
  const amount = fields['amount'] === undefined ? left : Number(fields['amount'])
  if (left === 0) return refuse(invalid(400, 'charge_already_refunded', 'The charge has already been refunded.'))
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > left)
    return refuse(invalid(400, 'amount_too_large', 'The refund is greater than what is left of the charge.'))
  const isLater = intent.afterwards === 'refund-later'
  const refund: RefundRecord = {
    object: 'refund',
    id: newId('re'),
    account,
    intent: intent.id,
    charge: intent.charge,
    amount,
    currency: intent.currency,
    created: Math.floor(now().getTime() / 1000),
    status: isLater ? 'pending' : 'succeeded',
    metadata: metadataIn(fields),
    transactionId: key,
  }
  return {
    reply: { status: 200, body: showRefund(refund) },
    line: {
      items: [{ ...intent, amountRefunded: intent.amountRefunded + amount }, refund],
      effects: isLater ? [] : [effectOf(intent, { kind: 'refund', amount, transactionId: key })],
      notices: [eventOf(account, 'refund.created', showRefund(refund), key)],
    },
  }
}

/** The refund of such a card begins as pending, and succeeds later; of another it succeeds, and fails later. */
export function settleRefund(refund: RefundRecord, intent: IntentRecord | undefined) {
  if (!intent) return null
  const { account, amount, transactionId } = refund
  if (refund.status === 'pending') {
    const settled: RefundRecord = { ...refund, status: 'succeeded' }
    return {
      items: [settled],
      effects: [effectOf(intent, { kind: 'refund', amount, transactionId })],
      notices: [eventOf(account, 'refund.updated', showRefund(settled))],
    }
  }
  if (refund.status !== 'succeeded' || intent.afterwards !== 'refund-fails') return null
  const failed: RefundRecord = { ...refund, status: 'failed' }
  return { items: [failed], notices: [eventOf(account, 'refund.failed', showRefund(failed))] }
}

type LaterEffect = Pick<Effect, 'kind' | 'transactionId'> & { readonly amount: number }

function effectOf({ account, currency, id }: IntentRecord, { kind, amount, transactionId }: LaterEffect): Effect {
  const code = currency.toUpperCase()
  return {
    account,
    transactionId,
    kind,
    amount: toMinor(amount, code),
    currency: code,
    state: 'executed',
    reference: id,
  }
}
