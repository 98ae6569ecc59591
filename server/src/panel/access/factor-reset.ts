/**
 * The reset of a lost second factor: one person asks, another approves. Together with a new password it would hand over the account, so that
 * no user does it alone. Chapter 70 §9. The command line does it without a second person: it is what remains if there is none.
 */
import { z } from 'zod'
import { inTransaction } from '../../store/database/transaction.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import type { UserRow } from '../../store/people/users.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { askApproval, type endApproval, type Requester } from '../approvals/approvals.ts'
import type { AdminContext } from '../context.ts'
import { hasSecondFactor } from './second-factor.ts'
import { type Grantor, lockReachableUser, readGrant, resetFactors } from './users.ts'

export async function askFactorReset(
  context: AdminContext,
  asker: Requester,
  { grant }: Pick<Grantor, 'grant'>,
  { userId, reason }: { readonly userId: string; readonly reason: string },
): Promise<ApprovalRow> {
  const user = await requireResettableUser(context, { ...asker, grant }, userId)
  if (!hasSecondFactor(user))
    throw new AdminRefused('conflict', { message: 'This user has no second factor. There is nothing to reset.' })
  const [merchantId] = user.merchantIds
  return askApproval(context, asker, {
    kind: 'factor-reset',
    merchantId: user.allMerchants || user.merchantIds.length !== 1 ? null : (merchantId ?? null),
    subject: `user ${user.id}`,
    request: { userId: user.id, name: user.name, email: user.email },
    reason,
  })
}

/** Before the decision, so that a person who may not reset this user leaves the request to others. */
export async function requireResetter(
  context: AdminContext,
  approver: Requester,
  approval: ApprovalRow,
): Promise<void> {
  const grant = await readGrant(context, approver.user.id)
  if (grant === null) throw notFound()
  await requireResettableUser(context, { ...approver, grant }, userIdOf(approval))
}

/** Carries out an approved reset. */
export async function resetApproved(
  context: AdminContext,
  { user: { id }, actor }: Requester,
  approval: ApprovalRow,
): Promise<Parameters<typeof endApproval>[3]> {
  const grant = await readGrant(context, id)
  if (grant === null) throw notFound()
  const { email } = await resetFactors(context, { actor, userId: id, grant }, userIdOf(approval))
  return { state: 'done', result: { email } }
}

function requireResettableUser(
  { pool }: AdminContext,
  { user, actor, grant }: Requester & Pick<Grantor, 'grant'>,
  userId: string,
): Promise<UserRow> {
  if (user.id === userId)
    throw new AdminRefused('forbidden', { message: 'Change your own second factor under Your account.' })
  return inTransaction(pool, async (client) => {
    const found = await lockReachableUser(client, { actor, userId: user.id, grant }, userId)
    if (found.isService) throw notFound()
    return found
  })
}

const userIdOf = ({ request }: ApprovalRow): string => requestSchema.parse(request).userId

const requestSchema = z.object({ userId: z.uuid() })
