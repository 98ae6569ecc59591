/** PayPal's disputes: a buyer's complaint at PayPal, or a chargeback at the bank. The money follows in a webhook of its own. */
import { z } from 'zod'
import { readMerchantReference } from '../merchant-reference.ts'
import type { AcquirerEvent } from '../reports.ts'
import { fromMoney } from './currencies.ts'
import { moneySchema } from './resources.ts'
import type { Webhook } from './webhook.ts'

const disputeSchema = z.object({
  dispute_id: z.string().min(1),
  status: z.string().optional(),
  reason: z.string().optional(),
  dispute_amount: moneySchema.optional(),
  seller_response_due_date: z.iso.datetime({ offset: true }).optional(),
  dispute_outcome: z.object({ outcome_code: z.string().optional() }).optional(),
  disputed_transactions: z
    .array(z.object({ custom: z.string().optional(), invoice_number: z.string().optional() }))
    .min(1),
})

type Dispute = z.infer<typeof disputeSchema>
type DisputeChange = Extract<AcquirerEvent, { kind: 'dispute-changed' }>

export function readDispute({ id, type, at, resource }: Webhook): readonly AcquirerEvent[] | null {
  const dispute = disputeSchema.safeParse(resource).data
  const [transaction] = dispute?.disputed_transactions ?? []
  const ids =
    readMerchantReference(transaction?.custom ?? '') ?? readMerchantReference(transaction?.invoice_number ?? '')
  if (!dispute || !ids) return null
  const due = dispute.seller_response_due_date
  const amountMinor = dispute.dispute_amount ? fromMoney(dispute.dispute_amount) : null
  // PayPal reports the reversal of the capture by itself, without the number of the dispute.
  const about = { reference: id, chargeback: null, paymentId: ids.paymentId, at, amountMinor }
  const state = stateOf(type, dispute)
  const changed: AcquirerEvent = {
    kind: 'dispute-changed',
    ...about,
    dispute: dispute.dispute_id,
    state,
    evidenceDueAt: due === undefined ? null : new Date(due),
    reasonCode: dispute.reason ?? 'OTHER',
  }
  // With a PayPal account the money is taken only when the case is lost.
  return state === 'won' ? [{ kind: 'chargeback-returned', ...about, mayBeUntaken: true }, changed] : [changed]
}

const wonOutcomes: ReadonlySet<string> = new Set([
  'RESOLVED_SELLER_FAVOUR',
  'RESOLVED_WITH_PAYOUT',
  'CANCELED_BY_BUYER',
  'DENIED',
])

function stateOf(type: string, { status, dispute_outcome: outcome }: Dispute): DisputeChange['state'] {
  if (type === 'CUSTOMER.DISPUTE.RESOLVED' || status === 'RESOLVED')
    return wonOutcomes.has(outcome?.outcome_code ?? '') ? 'won' : 'lost'
  if (status === 'WAITING_FOR_SELLER_RESPONSE') return 'evidence-due'
  if (type === 'CUSTOMER.DISPUTE.CREATED') return 'opened'
  return 'under-review'
}
