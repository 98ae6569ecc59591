/** PayPal's orders into outcomes. An order has no result of its own: that is the capture or the authorisation inside it. */
import type { Outcome } from '../connector.ts'
import type { WireReply } from '../wire.ts'
import { isSuccess, ofAnother, paymentOutcome, toFailure, unknown, unreadable } from './answer.ts'
import { orderSchema, type PaypalOrder } from './resources.ts'

export type FirstStep = 'sale' | 'authorize'

export type OrderReading =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  /** The payer has approved it, and it is not captured or authorised yet. */
  | { readonly kind: 'approved-by-payer'; readonly order: PaypalOrder }

/** `reference` is ours, as the order was sent with it. */
export function readOrder(reply: WireReply, step: FirstStep, reference: string): OrderReading {
  if (!isSuccess(reply)) return decideOrder(toFailure(reply))
  const parsed = orderSchema.safeParse(reply.json())
  if (!parsed.success) return decideOrder(unknown(unreadable))
  const order = parsed.data
  const [unit] = order.purchase_units
  // A short answer to a repeated request has no units: the order is asked about by its id.
  if (unit?.custom_id === undefined) return decideOrder(unknown(undecided, { reference: order.id }))
  if (unit.custom_id !== reference) return decideOrder(unknown(ofAnother))

  const kind = step === 'sale' ? 'capture' : 'authorization'
  const payment = (step === 'sale' ? unit.payments?.captures : unit.payments?.authorizations)?.[0]
  if (payment) return decideOrder(paymentOutcome(kind, payment, { order, open: order.id }))
  return order.status === 'APPROVED' ? { kind: 'approved-by-payer', order } : decideOrder(withoutPayment(order))
}

const undecided = 'The acquirer has not decided yet.'

const decideOrder = (outcome: Outcome): OrderReading => ({ kind: 'outcome', outcome })

export const cancelledByPayer: Outcome = {
  result: 'declined',
  reason: 'Cancelled by the payer',
  declineClass: 'hard',
  facts: {},
}

export const expiredOrder: Outcome = { result: 'declined', reason: 'Expired', declineClass: 'hard', facts: {} }

function withoutPayment(order: PaypalOrder): Outcome {
  const facts = { reference: order.id }
  switch (order.status) {
    case 'PAYER_ACTION_REQUIRED':
    case 'CREATED': {
      const url = pageOf(order)
      if (url === null) return unknown('The answer of the acquirer names no page for the payer.', facts)
      return { result: 'payer-step', step: 'REDIRECT', url, method: 'GET', params: {}, facts }
    }
    case 'VOIDED':
      return expiredOrder
    default:
      return unknown(undecided, facts)
  }
}

function pageOf({ links }: PaypalOrder): string | null {
  const page = links.find(({ rel }) => rel === 'payer-action') ?? links.find(({ rel }) => rel === 'approve')
  return page && /^https?:$/.test(URL.parse(page.href)?.protocol ?? '') ? page.href : null
}
