/** What happens when the second person says yes: the refund is made; a password waits to be shown to who asked. */
import { RefusedError } from '../refused-error.ts'
import type { ApprovalRow } from '../store/approvals.ts'
import { type Asker, decideApproval, endApproval } from './approvals.ts'
import type { Panel } from './panel.ts'
import { resultOf } from './payment-commands.ts'
import { makeApprovedRefund } from './refunds.ts'

export async function approve(
  panel: Panel,
  approver: Asker,
  asked: ApprovalRow,
  note: string | null,
): Promise<ApprovalRow> {
  // A process that died after the decision left the refund to whoever comes next.
  const isDecided = asked.kind === 'refund' && asked.state === 'approved'
  const approval = isDecided ? asked : await decideApproval(panel, approver, asked.id, { state: 'approved', note })
  if (approval.kind !== 'refund') return approval
  // Decided before it is made: of two who approve at once one makes the refund.
  const end = await outcomeOf(panel, approval)
  return (await endApproval(panel, approver.actor, approval, end)) ?? approval
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
