/** What happens when the second person says yes: the refund is made, the rules are published; a password waits to be shown to who asked. */
import { RefusedError } from '../../contracts/refused-error.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { Panel } from '../panel.ts'
import { resultOf } from '../payments/payment-commands.ts'
import { makeApprovedRefund } from '../payments/refunds.ts'
import { publishApproved } from '../setup/routing.ts'
import { type Asker, decideApproval, endApproval } from './approvals.ts'

export async function approve(
  panel: Panel,
  approver: Asker,
  asked: ApprovalRow,
  note: string | null,
): Promise<ApprovalRow> {
  // A process that died after the decision left what was allowed to whoever comes next.
  const isDecided = asked.kind !== 'password-reveal' && asked.state === 'approved'
  const approval = isDecided ? asked : await decideApproval(panel, approver, asked.id, { state: 'approved', note })
  if (approval.kind === 'routing-publish') return published(panel, approver, approval)
  if (approval.kind !== 'refund') return approval
  // Decided before it is made: of two who approve at once one makes the refund.
  const end = await outcomeOf(panel, approval)
  return (await endApproval(panel, approver.actor, approval, end)) ?? approval
}

/** A draft that was changed after it was asked for is not what anybody approved. */
async function published(panel: Panel, { actor }: Asker, approval: ApprovalRow): Promise<ApprovalRow> {
  try {
    return await publishApproved(panel, actor, approval)
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error
    const end = { state: 'failed', result: { refused: error.message } } as const
    return (await endApproval(panel, actor, approval, end)) ?? approval
  }
}

type End = Parameters<typeof endApproval>[3]

async function outcomeOf(panel: Panel, approval: ApprovalRow): Promise<End> {
  try {
    return { state: 'done', result: await makeApprovedRefund(panel, approval) }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    // Refused because somebody else is making the very same refund, or because it cannot be made.
    const made = await panel.operations.recall(approval.merchantId ?? '', approval.id)
    return made === null
      ? { state: 'failed', result: { refused: error.message } }
      : { state: 'done', result: resultOf(made) }
  }
}
