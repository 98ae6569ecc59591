/**
 * Four-eyes approval: one person requests, another approves. Chapter 50 §8; chapter 70 §1 for outcomes decided by hand. `actPermissions` lists
 * all kinds. Request, decision and result are three entries of the audit log.
 */
import { dayMs } from '#domain/time.ts'
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
import type { Actor, AdminContext } from '../context.ts'
import { moneyDecisions } from './money-decisions.ts'
import { requireSecondPerson } from './second-person.ts'

export { approvalKinds } from '../../store/people/approvals.ts'

const openDays = 7
const replacedNote = 'Replaced by a newer request.'

interface ApprovalRequest {
  readonly kind: ApprovalKind
  readonly merchantId: string | null
  /** The entity concerned; at most one pending request each. */
  readonly subject: string
  readonly request: JsonObject
  readonly reason: string
}

interface AskOptions {
  /** A waiting request for an earlier state of the subject is withdrawn instead of blocking this one. */
  readonly replacesEarlier?: boolean
}

export interface Requester {
  readonly user: UserRow
  readonly actor: Actor
}

export async function askApproval(
  context: AdminContext,
  { user, actor }: Requester,
  wish: ApprovalRequest,
  { replacesEarlier = false }: AskOptions = {},
): Promise<ApprovalRow> {
  return inTransaction(context.pool, async (client) => {
    const askedAt = context.clock.now()
    const expiresAt = new Date(askedAt.getTime() + openDays * dayMs)
    const newApproval = { ...wish, id: context.ids.next(), askedBy: user.id, askedAt, expiresAt }
    const replacedIds = replacesEarlier ? await approvalStore(client).replace(newApproval, replacedNote) : []
    for (const id of replacedIds)
      await note(client, context.clock, actor, {
        action: 'approval.withdrawn',
        subject: `approval ${id}`,
        merchantId: wish.merchantId,
        after: { state: 'withdrawn', note: replacedNote },
      })
    if (await approvalStore(client).isUnfinished(newApproval))
      throw new AdminRefused('conflict', {
        message: 'An identical request is approved and not completed. Carry it out or dismiss it in Approvals first.',
      })
    if (!(await approvalStore(client).ask(newApproval)))
      throw new AdminRefused('conflict', { message: 'An identical request is already waiting for approval.' })
    const approval: ApprovalRow = {
      ...newApproval,
      state: 'waiting',
      decidedBy: null,
      decidedAt: null,
      note: null,
      result: null,
    }
    await note(client, context.clock, actor, { ...approvalAudit('approval.ask', approval), after: { ...wish } })
    return approval
  })
}

interface ApprovalDecision {
  readonly state: 'approved' | 'refused' | 'withdrawn'
  readonly note: string | null
}

/** The requester may only withdraw, and only the requester may do that. A person approves nothing through a second account. */
export async function decideApproval(
  context: AdminContext,
  { user, actor }: Requester,
  id: string,
  decision: ApprovalDecision,
): Promise<ApprovalRow> {
  return inTransaction(context.pool, async (client) => {
    const store = approvalStore(client)
    const before = await store.find(id)
    if (before === null) throw notFound()
    const isOwn = before.askedBy === user.id
    if (isOwn !== (decision.state === 'withdrawn'))
      throw new AdminRefused('forbidden', {
        message: isOwn ? 'You cannot decide on your own request.' : 'Only the requester can withdraw the request.',
      })
    if (decision.state === 'approved') await requireSecondPerson({ ...context, pool: client }, before.askedBy, user.id)
    const at = context.clock.now()
    if (!(await store.decide(id, { ...decision, by: user.id, at })))
      throw new AdminRefused('conflict', { message: 'The request is already decided or has expired.' })
    const after: ApprovalRow = { ...before, ...decision, decidedBy: user.id, decidedAt: at }
    await note(client, context.clock, actor, {
      ...approvalAudit(`approval.${decision.state}`, before),
      before: { state: before.state },
      after: { state: after.state, note: after.note },
    })
    return after
  })
}

interface ApprovalEnd {
  readonly state: 'done' | 'failed'
  readonly result: JsonObject | null
  /** The name of the end in the audit log; its state if omitted. */
  readonly auditedAs?: 'dismissed'
}

/** Records whether the approved action succeeded. Null if another person was first. */
export const endApproval = (
  context: AdminContext,
  actor: Actor,
  approval: ApprovalRow,
  end: ApprovalEnd,
): Promise<ApprovalRow | null> =>
  inTransaction(context.pool, (client) => endApprovalIn(client, context, actor, { approval, end }))

/** Call in the transaction of the approved action. */
export async function endApprovalIn(
  client: PoolClient,
  { clock }: Pick<AdminContext, 'clock'>,
  actor: Actor,
  { approval, end }: { readonly approval: ApprovalRow; readonly end: ApprovalEnd },
): Promise<ApprovalRow | null> {
  const { auditedAs, ...ended } = end
  if (!(await approvalStore(client).end(approval.id, ended.state, ended.result))) return null
  const action = `approval.${auditedAs ?? ended.state}`
  await note(client, clock, actor, { ...approvalAudit(action, approval), after: ended })
  return { ...approval, ...ended }
}

interface ApprovalFilter {
  /** `left`: it was approved, and the process that was to carry it out has ended. */
  readonly state: ApprovalState | 'left' | null
  readonly before: string | undefined
  readonly limit: number
}

/** A request is carried out at once; others need a moment between the decision and the action. */
export const leftAfterMs = 60_000

export const listApprovalsFor = (
  { pool, clock }: AdminContext,
  { merchants }: Grant,
  { state, ...of }: ApprovalFilter,
): Promise<readonly ApprovalRow[]> =>
  approvalStore(pool).list({
    ...of,
    state: state === 'left' ? 'approved' : state,
    leftSince: state === 'left' ? new Date(clock.now().getTime() - leftAfterMs) : null,
    merchantIds: merchants === 'all' ? null : [...merchants],
  })

/** A request of another merchant is answered like one that does not exist. */
export async function requireVisibleApproval({ pool }: AdminContext, grant: Grant, id: string): Promise<ApprovalRow> {
  const approval = await approvalStore(pool).find(id)
  if (approval === null || !isSeenBy(grant, approval)) throw notFound()
  return approval
}

/** A person who may not do it alone may not approve it either. */
export const actPermissions: Readonly<Record<ApprovalKind, Permission>> = {
  'password-reveal': 'merchants.secrets',
  'routing-publish': 'routing.write',
  'factor-reset': 'users.write',
  'user-rights': 'users.write',
  refund: moneyDecisions.refund.permission,
  outcome: moneyDecisions.outcome.permission,
  'give-back': moneyDecisions['give-back'].permission,
  dispute: moneyDecisions.dispute.permission,
  difference: moneyDecisions.difference.permission,
  'payout-run': moneyDecisions['payout-run'].permission,
  correction: moneyDecisions.correction.permission,
  'payout-account': moneyDecisions['payout-account'].permission,
}

export async function requireDecidableApproval(context: AdminContext, grant: Grant, id: string): Promise<ApprovalRow> {
  const approval = await requireVisibleApproval(context, grant, id)
  const needed = actPermissions[approval.kind]
  if (!may(grant, needed))
    throw new AdminRefused('forbidden', { message: `Deciding on this request also requires the permission ${needed}.` })
  return approval
}

/** Routing rules belong to the platform, even those for one merchant: only users with all merchants see and decide them. */
const isSeenBy = (grant: Grant, { kind, merchantId }: ApprovalRow): boolean =>
  merchantId === null || platformKinds.includes(kind) ? grant.merchants === 'all' : reaches(grant, merchantId)

const approvalAudit = (action: string, { id, merchantId }: ApprovalRow) => ({
  action,
  subject: `approval ${id}`,
  merchantId,
})
