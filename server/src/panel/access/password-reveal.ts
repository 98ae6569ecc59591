/**
 * Reveals a merchant's signing password: one person requests it, another approves, and it is shown once to the requester. Chapter 50 §8.
 */
import type { Secret } from '#domain/secret.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { askApproval, endApproval, type Requester } from '../approvals/approvals.ts'
import type { PanelContext } from '../panel-context.ts'

/** An approval expires, because the approver meant the situation at that time. */
const shownWithinMs = 60 * 60_000

export const askForPassword = (
  context: PanelContext,
  asker: Requester,
  merchantId: string,
  reason: string,
): Promise<ApprovalRow> =>
  askApproval(context, asker, {
    kind: 'password-reveal',
    merchantId,
    subject: `merchant ${merchantId}`,
    request: { merchantId },
    reason,
  })

export async function collectPassword(
  context: PanelContext,
  { user, actor }: Requester,
  approval: ApprovalRow,
): Promise<Secret<string>> {
  const { kind, merchantId, askedBy, decidedAt } = approval
  if (kind !== 'password-reveal' || merchantId === null || askedBy !== user.id) throw notFound()
  const isLate = decidedAt === null || decidedAt.getTime() + shownWithinMs < context.clock.now().getTime()
  if (approval.state !== 'approved' || isLate)
    throw new AdminRefused('conflict', {
      message: 'The request is not approved yet, the password was already shown, or the approval has expired.',
    })
  const { password } = await context.configuration.readSecrets(merchantId)
  // Recorded before it is shown: without an audit entry the password is not shown.
  if ((await endApproval(context, actor, approval, { state: 'done', result: null })) === null)
    throw new AdminRefused('conflict', { message: 'The password was already shown.' })
  return password
}
