/**
 * Maker and checker: what one person asks for, another allows. Chapter 50 §8: seeing a password, publishing routing rules, refunds
 * above a limit. Asking, deciding and what came of it are three entries of the audit log.
 */
import type { JsonObject } from '../../contracts/records.ts'
import type { PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import {
  type ApprovalKind,
  type ApprovalRow,
  type ApprovalState,
  approvalStore,
  platformKinds,
} from '../../store/people/approvals.ts'
import type { UserRow } from '../../store/people/users.ts'
import { type Grant, may, type Permission, reaches } from '../access/permissions.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminDesk } from '../desk.ts'

const day = 86_400_000
const openDays = 7

interface Wish {
  readonly kind: ApprovalKind
  readonly merchantId: string | null
  /** What it is about; of one thing one request waits at a time. */
  readonly subject: string
  readonly request: JsonObject
  readonly reason: string
}

export interface Asker {
  readonly user: UserRow
  readonly actor: Actor
}

export async function askApproval(desk: AdminDesk, { user, actor }: Asker, wish: Wish): Promise<ApprovalRow> {
  return inTransaction(desk.pool, async (client) => {
    const askedAt = desk.clock.now()
    const expiresAt = new Date(askedAt.getTime() + openDays * day)
    const asked = { ...wish, id: desk.ids.next(), askedBy: user.id, askedAt, expiresAt }
    if (!(await approvalStore(client).ask(asked)))
      throw new AdminRefused('conflict', { message: 'An identical request is already waiting for approval.' })
    const approval: ApprovalRow = {
      ...asked,
      state: 'waiting',
      decidedBy: null,
      decidedAt: null,
      note: null,
      result: null,
    }
    await note(client, desk.clock, actor, { ...about('approval.ask', approval), after: { ...wish } })
    return approval
  })
}

interface Decision {
  readonly state: 'approved' | 'refused' | 'withdrawn'
  readonly note: string | null
}

/** Who asked may only withdraw, and nobody else may do that. */
export async function decideApproval(
  desk: AdminDesk,
  { user, actor }: Asker,
  id: string,
  decision: Decision,
): Promise<ApprovalRow> {
  return inTransaction(desk.pool, async (client) => {
    const store = approvalStore(client)
    const before = await store.find(id)
    if (before === null) throw notFound()
    const isOwn = before.askedBy === user.id
    if (isOwn !== (decision.state === 'withdrawn'))
      throw new AdminRefused('forbidden', {
        message: isOwn ? 'You cannot decide on your own request.' : 'Only the requester can withdraw the request.',
      })
    const at = desk.clock.now()
    if (!(await store.decide(id, { ...decision, by: user.id, at })))
      throw new AdminRefused('conflict', { message: 'The request is already decided or has expired.' })
    const after: ApprovalRow = { ...before, ...decision, decidedBy: user.id, decidedAt: at }
    await note(client, desk.clock, actor, {
      ...about(`approval.${decision.state}`, before),
      before: { state: before.state },
      after: { state: after.state, note: after.note },
    })
    return after
  })
}

interface End {
  readonly state: 'done' | 'failed'
  readonly result: JsonObject | null
}

/** What was approved has happened, or could not. Null when somebody else was first. */
export const endApproval = (
  desk: AdminDesk,
  actor: Actor,
  approval: ApprovalRow,
  end: End,
): Promise<ApprovalRow | null> =>
  inTransaction(desk.pool, (client) => endApprovalIn(client, desk, actor, approval, end))

/** In the transaction of what happens. */
export async function endApprovalIn(
  client: PoolClient,
  { clock }: Pick<AdminDesk, 'clock'>,
  actor: Actor,
  approval: ApprovalRow,
  end: End,
): Promise<ApprovalRow | null> {
  if (!(await approvalStore(client).end(approval.id, end.state, end.result))) return null
  await note(client, clock, actor, { ...about(`approval.${end.state}`, approval), after: { ...end } })
  return { ...approval, ...end }
}

export const approvalsFor = (
  { pool }: AdminDesk,
  { merchants }: Grant,
  of: { readonly state: ApprovalState | null; readonly before: string | undefined; readonly limit: number },
): Promise<readonly ApprovalRow[]> =>
  approvalStore(pool).list({ ...of, merchantIds: merchants === 'all' ? null : [...merchants] })

/** One of another merchant is answered like one that does not exist. */
export async function visibleApproval({ pool }: AdminDesk, grant: Grant, id: string): Promise<ApprovalRow> {
  const approval = await approvalStore(pool).find(id)
  if (approval === null || !isSeenBy(grant, approval)) throw notFound()
  return approval
}

/** Who could not do it alone must not be the second to allow it either. */
const actPermissions: Readonly<Record<ApprovalKind, Permission>> = {
  refund: 'payments.refund',
  'password-reveal': 'merchants.secrets',
  'routing-publish': 'routing.write',
}

export async function decidableApproval(desk: AdminDesk, grant: Grant, id: string): Promise<ApprovalRow> {
  const approval = await visibleApproval(desk, grant, id)
  const needed = actPermissions[approval.kind]
  if (!may(grant, needed))
    throw new AdminRefused('forbidden', { message: `Deciding on this request also requires the permission ${needed}.` })
  return approval
}

/** Rules are the platform's, also those for one merchant: only people of all merchants see and decide about them. */
const isSeenBy = (grant: Grant, { kind, merchantId }: ApprovalRow): boolean =>
  merchantId === null || platformKinds.includes(kind) ? grant.merchants === 'all' : reaches(grant, merchantId)

const about = (action: string, { id, merchantId }: ApprovalRow) => ({ action, subject: `approval ${id}`, merchantId })
