/** The objects that Stripe's API shows. */
import type { DisputeRecord, IntentRecord, RefundRecord } from './records.ts'

type Shown = Readonly<Record<string, unknown>>

/** `expanded`: the charge or the attempt as an object and not as its id. */
export function showIntent(intent: IntentRecord, expanded: boolean): Shown {
  const { id, object, created, status, metadata, paymentMethod, customer, cancellationReason, error, page } = intent
  const isPayment = object === 'payment_intent'
  const attempt = intent.charge && (expanded ? attemptOf(intent, intent.charge) : intent.charge)
  return {
    id,
    object,
    client_secret: `${id}_secret_${id.slice(-8)}`,
    created,
    status,
    metadata,
    livemode: intent.account === 'live',
    payment_method: status === 'requires_payment_method' ? null : paymentMethod,
    payment_method_types: ['card'],
    customer,
    cancellation_reason: cancellationReason,
    next_action:
      status === 'requires_action' && page
        ? { type: 'redirect_to_url', redirect_to_url: { url: page.url, return_url: page.returnUrl } }
        : null,
    ...(isPayment
      ? {
          amount: intent.amount,
          amount_capturable: status === 'requires_capture' ? intent.amount : 0,
          amount_received: intent.amountReceived,
          currency: intent.currency,
          capture_method: intent.captureMethod,
          last_payment_error: error,
          latest_charge: attempt,
        }
      : { usage: 'off_session', last_setup_error: error, latest_attempt: attempt }),
  }
}

function attemptOf(intent: IntentRecord, id: string): Shown {
  const { status, amount, currency, lastFour, hasCvc, error } = intent
  const checks = { address_line1_check: null, address_postal_code_check: null, cvc_check: hasCvc ? 'pass' : null }
  const isGood = error === null
  return {
    id,
    object: intent.object === 'payment_intent' ? 'charge' : 'setup_attempt',
    amount,
    currency,
    captured: status === 'succeeded',
    status: isGood ? 'succeeded' : 'failed',
    calculated_statement_descriptor: 'STAND-IN',
    payment_method_details: {
      type: 'card',
      card: {
        authorization_code: isGood ? digitsOf(id, 6) : null,
        network_transaction_id: isGood ? digitsOf(id, 15) : null,
        country: 'US',
        last4: lastFour,
        checks,
      },
    },
  }
}

/** The same digits for the same id. */
const digitsOf = (id: string, length: number): string =>
  Array.from(id, (sign) => sign.charCodeAt(0) % 10)
    .join('')
    .slice(-length)

export const showRefund = ({
  id,
  object,
  amount,
  charge,
  currency,
  created,
  intent,
  metadata,
  status,
}: RefundRecord): Shown => ({
  id,
  object,
  amount,
  charge,
  currency,
  created,
  payment_intent: intent,
  metadata,
  status,
  reason: null,
  ...(status === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
  destination_details: {
    type: 'card',
    card:
      status === 'succeeded'
        ? {
            type: 'refund',
            reference: `7${digitsOf(id, 22)}`,
            reference_status: 'available',
            reference_type: 'acquirer_reference_number',
          }
        : { type: 'pending' },
  },
})

export const showDispute = ({
  id,
  object,
  amount,
  charge,
  currency,
  created,
  intent,
  reason,
  status,
  isInquiry,
}: DisputeRecord): Shown => ({
  id,
  object,
  amount,
  charge,
  currency,
  created,
  payment_intent: intent,
  reason,
  status,
  metadata: {},
  evidence_details: { due_by: created + 9 * 86_400, has_evidence: false, past_due: false, submission_count: 0 },
  payment_method_details: {
    type: 'card',
    card: {
      brand: 'visa',
      network_reason_code: '10.4',
      case_type: isInquiry ? 'inquiry' : 'chargeback',
    },
  },
})
