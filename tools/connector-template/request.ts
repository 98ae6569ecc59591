/** Our words into those of the acquirer. */
import type { FollowUp, Order } from '#server/connectors/connector.ts'

export function toCharge(kind: 'sale' | 'hold', order: Order): Readonly<Record<string, unknown>> {
  return {
    id: order.transactionId,
    kind,
    order: order.orderId,
    amount: String(order.amountMinor),
    currency: order.currency,
    card: {
      number: order.card.number.reveal(),
      month: order.card.expiryMonth,
      year: order.card.expiryYear,
      ...(order.card.verificationCode && { code: order.card.verificationCode.reveal() }),
    },
    ...(order.payerIp && { ip: order.payerIp }),
    ...(order.moto && { moto: true }),
  }
}

export function toStep(followUp: FollowUp): Readonly<Record<string, unknown>> {
  return { id: followUp.transactionId, amount: String(followUp.amountMinor), currency: followUp.currency }
}
