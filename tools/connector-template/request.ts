/** Translates our commands into the acquirer's requests. */
import type { CardData, FollowUp, Order } from '#server/connectors/connector.ts'

/** An order that is paid by card, with a known amount. */
type CardOrder = Order & { readonly card: CardData; readonly amountMinor: bigint }

export const isCardOrder = (order: Order): order is CardOrder => order.card !== null && order.amountMinor !== null

export function toCharge(kind: 'sale' | 'hold', order: CardOrder): Readonly<Record<string, unknown>> {
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
