/** Captures, refunds, reversals and cancels: taken at once, decided by a webhook. */
import { isObject } from '#domain/json.ts'
import type { Effect, Line } from '../kit/books.ts'
import type { Execution } from '../kit/idempotency.ts'
import { disputeAsNamed } from './disputes.ts'
import { invalid } from './errors.ts'
import { newReference, type Payment, type Payments } from './payment.ts'
import { noticeOf } from './webhook.ts'

export type ModificationPath = 'captures' | 'refunds' | 'cancels' | 'reversals'

interface ModificationContext {
  readonly account: string
  readonly merchantAccount: string
  readonly transactionId: string
  readonly payments: Payments
}

/** With the fields of the answer that say which payment was meant. */
interface NamedContext extends ModificationContext {
  readonly names: Fields
}

type Fields = Readonly<Record<string, unknown>>

/** What became of a modification. */
interface Modification {
  readonly eventCode: string
  readonly kind: Effect['kind']
  readonly amount: number
  /** Null if it was refused. */
  readonly after: Payment | null
}

export function modify(
  path: ModificationPath,
  pspReference: string,
  body: Fields,
  context: ModificationContext,
): Execution<Payment> {
  const payment = context.payments.withPsp(context.account, pspReference)
  if (!payment) return { reply: invalid('167', 'Original pspReference required for this operation'), isRefused: true }
  const value = amountIn(body, payment)
  if (value === null) return { reply: invalid('137', 'Invalid amount specified'), isRefused: true }
  return settle(payment, modificationOf(path, payment, value), body, {
    ...context,
    names: { paymentPspReference: pspReference },
  })
}

/** Cancels by the merchant's own reference. The webhook reports whether there is such a payment. */
export function cancelByReference(body: Fields, context: ModificationContext): Execution<Payment> {
  const paymentReference = textOf(body.paymentReference)
  if (!paymentReference)
    return { reply: invalid('130', 'Required field paymentReference is not provided.'), isRefused: true }
  const payment = context.payments.withReference(context.account, paymentReference)
  const { merchantAccount } = context
  if (!payment) return receive({ merchantAccount, paymentReference, ...referenceIn(body) }, newReference(), {})
  const modification = { ...modificationOf('cancels', payment, payment.amount), eventCode: 'TECHNICAL_CANCEL' }
  const { transactionId } = payment
  return settle(payment, modification, body, { ...context, transactionId, names: { paymentReference } })
}

function amountIn(body: Fields, { amount, currency }: Payment): number | null {
  if (!isObject(body.amount)) return amount
  const { value, currency: stated } = body.amount
  return Number.isSafeInteger(value) && Number(value) > 0 && stated === currency ? Number(value) : null
}

function modificationOf(path: ModificationPath, payment: Payment, value: number): Modification {
  const { state, amount, captured, refunded } = payment
  const isOpen = state === 'authorised'
  const isCaptured = captured > 0
  switch (path) {
    case 'captures': {
      const after = isOpen && captured + value <= amount ? { ...payment, captured: captured + value } : null
      return { eventCode: 'CAPTURE', kind: 'capture', amount: value, after }
    }
    case 'refunds': {
      const after = isOpen && refunded + value <= captured ? { ...payment, refunded: refunded + value } : null
      return { eventCode: 'REFUND', kind: 'refund', amount: value, after }
    }
    case 'cancels': {
      const after = isOpen && !isCaptured ? { ...payment, state: 'cancelled' as const } : null
      return { eventCode: 'CANCELLATION', kind: 'reverse', amount, after }
    }
    case 'reversals': {
      const rest = isCaptured ? captured - refunded : amount
      const after = isOpen && rest > 0 ? { ...payment, state: 'cancelled' as const, refunded: captured } : null
      return { eventCode: 'CANCEL_OR_REFUND', kind: isCaptured ? 'void' : 'reverse', amount: rest, after }
    }
  }
}

function settle(
  payment: Payment,
  { eventCode, kind, amount, after }: Modification,
  body: Fields,
  { merchantAccount, transactionId, account, names }: NamedContext,
): Execution<Payment> {
  const pspReference = newReference()
  const reference = textOf(body.reference)
  const report = {
    eventCode,
    success: after !== null,
    reason: after ? '' : 'Transaction is not in a state that allows it',
    pspReference,
    amount,
    // The documentation does not say whether a webhook repeats the reference of the modification or of the payment, so that both occur here.
    ...(reference && eventCode !== 'REFUND' && { merchantReference: reference }),
  }
  const state = after ? 'executed' : 'declined'
  const common = { account, transactionId: transactionId || reference, currency: payment.currency }
  const disputed = after && disputeAsNamed(after, merchantAccount)
  return receive({ merchantAccount, ...names, ...referenceIn(body), ...amountOf(body) }, pspReference, {
    ...(disputed && { items: [disputed.payment] }),
    effects: [
      { ...common, kind, amount: String(amount), state, reference: pspReference },
      ...(disputed?.effects ?? []),
    ],
    notices: [noticeOf(payment, report, merchantAccount), ...(disputed?.notices ?? [])],
  })
}

const receive = (names: Fields, pspReference: string, line: Omit<Line<Payment>, 'reply'>): Execution<Payment> => ({
  reply: { status: 201, body: { ...names, pspReference, status: 'received' } },
  line,
})

const referenceIn = (body: Fields): Fields => (textOf(body.reference) ? { reference: textOf(body.reference) } : {})
const amountOf = (body: Fields): Fields => (isObject(body.amount) ? { amount: body.amount } : {})
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
