/** Which requests wait for the caller, which were left after their approval, and the names of those who asked, decided and dismissed. */
import { findLockedApprovals } from '../../store/people/approval-lock.ts'
import { type ApprovalKind, type ApprovalRow, approvalStore, type LaterRequest } from '../../store/people/approvals.ts'
import { readUserNames } from '../../store/people/user-names.ts'
import type { UserRow } from '../../store/people/users.ts'
import { type Grant, may } from '../access/permissions.ts'
import type { AdminContext } from '../context.ts'
import { actPermissions, leftAfterMs } from './approvals.ts'
import { readSecondPersons, type SecondPersons } from './second-person.ts'

/** More than this of one request would say no more. */
const laterShown = 5

type NamedApproval = ApprovalRow & {
  readonly askedByName: string
  readonly decidedByName: string | null
  readonly dismissedByName: string | null
  /** Later requests for the same as one that was left, which may have been carried out instead; the newest first. */
  readonly laterRequests: readonly (Pick<LaterRequest, 'id' | 'state' | 'askedAt'> & { readonly askedByName: string })[]
  /** It was approved, and no process is carrying it out: the one that did has ended. */
  readonly isLeft: boolean
  /** Why the reader is no second person for the one who asked, and until when. Null if the reader is, or nothing is to be approved. */
  readonly obstacle: ReturnType<SecondPersons['findObstacle']>
}

/** A password that may be revealed waits for the requester. */
export const mayBeLeft = ({ kind, state, decidedAt }: ApprovalRow, now: Date): boolean =>
  kind !== 'password-reveal' &&
  state === 'approved' &&
  decidedAt !== null &&
  now.getTime() - decidedAt.getTime() >= leftAfterMs

/** Everyone who may see a request may know whose it is; the rest of an account needs the permission for users. */
export async function addNames(
  context: Pick<AdminContext, 'pool' | 'clock' | 'machine'>,
  approvals: readonly ApprovalRow[],
  reader: UserRow,
): Promise<readonly NamedApproval[]> {
  const { pool, clock } = context
  const now = clock.now()
  const persons = approvals.some(({ state }) => state === 'waiting') ? await readSecondPersons(context) : null
  const left = approvals.filter((one) => mayBeLeft(one, now)).map(({ id }) => id)
  const [carriedOut, later] = await Promise.all([
    findLockedApprovals(pool, left),
    approvalStore(pool).listLater(left, now, laterShown),
  ])
  const people = [
    ...approvals.flatMap((one) => [one.askedBy, one.decidedBy, dismisserOf(one)]),
    ...later.map(({ askedBy }) => askedBy),
  ]
  const names = await readUserNames(
    pool,
    people.filter((id) => id !== null),
  )
  const nameOf = (id: string): string => names.get(id) ?? 'a deleted user'
  return approvals.map((one) => {
    const dismisser = dismisserOf(one)
    return {
      ...one,
      askedByName: nameOf(one.askedBy),
      decidedByName: one.decidedBy === null ? null : nameOf(one.decidedBy),
      dismissedByName: dismisser === null ? null : nameOf(dismisser),
      isLeft: left.includes(one.id) && !carriedOut.has(one.id),
      obstacle: one.state === 'waiting' ? (persons?.findObstacle(one.askedBy, reader.id) ?? null) : null,
      laterRequests: later
        .filter(({ earlierId }) => earlierId === one.id)
        .map(({ id, state, askedAt, askedBy }) => ({ id, state, askedAt, askedByName: nameOf(askedBy) })),
    }
  })
}

/** Stored by `dismissal.ts`. */
function dismisserOf({ result }: ApprovalRow): string | null {
  const dismisser = result?.['dismissedBy']
  return typeof dismisser === 'string' ? dismisser : null
}

export async function addName(
  context: Pick<AdminContext, 'pool' | 'clock' | 'machine'>,
  approval: ApprovalRow,
  reader: UserRow,
): Promise<NamedApproval> {
  const [named] = await addNames(context, [approval], reader)
  if (named === undefined) throw new Error('A list of one approval has one entry.')
  return named
}

/**
 * The number of requests that the caller can approve, because a person asked for whom the caller is a second one, or carry out again after they were left; only of kinds
 * that the caller may carry out.
 */
export async function countWaiting(context: AdminContext, grant: Grant, user: UserRow): Promise<number> {
  // The table has every kind as a name.
  const kinds = (Object.keys(actPermissions) as ApprovalKind[]).filter((kind) => may(grant, actPermissions[kind]))
  const merchantIds = grant.merchants === 'all' ? null : [...grant.merchants]
  const count = (notOf: readonly string[]): Promise<number> =>
    approvalStore(context.pool).countWaiting({ notOf, kinds, merchantIds, now: context.clock.now(), leftAfterMs })
  // Every page of the panel asks, and mostly nothing waits.
  if ((await count([user.id])) === 0) return 0
  return count((await readSecondPersons(context)).listTied(user.id))
}
