/** Executes an approved request, by its kind. A password that may be revealed waits for the requester. */
import { RefusedError } from '../../contracts/refused-error.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type ApprovalRow, approvalStore } from '../../store/people/approvals.ts'
import { requireResetter, resetApproved } from '../access/factor-reset.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { AdminContext } from '../context.ts'
import { carryOutDecision } from '../finance/approved-decision.ts'
import { bookCorrection } from '../finance/corrections.ts'
import { resolveApproved } from '../finance/differences.ts'
import { changeApprovedAccount } from '../finance/payout-accounts.ts'
import { sendApproved } from '../finance/payout-runs.ts'
import type { PanelContext } from '../panel-context.ts'
import { resultOf } from '../payments/payment-commands.ts'
import { makeApprovedRefund } from '../payments/refunds.ts'
import { publishApproved } from '../setup/routing.ts'
import { decideApproval, endApproval, endApprovalIn, type Requester } from './approvals.ts'

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
      return carryOut(context, approver, approval, (inside) =>
        resolveApproved(inside, context.operations, approver.actor, approval),
      )
    case 'factor-reset':
      return carryOut(context, approver, approval, (inside) => resetApproved(inside, approver, approval))
    case 'payout-run':
      return carryOut(context, approver, approval, (inside) => sendApproved(inside, approver.actor, approval))
    case 'correction':
      return carryOut(context, approver, approval, (inside) => bookCorrection(inside, approver.actor, approval))
    case 'payout-account':
      return carryOut(context, approver, approval, (inside) => changeApprovedAccount(inside, approver.actor, approval))
  }
}

/** The action and its end are one transaction, so that of two approvals at once the second finds the end of the first. */
const carryOut = (
  context: PanelContext,
  { actor }: Requester,
  approval: ApprovalRow,
  action: (inside: AdminContext) => Promise<ApprovalEnd>,
): Promise<ApprovalRow> =>
  inTransaction(context.pool, async (client) => {
    const present = await approvalStore(client).lock(approval.id)
    if (present?.state !== 'approved') return present ?? approval
    const end = await action({ ...context, pool: client })
    return (await endApprovalIn(client, context, actor, { approval: present, end })) ?? present
  })

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
async function publishRules(context: PanelContext, approver: Requester, approval: ApprovalRow): Promise<ApprovalRow> {
  try {
    return await publishApproved(context, approver.actor, approval)
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error
    return endWith(context, approver, approval, { state: 'failed', result: { refused: error.message } })
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
