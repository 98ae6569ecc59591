/** Stripe's events in our words: https://docs.stripe.com/api/events. A dispute names only the intent, which is fetched for our ids. */
import { z } from 'zod'
import type { AcquirerEvent } from '../connector.ts'
import type { NotificationReading, NotificationRequest } from '../notification.ts'
import type { StripeWire } from './credentials.ts'
import { fromStripeAmount } from './currencies.ts'
import { readDispute, readDisputeEvents } from './dispute.ts'
import { type Intent, readIntent } from './intent.ts'
import { type Refund, readRefund } from './refund.ts'
import { verifySignature } from './signature.ts'

const eventSchema = z.object({
  id: z.string().min(1).max(255),
  object: z.literal('event'),
  type: z.string(),
  created: z.int(),
  data: z.object({ object: z.unknown() }),
})

interface EventHead {
  readonly reference: string
  readonly at: Date
}

export async function readNotification(request: NotificationRequest, wire: StripeWire): Promise<NotificationReading> {
  const { webhook_secret, webhook_secret_previous } = wire.credentials
  const secrets = [webhook_secret, webhook_secret_previous].filter((secret) => secret !== undefined)
  const reason = verifySignature(request, secrets)
  if (reason !== null) return { kind: 'unverified', reason }
  const event = readEvent(request.body)
  if (!event) return { kind: 'unverified', reason: 'The notification is not an event.' }
  const head = { reference: event.id, at: new Date(event.created * 1000) }
  const events = await readEvents(event.type, event.data.object, head, wire)
  return events.length > 0 ? { kind: 'verified', id: event.id, events } : { kind: 'ignored', id: event.id }
}

export function readEvent(body: Buffer): z.infer<typeof eventSchema> | null {
  try {
    return eventSchema.safeParse(JSON.parse(body.toString('utf8'))).data ?? null
  } catch {
    return null
  }
}

async function readEvents(
  type: string,
  object: unknown,
  head: EventHead,
  wire: StripeWire,
): Promise<readonly AcquirerEvent[]> {
  switch (type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
    case 'setup_intent.succeeded':
    case 'setup_intent.setup_failed':
    case 'setup_intent.canceled': {
      const intent = readIntent(object)
      return intent ? intentEvents(intent, head) : []
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated': {
      const refund = readRefund(object)
      return refund ? refundEvents(refund, head) : []
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const dispute = readDispute(object)
      return dispute ? readDisputeEvents(dispute, { ...head, type }, wire) : []
    }
    default:
      return []
  }
}

/** Metadata without our ids: the account also serves payments that are not ours. */
function intentEvents(intent: Intent, head: EventHead): readonly AcquirerEvent[] {
  const { payment_id: paymentId, transaction_id: transactionId, capture_transaction_id: captureId } = intent.metadata
  if (!paymentId || !transactionId) return []
  const common = { ...head, paymentId }
  const decided = { ...common, kind: 'decided', transactionId } as const
  if (intent.status === 'canceled' && isLapse(intent)) return [{ ...common, kind: 'lapse' }]
  if (intent.status !== 'succeeded' || !intent.isCapturedByCommand) return [decided]
  if (captureId) return [{ ...decided, transactionId: captureId }]
  const amountMinor = fromStripeAmount(intent.amountReceived, intent.currency ?? '')
  return amountMinor === null ? [] : [{ ...common, kind: 'captured', transactionId, amountMinor }]
}

/** Stripe ends a hold by itself when its time is over. Of an intent that was never authorised the outcome is asked. */
const isLapse = ({ isCapturedByCommand, cancellationReason, wasTried, error }: Intent): boolean =>
  isCapturedByCommand &&
  (cancellationReason === 'automatic' || cancellationReason === 'expired') &&
  wasTried &&
  error === null

function refundEvents(refund: Refund, head: EventHead): readonly AcquirerEvent[] {
  const { payment_id: paymentId, transaction_id: transactionId } = refund.metadata
  if (!paymentId || !transactionId) return []
  const common = { ...head, paymentId, transactionId }
  if (refund.status === 'failed') return [{ ...common, kind: 'refund-failed', reason: refund.failureReason }]
  const decided: AcquirerEvent = { ...common, kind: 'decided' }
  return refund.arn
    ? [decided, { ...common, kind: 'arn', reference: `${head.reference}/arn`, arn: refund.arn }]
    : [decided]
}
