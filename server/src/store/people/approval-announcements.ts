/** Requests for approval that were not announced by mail yet. */
import { type Queryable, query, sql } from '../database/pool.ts'
import { type ApprovalKind, platformKinds } from './approvals.ts'

interface UnannouncedApproval {
  readonly id: string
  readonly kind: ApprovalKind
  readonly merchantId: string | null
  readonly reason: string
  readonly askedBy: string
  readonly expiresAt: Date
}

const listUnannounced = sql<UnannouncedApproval, readonly [Date, number]>(
  'approval.unannounced',
  `select id, kind, merchant_id as "merchantId", reason, asked_by as "askedBy", expires_at as "expiresAt" from approvals
   where announced_at is null and state = 'waiting' and expires_at > $1 order by asked_at limit $2`,
)
/** Of two workers one marks the request, and only that one queues the mails. */
const announceApproval = sql<
  Record<never, never>,
  readonly [string, Date, readonly string[], readonly string[], string, string]
>(
  'approval.announce',
  `with marked as (update approvals set announced_at = $2 where id = $1 and announced_at is null returning id)
   insert into mails (id, recipient, subject, text, written_at, next_at)
   select mail.id, mail.recipient, $5, $6, $2, $2 from marked, unnest($3::uuid[], $4::text[]) as mail (id, recipient)`,
)

/** A platform kind is decided by users with all merchants, whichever merchant it concerns. */
export const merchantOf = ({ kind, merchantId }: UnannouncedApproval): string | null =>
  platformKinds.includes(kind) ? null : merchantId

export const approvalAnnouncements = (on: Queryable) => ({
  list: (now: Date, limit: number): Promise<readonly UnannouncedApproval[]> => query(on, listUnannounced, [now, limit]),
  announce: async (
    id: string,
    at: Date,
    mails: readonly { readonly id: string; readonly to: string }[],
    { subject, text }: { readonly subject: string; readonly text: string },
  ): Promise<void> => {
    const [ids, recipients] = [mails.map((mail) => mail.id), mails.map(({ to }) => to)]
    await query(on, announceApproval, [id, at, ids, recipients, subject, text])
  },
})
