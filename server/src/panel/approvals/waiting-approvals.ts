/** Which requests wait for the caller, which were left after their approval, and the names of those who asked and decided. */
import { findLockedApprovals } from '../../store/people/approval-lock.ts'
import { type ApprovalKind, type ApprovalRow, approvalStore } from '../../store/people/approvals.ts'
import { readUserNames } from '../../store/people/user-names.ts'
import type { UserRow } from '../../store/people/users.ts'
import { type Grant, may } from '../access/permissions.ts'
import type { AdminContext } from '../context.ts'
import { actPermissions, leftAfterMs } from './approvals.ts'

type NamedApproval = ApprovalRow & {
  readonly askedByName: string
  readonly decidedByName: string | null
  /** It was approved, and no process is carrying it out: the one that did has ended. */
  readonly isLeft: boolean
}

/** A password that may be revealed waits for the requester. */
const mayBeLeft = ({ kind, state, decidedAt }: ApprovalRow, now: Date): boolean =>
  kind !== 'password-reveal' &&
  state === 'approved' &&
  decidedAt !== null &&
  now.getTime() - decidedAt.getTime() >= leftAfterMs

/** Everyone who may see a request may know whose it is; the rest of an account needs the permission for users. */
export async function addNames(
  { pool, clock }: Pick<AdminContext, 'pool' | 'clock'>,
  approvals: readonly ApprovalRow[],
): Promise<readonly NamedApproval[]> {
  const ids = approvals.flatMap(({ askedBy, decidedBy }) => (decidedBy === null ? [askedBy] : [askedBy, decidedBy]))
  const left = approvals.filter((one) => mayBeLeft(one, clock.now())).map(({ id }) => id)
  const [names, carriedOut] = await Promise.all([readUserNames(pool, ids), findLockedApprovals(pool, left)])
  return approvals.map((one) => ({
    ...one,
    askedByName: names.get(one.askedBy) ?? 'a deleted user',
    decidedByName: one.decidedBy === null ? null : (names.get(one.decidedBy) ?? 'a deleted user'),
    isLeft: left.includes(one.id) && !carriedOut.has(one.id),
  }))
}

export async function addName(
  context: Pick<AdminContext, 'pool' | 'clock'>,
  approval: ApprovalRow,
): Promise<NamedApproval> {
  const [named] = await addNames(context, [approval])
  if (named === undefined) throw new Error('A list of one approval has one entry.')
  return named
}

/**
 * The number of requests that the caller can decide, which are not the caller's own, or carry out again after they were left; only of kinds that the
 * caller may carry out.
 */
export function countWaiting({ pool, clock }: AdminContext, grant: Grant, user: UserRow): Promise<number> {
  // The table has every kind as a name.
  const kinds = (Object.keys(actPermissions) as ApprovalKind[]).filter((kind) => may(grant, actPermissions[kind]))
  const merchantIds = grant.merchants === 'all' ? null : [...grant.merchants]
  return approvalStore(pool).countWaiting({ userId: user.id, kinds, merchantIds, now: clock.now(), leftAfterMs })
}
