/** Seeing a merchant's signing password: asked for by one person, allowed by another, shown once to who asked. Chapter 50 §8. */
import type { Secret } from '#domain/secret.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { type Asker, askApproval, endApproval } from '../approvals/approvals.ts'
import type { Panel } from '../panel.ts'

/** What was allowed long ago is not what somebody meant to allow now. */
const shownWithinMs = 60 * 60_000

export const askForPassword = (panel: Panel, asker: Asker, merchantId: string, reason: string): Promise<ApprovalRow> =>
  askApproval(panel, asker, {
    kind: 'password-reveal',
    merchantId,
    subject: `merchant ${merchantId}`,
    request: { merchantId },
    reason,
  })

export async function collectPassword(
  panel: Panel,
  { user, actor }: Asker,
  approval: ApprovalRow,
): Promise<Secret<string>> {
  const { kind, merchantId, askedBy, decidedAt } = approval
  if (kind !== 'password-reveal' || merchantId === null || askedBy !== user.id) throw notFound()
  const isLate = decidedAt === null || decidedAt.getTime() + shownWithinMs < panel.clock.now().getTime()
  if (approval.state !== 'approved' || isLate)
    throw new AdminRefused('conflict', {
      message: 'The request is not approved yet, the password was already shown, or the approval has expired.',
    })
  const { password } = await panel.configuration.secrets(merchantId)
  // Noted before it is shown: what cannot be noted is not shown.
  if ((await endApproval(panel, actor, approval, { state: 'done', result: null })) === null)
    throw new AdminRefused('conflict', { message: 'The password was already shown.' })
  return password
}
