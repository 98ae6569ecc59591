/** Commands on payments given by a person at the panel. They are the gateway's own operations; nothing is decided here. */
import { errors } from '#domain/errors.ts'
import { chargeback } from '#domain/payment/decide.ts'
import { dayIn } from '#domain/schedule/day.ts'
import type { Secret } from '#domain/secret.ts'
import type { JsonObject, PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { Performed } from '../../payments/outcome/perform.ts'
import { cardStore } from '../../store/payments/cards.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { type AuditNote, noteAlone } from '../audit/audit.ts'
import type { Actor } from '../desk.ts'
import type { Panel } from '../panel.ts'
import { isWithinLimit } from './refund-limit.ts'

/** What came of a command, for the answer and the audit log. */
export const resultOf = ({ payment, transaction }: Performed): JsonObject => ({
  status: payment.status,
  transactionId: transaction.id,
  type: transaction.type,
  state: transaction.state,
  amountMinor: String(transaction.amountMinor),
  declineReason: transaction.declineReason,
})

export async function paymentOf({ operations }: Panel, merchantId: string, id: string): Promise<PaymentRecord> {
  const payment = await operations.find(merchantId, id)
  if (payment === null) throw notFound()
  return payment
}

interface Commanded {
  readonly result: JsonObject
  readonly audit: AuditNote
}

/** `amountMinor` undefined is the whole hold. */
export async function capture(
  panel: Panel,
  payment: PaymentRecord,
  amountMinor: bigint | undefined,
): Promise<Commanded> {
  const done = await panel.operations.capture({ payment, amountMinor, parameters: undefined, useId: null })
  return commanded('payment.capture', payment, done)
}

/** It gives all of it back and waits for nobody: what a second person has to see is asked for as a refund. Chapter 50 §8. */
export async function voidPayment(panel: Panel, payment: PaymentRecord): Promise<Commanded> {
  if (!isWithinLimit(panel, payment.currency, payment.capturedMinor))
    throw new AdminRefused('refused', { message: 'This amount needs approval. Request a refund instead.' })
  const request = { payment, amountMinor: undefined, parameters: undefined, useId: null }
  return commanded('payment.void', payment, await panel.operations.void(request))
}

export async function retryPayment(panel: Panel, payment: PaymentRecord): Promise<Commanded> {
  return commanded('payment.retry', payment, await panel.operations.retry({ payment, useId: null }))
}

interface Dispute {
  /** The acquirer's own name of it: entered twice, it counts once. */
  readonly reference: string
  readonly amountMinor: bigint
  /** `YYYY-MM-DD`. */
  readonly bankDate: string
  readonly reasonCode: string
}

export async function markChargeback(panel: Panel, payment: PaymentRecord, dispute: Dispute): Promise<Commanded> {
  const { midId } = payment
  const now = panel.clock.now()
  const conclusion = chargeback(payment, dispute.amountMinor, dayIn(now, 'UTC'))
  if (midId === null || conclusion === null)
    throw new AdminRefused('refused', {
      message: `A chargeback cannot be recorded for a payment in status ${payment.status}.`,
    })
  if ('message' in conclusion) throw new RefusedError(errors.chargebackTooMuch)
  await panel.operations.dispute(midId, { kind: 'chargeback', paymentId: payment.id, at: now, ...dispute })
  const after = await paymentOf(panel, payment.merchantId, payment.id)
  const result = { status: after.status, chargedBackMinor: String(after.chargedBackMinor) }
  return { result, audit: { ...about('payment.chargeback', payment), after: { ...result, ...dispute } } }
}

interface BulkCapture {
  readonly payment: PaymentRecord
  readonly actor: Actor
}

/** One of many: a refusal is a result, and the others go on. It is noted at once, whatever becomes of the rest. */
export async function captureOneOfMany(panel: Panel, { payment, actor }: BulkCapture): Promise<JsonObject> {
  try {
    const { result, audit } = await capture(panel, payment, undefined)
    await noteAlone(panel.pool, panel.clock, actor, audit)
    return result
  } catch (error) {
    if (error instanceof RefusedError) return { refused: error.message }
    throw error
  }
}

/** The number of the payment's card; null when it has none. */
export async function cardNumber({ pool, vault }: Panel, payment: PaymentRecord): Promise<Secret<string>> {
  const { merchantId, cardId } = payment
  const card = cardId && (await cardStore(pool).find(merchantId, cardId))
  if (!card) throw notFound()
  return vault.open(merchantId, 'card', card.panSealed)
}

export const about = (action: string, { id, merchantId }: PaymentRecord) => ({
  action,
  subject: `payment ${id}`,
  merchantId,
})

function commanded(action: string, before: PaymentRecord, done: Performed): Commanded {
  const result = resultOf(done)
  return { result, audit: { ...about(action, before), before: { status: before.status }, after: result } }
}
