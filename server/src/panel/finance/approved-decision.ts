/** Carries out what a second person approved: the outcome of a transaction, or the record that money was given back. Chapter 70 §1. */
import { z } from 'zod'
import type { HandDecision } from '../../contracts/hand-decision.ts'
import type { HandResult } from '../../payments/commands/decide-by-hand.ts'
import { resolveOutcomeAlerts, unresolvedList } from '../../store/finance/unresolved-list.ts'
import { alertLog } from '../../store/instance/alert-log.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import type { endApproval } from '../approvals/approvals.ts'
import { noteAlone } from '../audit/audit.ts'
import type { Actor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { resultOf } from '../payments/payment-commands.ts'

type ApprovalEnd = Parameters<typeof endApproval>[3]

// Stored by `unresolved.ts`.
const requestSchema = z.object({
  paymentId: z.uuid(),
  transactionId: z.uuid().optional(),
  alertId: z.uuid().optional(),
  decision: z.enum(['executed', 'not-executed', 'given-back']),
  evidence: z.string(),
  reference: z.string().nullable().default(null),
  amountMinor: z.string().transform(BigInt).nullable().default(null),
  date: z.string().nullable().default(null),
})
type Request = z.output<typeof requestSchema>

export async function carryOutDecision(
  context: PanelContext,
  actor: Actor,
  approval: ApprovalRow,
): Promise<ApprovalEnd> {
  const request = requestSchema.parse(approval.request)
  if (await isReturnedBefore(context, approval, request))
    return { state: 'failed', result: { refused: 'The money was recorded as given back by another request.' } }
  const result = await decide(context, approval, request)
  if (result.kind === 'refused') return { state: 'failed', result: { refused: result.reason } }
  await resolveAlerts(context, approval, request)
  const after = { ...resultOf(result), byHand: { ...request, amountMinor: String(request.amountMinor) } }
  const merchantId = approval.merchantId
  const action = request.decision === 'given-back' ? 'payment.give-back' : 'payment.decide'
  await noteAlone(context.pool, context.clock, actor, {
    action,
    subject: `payment ${request.paymentId}`,
    merchantId,
    after,
  })
  return { state: 'done', result: resultOf(result) }
}

/** A second record of the same money would say that twice as much was given back. What this approval recorded is its own, and found again. */
async function isReturnedBefore(
  { operations, pool }: PanelContext,
  { id, merchantId, askedAt }: ApprovalRow,
  { decision, alertId, paymentId }: Request,
): Promise<boolean> {
  if (decision !== 'given-back' || alertId === undefined || merchantId === null) return false
  if ((await unresolvedList(pool, [merchantId]).findOwedReturn(alertId)) !== null) return false
  const payment = await operations.find(merchantId, paymentId)
  const transactions = payment === null ? [] : await operations.listTransactions(payment)
  const records = transactions.filter(({ facts }) => facts.byHand?.decision === 'given-back')
  const isOwn = records.some(({ facts }) => facts.byHand?.approvalId === id)
  return !isOwn && records.some(({ createdAt }) => createdAt >= askedAt)
}

function decide({ operations }: PanelContext, approval: ApprovalRow, request: Request): Promise<HandResult> {
  const { decision, evidence, date, paymentId, transactionId, reference, amountMinor } = request
  const byHand: HandDecision = { decision, approvalId: approval.id, reason: approval.reason, evidence, date }
  const place = { merchantId: approval.merchantId ?? '', paymentId, byHand }
  if (decision === 'given-back')
    return operations.recordGiveBack({ ...place, reference: reference ?? '', amountMinor: amountMinor ?? 0n })
  return operations.decideByHand({ ...place, transactionId: transactionId ?? '', reference, amountMinor })
}

async function resolveAlerts({ pool, clock }: PanelContext, approval: ApprovalRow, request: Request): Promise<void> {
  const at = clock.now()
  if (request.alertId !== undefined) await alertLog(pool).resolve(request.alertId, at)
  else await resolveOutcomeAlerts(pool, { merchantId: approval.merchantId ?? '', paymentId: request.paymentId, at })
}
