/** A dispute as Stripe shows it: https://docs.stripe.com/api/disputes/object. */

import { z } from 'zod'
import { utcDay } from '#domain/time.ts'
import type { AcquirerEvent } from '../connector.ts'
import { WireFault } from '../wire.ts'
import type { StripeWire } from './credentials.ts'
import { fromStripeAmount } from './currencies.ts'
import { fetchIntent } from './lookup.ts'

const disputeSchema = z.object({
  id: z.string().min(1),
  object: z.literal('dispute'),
  amount: z.int(),
  currency: z.string(),
  created: z.int(),
  reason: z.string(),
  status: z.string(),
  payment_intent: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  network_reason_code: z.string().nullish(),
  payment_method_details: z
    .object({
      card: z.object({ network_reason_code: z.string().nullish(), case_type: z.string().nullish() }).nullish(),
    })
    .nullish(),
  evidence_details: z.object({ due_by: z.int().nullish() }).nullish(),
})

type Dispute = z.infer<typeof disputeSchema>
type DisputeState = Extract<AcquirerEvent, { kind: 'dispute-changed' }>['state']

/** Null if it is none. */
export const readDispute = (value: unknown): Dispute | null => disputeSchema.safeParse(value).data ?? null

interface DisputeReport {
  readonly reference: string
  readonly at: Date
  readonly type: string
}

export async function readDisputeEvents(
  dispute: Dispute,
  report: DisputeReport,
  wire: StripeWire,
): Promise<readonly AcquirerEvent[]> {
  const { payment_intent: intent } = dispute
  const id = typeof intent === 'string' ? intent : intent?.id
  const paymentId = id === undefined ? undefined : await fetchPaymentId(id, wire)
  return paymentId === undefined ? [] : eventsOf(dispute, report, paymentId)
}

/** Undefined for a payment that is not ours. Stripe sends the notification again where the question failed. */
async function fetchPaymentId(intent: string, wire: StripeWire): Promise<string | undefined> {
  const fetched = await fetchIntent(intent, wire)
  if (fetched.kind === 'unknown') throw new WireFault('The payment of a dispute could not be fetched.', { sent: true })
  return fetched.intent.metadata.payment_id
}

function eventsOf(
  dispute: Dispute,
  { reference, at, type }: DisputeReport,
  paymentId: string,
): readonly AcquirerEvent[] {
  const amountMinor = fromStripeAmount(dispute.amount, dispute.currency)
  const reasonCode = reasonOf(dispute)
  // An inquiry withdraws nothing: only these two events say that money went, and came back.
  if (type === 'charge.dispute.funds_withdrawn') {
    if (amountMinor === null) return []
    const bankDate = utcDay(dispute.created * 1000)
    return [{ kind: 'chargeback', reference: dispute.id, paymentId, amountMinor, at, bankDate, reasonCode }]
  }
  if (type === 'charge.dispute.funds_reinstated') {
    const returned = { reference, chargeback: dispute.id, paymentId, at, amountMinor, mayBeUntaken: false }
    return [{ kind: 'chargeback-returned', ...returned }]
  }
  const state = stateOf(dispute.status, type)
  if (!state) return []
  const due = dispute.evidence_details?.due_by
  const evidenceDueAt = due === null || due === undefined ? null : new Date(due * 1000)
  return [
    {
      kind: 'dispute-changed',
      reference,
      dispute: dispute.id,
      chargeback: dispute.id,
      paymentId,
      at,
      state,
      amountMinor,
      evidenceDueAt,
      reasonCode,
      isInquiry: isInquiry(dispute),
    },
  ]
}

/** It keeps its identifier if it becomes a chargeback. */
const isInquiry = ({ status, payment_method_details }: Dispute): boolean =>
  status.startsWith('warning_') || payment_method_details?.card?.case_type === 'inquiry'

function stateOf(status: string, type: string): DisputeState | null {
  if (type === 'charge.dispute.created') return 'opened'
  return states[status] ?? null
}

const states: Readonly<Record<string, DisputeState>> = {
  needs_response: 'evidence-due',
  warning_needs_response: 'evidence-due',
  appeal_needs_response: 'evidence-due',
  under_review: 'under-review',
  warning_under_review: 'under-review',
  appeal_under_review: 'under-review',
  won: 'won',
  // Nothing was or will be withdrawn.
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}

/** The network's number, where it is known, and Stripe's word. */
function reasonOf({ reason, network_reason_code, payment_method_details }: Dispute): string {
  const number = payment_method_details?.card?.network_reason_code ?? network_reason_code
  return number ? `${number} ${reason}` : reason
}
