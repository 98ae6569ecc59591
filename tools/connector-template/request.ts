/** Translates our commands into the acquirer's requests. */
import type { CardData, FollowUp, Order } from '#server/connectors/connector.ts'
import { merchantReference } from '#server/connectors/merchant-reference.ts'
import type { FormFields } from '#server/connectors/wire.ts'

/** An order that is paid by card, with a known amount. */
type CardOrder = Order & { readonly card: CardData; readonly amountMinor: bigint }

export const isCardOrder = (order: Order): order is CardOrder => order.card !== null && order.amountMinor !== null

export function toCharge(kind: 'sale' | 'hold', order: CardOrder): Readonly<Record<string, unknown>> {
  return {
    id: order.transactionId,
    // The acquirer's notifications repeat it.
    merchant_reference: merchantReference(order),
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

export function toStep(followUp: FollowUp): FormFields {
  return {
    id: followUp.transactionId,
    merchant_reference: merchantReference(followUp),
    amount: followUp.amountMinor,
    currency: followUp.currency,
  }
}
