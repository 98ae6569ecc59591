/**
 * By what a user could come to sign in as another: the account was created, invited, reset, enabled or extended, or a key of the program was made. The audit log
 * has all of it; of acts that two people decided, the request names the one who asked.
 */
import { type Queryable, query, sql } from '../database/pool.ts'
import type { ApprovalKind } from './approvals.ts'

export interface AccountAct {
  /** The user who acted. */
  readonly giverId: string
  /** As in the audit log, or `approval.` and the kind of a request that was carried out. */
  readonly action: string
  /** `user ID`, or `role NAME` for all users of a role. */
  readonly subject: string
  readonly at: Date
  /** JSON as text. */
  readonly before: string | null
  readonly after: string | null
  /** When a key ends; null for everything else. */
  readonly keyEndsAt: Date | null
}

const audited: readonly string[] = [
  'user.create',
  'user.invite',
  'user.reset-password',
  'user.reset-factor',
  'user.change',
  'service-account.add-key',
  'role.save',
]

const requested: readonly ApprovalKind[] = ['factor-reset', 'user-rights']

const listActs = sql<AccountAct, readonly [Date, readonly string[], readonly ApprovalKind[], Date]>(
  'account-act.list',
  `select g.id as "giverId", a.action, a.subject, a.at, a.before, a.after, null::timestamptz as "keyEndsAt"
   from audit_log a join users g on g.email = a.actor where a.at >= $1 and a.action = any($2)
   union all
   select asked_by, 'approval.' || kind, subject, decided_at, null, null, null
   from approvals where kind = any($3) and state = 'done' and decided_at >= $1
   union all
   select g.id, 'service-account.add-key', 'user ' || k.user_id, k.created_at, null, null, k.expires_at
   from service_keys k join users g on g.email = k.created_by where k.expires_at > $4`,
)

/** The acts since a moment; keys that have not ended, by the machine's time, however old they are. */
export const listAccountActs = (on: Queryable, since: Date, machineNow: Date): Promise<readonly AccountAct[]> =>
  query(on, listActs, [since, audited, requested, machineNow])
