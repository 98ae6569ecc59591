/** New payments as they are first written, for tests of the store itself. */
import { randomUUID } from 'node:crypto'
import { newPayment } from '#domain/payment/payment.ts'
import type { Opening, PaymentRecord } from '#server/contracts/records.ts'

export const at = new Date('2026-03-01T10:00:00Z')

/** A sale of 10.00 EUR for which no acquirer was asked yet. */
export function newOpening(changes: Partial<Opening> = {}, of: Partial<PaymentRecord> = {}): Opening {
  const merchantId = of.merchantId ?? randomUUID()
  const id = randomUUID()
  const transactionId = randomUUID()
  const midId = randomUUID()
  const payment: PaymentRecord = {
    ...newPayment({ kind: 'sale', amountMinor: 1000n, holds: false, recurring: false }),
    merchantId,
    id,
    version: 1,
    protocol: 'CHECKOUT',
    action: 'SALE',
    mode: 'test',
    orderId: 'order-1',
    orderDescription: 'A book',
    amountDecimals: 2,
    currency: 'EUR',
    declineReason: null,
    midId,
    mappingId: null,
    channel: null,
    routing: null,
    cardId: null,
    pan10: null,
    cardMask: null,
    cardExpiry: null,
    cardSource: null,
    cardToken: null,
    payerEmail: null,
    payerIp: null,
    payer: {},
    payee: {},
    customData: null,
    parameters: null,
    facts: {},
    language: 'en',
    callbackUrl: null,
    aloneInOrder: false,
    firstTransaction: transactionId,
    reference: null,
    openTransaction: transactionId,
    chainId: null,
    subscriptionId: null,
    planDate: null,
    sessionId: null,
    cascadeId: null,
    attempt: 1,
    cascading: null,
    createdAt: at,
    updatedAt: at,
    ...of,
  }
  return {
    payment,
    card: null,
    transaction: {
      merchantId,
      paymentId: payment.id,
      id: transactionId,
      type: 'SALE',
      state: 'sent',
      amountMinor: payment.amountMinor,
      midId,
      reference: null,
      parameters: null,
      facts: {},
      declineReason: null,
      declineClass: null,
      creditvoidId: null,
      useId: null,
      asks: 0,
      createdAt: at,
      endedAt: null,
    },
    sending: { sentBy: 1, inFlightMs: 0 },
    ...changes,
  }
}
