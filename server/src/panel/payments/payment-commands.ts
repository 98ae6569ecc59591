/** Payment commands that a person gives at the panel. They call the gateway's own operations; no rule is decided here. */
import { chargeback } from '#domain/payment/decide.ts'
import { dayIn } from '#domain/schedule/day.ts'
import type { Secret } from '#domain/secret.ts'
import type { JsonObject, PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { PaymentWithTransaction } from '../../payments/outcome/perform.ts'
import { cardStore } from '../../store/payments/cards.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { type AuditNote, noteAlone } from '../audit/audit.ts'
import type { Actor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { isWithinLimit } from './refund-limit.ts'

/** The result of a command, for the answer and the audit log. */
export const resultOf = ({ payment, transaction }: PaymentWithTransaction): JsonObject => ({
  status: payment.status,
  transactionId: transaction.id,
  type: transaction.type,
  state: transaction.state,
  amountMinor: String(transaction.amountMinor),
  declineReason: transaction.declineReason,
})

export async function requirePayment(
  { operations }: PanelContext,
  merchantId: string,
  id: string,
): Promise<PaymentRecord> {
  const payment = await operations.find(merchantId, id)
  if (payment === null) throw notFound()
  return payment
}

interface CommandResult {
  readonly result: JsonObject
  readonly audit: AuditNote
}

/** `amountMinor` undefined captures the whole hold. */
export async function capture(
  context: PanelContext,
  payment: PaymentRecord,
  amountMinor: bigint | undefined,
): Promise<CommandResult> {
  const done = await context.operations.capture({ payment, amountMinor, parameters: undefined, useId: null })
  return commandResult('payment.capture', payment, done)
}

/** A void returns the whole amount without approval. Above the limit a refund must be requested instead. Chapter 50 §8. */
export async function voidPayment(context: PanelContext, payment: PaymentRecord): Promise<CommandResult> {
  if (!isWithinLimit(context, payment.currency, payment.capturedMinor))
    throw new AdminRefused('refused', { message: 'This amount needs approval. Request a refund instead.' })
  const request = { payment, amountMinor: undefined, parameters: undefined, useId: null }
  return commandResult('payment.void', payment, await context.operations.void(request))
}

export async function retryPayment(context: PanelContext, payment: PaymentRecord): Promise<CommandResult> {
  return commandResult('payment.retry', payment, await context.operations.retry({ payment, useId: null }))
}

interface Dispute {
  /** The acquirer's identifier of the dispute: entered twice, it counts once. */
  readonly reference: string
  readonly amountMinor: bigint
  /** `YYYY-MM-DD`. */
  readonly bankDate: string
  readonly reasonCode: string
}

export async function markChargeback(
  context: PanelContext,
  payment: PaymentRecord,
  dispute: Dispute,
): Promise<CommandResult> {
  const { midId } = payment
  const now = context.clock.now()
  const decision = chargeback(payment, dispute.amountMinor, dayIn(now, 'UTC'))
  if (midId === null || decision === null)
    throw new AdminRefused('refused', {
      message: `A chargeback cannot be recorded for a payment in status ${payment.status}.`,
    })
  if (decision.kind === 'refused') throw new RefusedError(decision.refusal)
  await context.operations.dispute(midId, { kind: 'chargeback', paymentId: payment.id, at: now, ...dispute })
  const after = await requirePayment(context, payment.merchantId, payment.id)
  const result = { status: after.status, chargedBackMinor: String(after.chargedBackMinor) }
  return { result, audit: { ...paymentAudit('payment.chargeback', payment), after: { ...result, ...dispute } } }
}

interface BulkCapture {
  readonly payment: PaymentRecord
  readonly actor: Actor
}

/** One of many: a refusal is a result, and the others continue. Each is logged at once. */
export async function captureOneOfMany(context: PanelContext, { payment, actor }: BulkCapture): Promise<JsonObject> {
  try {
    const { result, audit } = await capture(context, payment, undefined)
    await noteAlone(context.pool, context.clock, actor, audit)
    return result
  } catch (error) {
    if (error instanceof RefusedError) return { refused: error.message }
    throw error
  }
}

/** The number of the payment's card. */
export async function openCardNumber({ pool, vault }: PanelContext, payment: PaymentRecord): Promise<Secret<string>> {
  const { merchantId, cardId } = payment
  const card = cardId && (await cardStore(pool).find(merchantId, cardId))
  if (!card) throw notFound()
  return vault.open(merchantId, 'card', card.panSealed)
}

export const paymentAudit = (action: string, { id, merchantId }: PaymentRecord) => ({
  action,
  subject: `payment ${id}`,
  merchantId,
})

function commandResult(action: string, before: PaymentRecord, done: PaymentWithTransaction): CommandResult {
  const result = resultOf(done)
  return { result, audit: { ...paymentAudit(action, before), before: { status: before.status }, after: result } }
}
