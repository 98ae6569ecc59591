/**
 * A chargeback that people decide: two of them, because money follows, and the acquirer may decide otherwise later. Where the connector reports decisions, only if its
 * report is missing. Chapter 70 §4, decisions/disputes#decided-by-people.
 */
import { z } from 'zod'
import { isClosed } from '#domain/dispute/dispute.ts'
import { formatAmount } from '#domain/money/money.ts'
import { type DisputeRow, disputeStore } from '../../store/finance/disputes/disputes.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import { AdminRefused, invalid } from '../admin-refused.ts'
import { askApproval, type endApproval, type Requester } from '../approvals/approvals.ts'
import { noteAlone } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { type DisputeContext, decisionSubject, findAnswering, refuseDecided, requireDispute } from './disputes.ts'

export const disputeDecisions = ['won', 'lost'] as const

interface DecisionWish {
  readonly decision: (typeof disputeDecisions)[number]
  readonly reason: string
  readonly evidence: string
  /** The requester knows the decision from the acquirer, which has not reported it. */
  readonly isReportMissing: boolean
}

export async function askDisputeDecision(
  context: AdminContext & DisputeContext,
  asker: Requester,
  { merchantId, id }: Pick<DisputeRow, 'merchantId' | 'id'>,
  { decision, reason, evidence, isReportMissing }: DecisionWish,
): Promise<ApprovalRow> {
  const dispute = await requireDispute(context, merchantId, id)
  if (isClosed(dispute.stage)) throw refuseDecided()
  if (!dispute.isChargedBack)
    throw invalid('decision', 'No money was taken. Set the stage of the inquiry, which needs no second person.')
  const { title, reportsDecisions } = findAnswering(context, dispute)
  if (reportsDecisions && !isReportMissing)
    throw new AdminRefused('refused', {
      message: `${title} reports who wins a dispute. If it has decided and its report is missing, say so in the request.`,
    })
  const { paymentId, reference, amountMinor, currency, amountDecimals } = dispute
  const amount = `${formatAmount(amountMinor, currency, amountDecimals)} ${currency}`
  return askApproval(context, asker, {
    kind: 'dispute',
    merchantId,
    subject: decisionSubject(id),
    request: { disputeId: id, paymentId, reference, decision, evidence, amount, isReportMissing: reportsDecisions },
    reason,
  })
}

// Stored by `askDisputeDecision`.
const requestSchema = z.object({ disputeId: z.uuid(), paymentId: z.uuid(), decision: z.enum(disputeDecisions) })

/** Again after a crash it finds the dispute decided. */
export async function decideDispute(
  context: PanelContext,
  actor: Actor,
  { merchantId, request }: ApprovalRow,
): Promise<Parameters<typeof endApproval>[3]> {
  const { disputeId, paymentId, decision } = requestSchema.parse(request)
  const before = await disputeStore(context.pool).find(merchantId ?? '', disputeId)
  if (before === null) return refuse('The dispute does not exist any more.')
  const refused = isClosed(before.stage) ? null : await close(context, before, decision)
  if (refused !== null) return refuse(refused)
  const { stage, returnedMinor } = (await disputeStore(context.pool).find(before.merchantId, disputeId)) ?? before
  if (stage !== decision) return refuse(`The dispute is ${stage} by now, as the acquirer has reported.`)
  const after = { stage, paymentId, returnedMinor: String(returnedMinor) }
  await noteAlone(context.pool, context.clock, actor, {
    action: 'dispute.decide',
    subject: `dispute ${disputeId}`,
    merchantId,
    before: { stage: before.stage },
    after,
  })
  return { state: 'done', result: after }
}

/** Why it could not be done; null if it was, or if a report came first. */
async function close(
  { operations, pool, clock }: PanelContext,
  dispute: DisputeRow,
  decision: DecisionWish['decision'],
): Promise<string | null> {
  const { merchantId, id, paymentId, amountMinor, answer, answeredAt, dueOn } = dispute
  // The stage is written with the money. What the acquirer has returned already stays as it is.
  if (decision === 'won' && dispute.returnedAt === null) {
    const payment = await operations.find(merchantId, paymentId)
    if (payment && (await operations.returnChargeback(payment, { disputeId: id, amountMinor, isWon: true })))
      return null
    const after = await disputeStore(pool).find(merchantId, id)
    return after && isClosed(after.stage) ? null : 'The amount of the dispute is not charged back. Look at the payment.'
  }
  const change = { merchantId, id, stage: decision, answer, answeredAt, dueOn, at: clock.now(), answerBefore: answer }
  if (await disputeStore(pool).change(change)) return null
  const after = await disputeStore(pool).find(merchantId, id)
  return after && isClosed(after.stage) ? null : 'The dispute was answered at the same moment. Request it again.'
}

const refuse = (refused: string) => ({ state: 'failed' as const, result: { refused } })
