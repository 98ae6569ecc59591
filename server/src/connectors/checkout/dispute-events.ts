/** Disputes as webhooks of Checkout.com report them. */
import { z } from 'zod'
import type { AcquirerEvent } from '../connector.ts'
import { readMerchantReference } from '../merchant-reference.ts'
import { checkoutAmounts } from './currencies.ts'
import type { Webhook } from './webhook.ts'

type DisputeState = Extract<AcquirerEvent, { kind: 'dispute-changed' }>['state']

// biome-ignore format: a table is read in columns.
const states: Readonly<Record<string, DisputeState>> = {
  // webhook                                     the dispute is
  dispute_received:                              'opened',
  dispute_evidence_required:                     'evidence-due',
  dispute_evidence_submitted:                    'under-review',
  dispute_evidence_acknowledged_by_scheme:       'under-review',
  dispute_arbitration_sent_to_scheme:            'pre-arbitration',
  dispute_arbitration_evidence_submitted:        'pre-arbitration',
  dispute_won:                                   'won',
  dispute_arbitration_won:                       'won',
  dispute_canceled:                              'won',
  // The payment was refunded before, so that nothing is taken.
  dispute_resolved:                              'won',
  dispute_lost:                                  'lost',
  dispute_arbitration_lost:                      'lost',
  dispute_accepted:                              'lost',
  dispute_expired:                               'lost',
}

const disputeSchema = z.object({
  id: z.string().min(1).max(100),
  payment_reference: z.string(),
  amount: z.int().nonnegative(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  date: z.iso.datetime({ offset: true }).optional().catch(undefined),
  category: z.string().max(100).optional().catch(undefined),
  reason_code: z.string().max(40).optional().catch(undefined),
  evidence_required_by: z.iso.datetime({ offset: true }).optional().catch(undefined),
})

export function toDisputeEvents({ id, type, at, data }: Webhook): readonly AcquirerEvent[] {
  const state = states[type]
  const { data: dispute } = disputeSchema.safeParse(data)
  const key = dispute && readMerchantReference(dispute.payment_reference)
  if (!state || !key) return []
  const { paymentId } = key
  const amountMinor = amountOf(dispute)
  const reasonCode = [dispute.reason_code, dispute.category].filter(Boolean).join(' ') || 'unknown'
  const evidenceDueAt = dispute.evidence_required_by ? new Date(dispute.evidence_required_by) : null
  const change: AcquirerEvent = {
    kind: 'dispute-changed',
    reference: id,
    dispute: dispute.id,
    chargeback: dispute.id,
    paymentId,
    at,
    state,
    amountMinor,
    evidenceDueAt,
    reasonCode,
  }
  if (state === 'won') {
    // Checkout.com cancels and resolves disputes before it takes the amount, too.
    const mayBeUntaken = !type.endsWith('won')
    const returned = { reference: id, chargeback: dispute.id, paymentId, at, amountMinor, mayBeUntaken }
    return [{ kind: 'chargeback-returned', ...returned }, change]
  }
  // The amount is taken from the account when evidence is asked for, once per dispute.
  if (state !== 'evidence-due' || amountMinor === null) return [change]
  const bankDate = (dispute.date ?? at.toISOString()).slice(0, 10)
  return [{ kind: 'chargeback', reference: dispute.id, paymentId, amountMinor, at, bankDate, reasonCode }, change]
}

/** Null in a currency that we do not know: a report must not fail on it. */
function amountOf({ amount, currency }: { readonly amount: number; readonly currency: string }): bigint | null {
  try {
    return checkoutAmounts.fromAcquirer(BigInt(amount), currency)
  } catch {
    return null
  }
}
