/** What webhooks of Checkout.com report, as events. Money moves by what the acquirer answers when it is asked; a webhook says when to ask. */
import { z } from 'zod'
import type { AcquirerEvent } from '../connector.ts'
import { readMerchantReference } from '../merchant-reference.ts'
import { toDisputeEvents } from './dispute-events.ts'
import type { Webhook } from './webhook.ts'

/** Each ends a transaction of ours, well or badly. */
const decisions: ReadonlySet<string> = new Set([
  'payment_approved',
  'payment_declined',
  'payment_canceled',
  'payment_expired',
  'payment_paid',
  'payment_captured',
  'payment_capture_declined',
  'payment_refunded',
  'payment_refund_declined',
  'payment_voided',
  'payment_void_declined',
  'payment_returned',
  'payment_authentication_failed',
  'card_verified',
  'card_verification_declined',
])

/** Empty if the webhook reports nothing that changes a payment of ours. */
export function toEvents(webhook: Webhook): readonly AcquirerEvent[] {
  if (decisions.has(webhook.type)) return toDecision(webhook)
  return webhook.type.startsWith('dispute_') ? toDisputeEvents(webhook) : []
}

const paymentData = z.object({
  reference: z.string(),
  processing: z
    .object({ acquirer_reference_number: z.string().min(1).max(40).optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

function toDecision({ id, at, data }: Webhook): readonly AcquirerEvent[] {
  const { data: payment } = paymentData.safeParse(data)
  const key = payment && readMerchantReference(payment.reference)
  if (!key) return []
  const arn = payment.processing?.acquirer_reference_number
  return [
    { kind: 'decided', reference: id, ...key, at },
    ...(arn === undefined ? [] : [{ kind: 'arn', reference: `${id}.arn`, ...key, at, arn } as const]),
  ]
}
