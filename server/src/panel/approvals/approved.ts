/** Executes an approved request, by its kind. A password that may be revealed waits for the requester. */
import { RefusedError } from '../../contracts/refused-error.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { runWithApprovalLock } from '../../store/people/approval-lock.ts'
import { type ApprovalRow, approvalStore } from '../../store/people/approvals.ts'
import { requireResetter, resetApproved } from '../access/factor-reset.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { AdminContext } from '../context.ts'
import { carryOutDecision } from '../finance/approved-decision.ts'
import { bookCorrection } from '../finance/corrections.ts'
import { resolveApproved } from '../finance/differences.ts'
import { decideDispute } from '../finance/dispute-decision.ts'
import { changeApprovedAccount } from '../finance/payouts/payout-accounts.ts'
import { sendApproved } from '../finance/payouts/payout-runs.ts'
import type { PanelContext } from '../panel-context.ts'
import { resultOf } from '../payments/payment-commands.ts'
import { makeApprovedRefund } from '../payments/refunds.ts'
import { publishApproved } from '../setup/routing.ts'
import { decideApproval, endApproval, endApprovalIn, type Requester } from './approvals.ts'
import { requireOneRelease } from './one-release.ts'
import { giveApprovedRights, requireGranter } from './rights-approval.ts'

export async function approve(
  context: PanelContext,
  approver: Requester,
  request: ApprovalRow,
  note: string | null,
): Promise<ApprovalRow> {
  // If a process died after the decision, the next approval completes the action, by the rules of each kind.
  const isDecided = request.kind !== 'password-reveal' && request.state === 'approved'
  if (request.kind === 'factor-reset') await requireResetter(context, approver, request)
  if (request.kind === 'user-rights') await requireGranter(context, approver, request)
  const approval = isDecided
    ? request
    : await decideApproval(context, approver, request.id, { state: 'approved', note })
  if (isDecided) await requireOneRelease(context, approval)
  switch (approval.kind) {
    case 'password-reveal':
      return approval
    case 'routing-publish':
      return publishRules(context, approver, approval)
    case 'refund':
      return executeWithLock(context, approver, approval, () => makeRefund(context, approval))
    case 'outcome':
    case 'give-back':
      return executeWithLock(context, approver, approval, () => carryOutDecision(context, approver.actor, approval))
    case 'dispute':
      return executeWithLock(context, approver, approval, () => decideDispute(context, approver.actor, approval))
    case 'difference':
      return executeInTransaction(context, approver, approval, (inside) =>
        resolveApproved(inside, context.operations, approver.actor, approval),
      )
    case 'factor-reset':
      return executeInTransaction(context, approver, approval, (inside) => resetApproved(inside, approver, approval))
    case 'user-rights':
      return executeInTransaction(context, approver, approval, (inside) =>
        giveApprovedRights({ ...context, ...inside }, approver, approval),
      )
    case 'payout-run':
      return executeInTransaction(context, approver, approval, (inside) =>
        sendApproved(inside, approver.actor, approval),
      )
    case 'correction':
      return executeInTransaction(context, approver, approval, (inside) =>
        bookCorrection(inside, approver.actor, approval),
      )
    case 'payout-account':
      return executeInTransaction(context, approver, approval, (inside) =>
        changeApprovedAccount(inside, approver.actor, approval),
      )
  }
}

/** The action and its end are one transaction, so that of two approvals at once the second finds the end of the first. */
const executeInTransaction = (
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

/**
 * For actions on payments, which ask acquirers and are no transaction: of two at once the second is refused, before it does anything. What the
 * action did is found by the approval's id if the process died before its end was stored.
 */
async function executeWithLock(
  context: PanelContext,
  approver: Requester,
  approval: ApprovalRow,
  action: () => Promise<ApprovalEnd>,
): Promise<ApprovalRow> {
  const ended = await runWithApprovalLock(context.pool, approval.id, async () => {
    const present = (await approvalStore(context.pool).find(approval.id)) ?? approval
    return present.state === 'approved' ? endWith(context, approver, present, await action()) : present
  })
  if (ended === null)
    throw new AdminRefused('conflict', {
      message: 'The request is being carried out. Reload the page to see the result.',
    })
  return ended
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
    if (error instanceof AdminRefused && error.code === 'not_found')
      return { state: 'failed', result: { refused: 'The payment does not exist any more.' } }
    if (!(error instanceof RefusedError)) throw error
    // Either another process is making the same refund, or it cannot be made.
    const earlierRefund = await context.operations.recall(approval.merchantId ?? '', approval.id)
    return earlierRefund === null
      ? { state: 'failed', result: { refused: error.message } }
      : { state: 'done', result: resultOf(earlierRefund) }
  }
}
