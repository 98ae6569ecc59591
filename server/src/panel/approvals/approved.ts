/** Executes an approved request: makes the refund or publishes the rules; a password waits for the requester. */
import { RefusedError } from '../../contracts/refused-error.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'
import { resultOf } from '../payments/payment-commands.ts'
import { makeApprovedRefund } from '../payments/refunds.ts'
import { publishApproved } from '../setup/routing.ts'
import { decideApproval, endApproval, type Requester } from './approvals.ts'

export async function approve(
  context: PanelContext,
  approver: Requester,
  request: ApprovalRow,
  note: string | null,
): Promise<ApprovalRow> {
  // If a process died after the decision, the next approval completes the action.
  const isDecided = request.kind !== 'password-reveal' && request.state === 'approved'
  const approval = isDecided
    ? request
    : await decideApproval(context, approver, request.id, { state: 'approved', note })
  if (approval.kind === 'routing-publish') return publishRules(context, approver, approval)
  if (approval.kind !== 'refund') return approval
  // Decided before it is made, so that of two simultaneous approvals only one makes the refund.
  const end = await outcomeOf(context, approval)
  return (await endApproval(context, approver.actor, approval, end)) ?? approval
}

/** A draft that was changed after the request is not what was approved. */
async function publishRules(context: PanelContext, { actor }: Requester, approval: ApprovalRow): Promise<ApprovalRow> {
  try {
    return await publishApproved(context, actor, approval)
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error
    const end = { state: 'failed', result: { refused: error.message } } as const
    return (await endApproval(context, actor, approval, end)) ?? approval
  }
}

type ApprovalEnd = Parameters<typeof endApproval>[3]

async function outcomeOf(context: PanelContext, approval: ApprovalRow): Promise<ApprovalEnd> {
  try {
    return { state: 'done', result: await makeApprovedRefund(context, approval) }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    // Either another process is making the same refund, or it cannot be made.
    const earlierRefund = await context.operations.recall(approval.merchantId ?? '', approval.id)
    return earlierRefund === null
      ? { state: 'failed', result: { refused: error.message } }
      : { state: 'done', result: resultOf(earlierRefund) }
  }
}
