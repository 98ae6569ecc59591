/** Executes an approved request, by its kind. A password that may be revealed waits for the requester. */
import { RefusedError } from '../../contracts/refused-error.ts'
import { type ApprovalRow, approvalStore } from '../../store/people/approvals.ts'
import { requireResetter, resetApproved } from '../access/factor-reset.ts'
import { AdminRefused } from '../admin-refused.ts'
import { carryOutDecision } from '../finance/approved-decision.ts'
import { bookCorrection } from '../finance/corrections.ts'
import { resolveApproved } from '../finance/differences.ts'
import { changeApprovedAccount } from '../finance/payout-accounts.ts'
import { sendApproved } from '../finance/payout-runs.ts'
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
  if (request.kind === 'factor-reset') await requireResetter(context, approver, request)
  const approval = isDecided
    ? request
    : await decideApproval(context, approver, request.id, { state: 'approved', note })
  switch (approval.kind) {
    case 'password-reveal':
      return approval
    case 'routing-publish':
      return publishRules(context, approver, approval)
    // Decided before it is carried out, so that of two simultaneous approvals only one does it.
    case 'refund':
      return endWith(context, approver, approval, await makeRefund(context, approval))
    case 'outcome':
    case 'give-back':
      return endWith(context, approver, approval, await carryOutDecision(context, approver.actor, approval))
    case 'difference':
      return endWith(context, approver, approval, await resolveApproved(context, approver.actor, approval))
    case 'factor-reset':
      return endWith(context, approver, approval, await resetApproved(context, approver, approval))
    case 'payout-run':
      return endWith(context, approver, approval, await sendApproved(context, approver.actor, approval))
    case 'correction':
      return endWith(context, approver, approval, await bookCorrection(context, approver.actor, approval))
    case 'payout-account':
      return endWith(context, approver, approval, await changeApprovedAccount(context, approver.actor, approval))
  }
}

const endWith = async (
  context: PanelContext,
  { actor }: Requester,
  approval: ApprovalRow,
  end: ApprovalEnd,
): Promise<ApprovalRow> =>
  (await endApproval(context, actor, approval, end)) ??
  (await approvalStore(context.pool).find(approval.id)) ??
  approval

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

async function makeRefund(context: PanelContext, approval: ApprovalRow): Promise<ApprovalEnd> {
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
