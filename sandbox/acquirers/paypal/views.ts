/** Orders, authorisations, captures and refunds as PayPal shows them. */
import { dayMs } from '#domain/time.ts'
import { type Capture, minorOf, type Refund, refundedMinor, type StoredOrder } from './order.ts'

type Fields = Readonly<Record<string, unknown>>

const responseOf = (code: string | null): Fields =>
  code === null
    ? { avs_code: 'Y', cvv_code: 'M', response_code: '0000' }
    : { avs_code: 'G', cvv_code: 'P', response_code: code }

/** 15 digits, as Visa has them, derived from PayPal's own id so that they are the same in every answer. */
function networkId(id: string): string {
  const digits = Array.from(id).reduce((sum, letter) => (sum * 31n + BigInt(letter.charCodeAt(0))) % 10n ** 15n, 7n)
  return String(digits).padStart(15, '0')
}

const cardFields = ({ card, rejection }: StoredOrder, id: string): Fields =>
  card
    ? {
        processor_response: responseOf(rejection),
        network_transaction_reference: { id: networkId(id), network: card.brand },
      }
    : {}

export function showAuthorization(order: StoredOrder): Fields | null {
  const { authorization, customId, invoiceId, amount, createdAt } = order
  if (!authorization) return null
  const expires = new Date(Date.parse(createdAt) + 29 * dayMs).toISOString()
  return {
    id: authorization.id,
    status: authorization.status,
    amount,
    ...(customId && { custom_id: customId }),
    ...(invoiceId && { invoice_id: invoiceId }),
    expiration_time: expires,
    ...cardFields(order, authorization.id),
    supplementary_data: { related_ids: { order_id: order.id } },
  }
}

export function showCapture(order: StoredOrder, capture: Capture): Fields {
  const refunded = refundedMinor(capture)
  const isRefunded = refunded > 0n
  const status = !isRefunded ? capture.status : refunded < minorOf(capture.amount) ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
  return {
    id: capture.id,
    status,
    amount: capture.amount,
    ...(order.customId && { custom_id: order.customId }),
    ...(capture.invoiceId && { invoice_id: capture.invoiceId }),
    final_capture: true,
    ...cardFields(order, capture.id),
    supplementary_data: {
      related_ids: { order_id: order.id, ...(order.authorization && { authorization_id: order.authorization.id }) },
    },
  }
}

export const showRefund = ({ id, amount, invoiceId, customId }: Refund): Fields => ({
  id,
  status: 'COMPLETED',
  amount,
  ...(customId && { custom_id: customId }),
  ...(invoiceId && { invoice_id: invoiceId }),
})

const cardSource = ({ card }: StoredOrder): Fields =>
  card
    ? {
        card: {
          last_digits: card.lastDigits,
          brand: card.brand,
          type: 'CREDIT',
          ...(card.authentication && {
            authentication_result: {
              liability_shift: card.authentication === 'Y' ? 'POSSIBLE' : 'NO',
              three_d_secure: { enrollment_status: 'Y', authentication_status: card.authentication },
            },
          }),
          ...(card.vaultId && { attributes: { vault: { id: card.vaultId, status: 'VAULTED' } } }),
        },
      }
    : { paypal: { account_status: 'VERIFIED' } }

/** `base` is this program's address, as the client knows it. */
export function showOrder(order: StoredOrder, base: string): Fields {
  const authorization = showAuthorization(order)
  const captures = order.captures.map((capture) => showCapture(order, capture))
  return {
    id: order.id,
    intent: order.intent,
    status: order.status,
    payment_source: cardSource(order),
    purchase_units: [
      {
        reference_id: order.referenceId,
        amount: order.amount,
        ...(order.customId && { custom_id: order.customId }),
        ...(order.invoiceId && { invoice_id: order.invoiceId }),
        ...((authorization || captures.length > 0) && {
          payments: {
            ...(authorization && { authorizations: [authorization] }),
            ...(captures.length > 0 && { captures }),
          },
        }),
      },
    ],
    create_time: order.createdAt,
    links: [
      { href: `${base}/v2/checkout/orders/${order.id}`, rel: 'self', method: 'GET' },
      ...(order.status === 'PAYER_ACTION_REQUIRED'
        ? [{ href: `${base}/pages/${order.pageKey}`, rel: 'payer-action', method: 'GET' }]
        : []),
    ],
  }
}
