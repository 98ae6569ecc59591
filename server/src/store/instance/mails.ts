/** Mail that waits to be sent. */
import type { Clock, Ids } from '../../contracts/ports.ts'
import type { MailBacklog, MailQueue, QueuedMail, QueuedMails } from '../../mail/mail.ts'
import { type Holder, isFree, lease } from '../database/lease.ts'
import { type Pool, type Queryable, query, sql } from '../database/pool.ts'

interface Columns {
  id: string
  recipient: string
  subject: string
  text: string
  written_at: Date
  attempts: number
}

const addMail = sql<Record<never, never>, readonly [string, string, string, string, Date]>(
  'mail.add',
  'insert into mails (id, recipient, subject, text, written_at, next_at) values ($1, $2, $3, $4, $5, $5)',
)
const claimMails = sql<Columns, readonly [Date, number, number, Holder]>(
  'mail.claim',
  `with due as (
     select id from mails where next_at <= $1 and ${isFree}
     order by next_at limit $2
     for update skip locked
   )
   update mails held set ${lease('$3', '$4')}
   from due where held.id = due.id
   returning held.id, recipient, subject, text, written_at, attempts`,
)
const removeMail = sql<Record<never, never>, readonly [string]>('mail.remove', 'delete from mails where id = $1')
const postponeMail = sql<Record<never, never>, readonly [string, Date]>(
  'mail.postpone',
  'update mails set attempts = attempts + 1, next_at = $2, lease_until = null where id = $1',
)

const readBacklog = sql<{ waiting: number; oldest_at: Date | null }>(
  'mail.backlog',
  'select count(*)::int as waiting, min(written_at) as oldest_at from mails',
)

export async function readMailBacklog(pool: Pool): Promise<MailBacklog> {
  const [row] = await query(pool, readBacklog, [])
  return { waiting: row?.waiting ?? 0, oldestAt: row?.oldest_at ?? null }
}

export const mailStore = (
  pool: Queryable,
  { clock, ids, holder = null }: { clock: Clock; ids: Ids; holder?: Holder },
): MailQueue & QueuedMails => ({
  add: async ({ to, subject, text }) => {
    await query(pool, addMail, [ids.next(), to, subject, text, clock.now()])
  },
  claim: async (now, limit, leaseSeconds) =>
    (await query(pool, claimMails, [now, limit, leaseSeconds, holder])).map(mailFrom),
  remove: async (id) => {
    await query(pool, removeMail, [id])
  },
  postpone: async (id, nextAt) => {
    await query(pool, postponeMail, [id, nextAt])
  },
})

function mailFrom({ recipient, written_at, ...row }: Columns): QueuedMail {
  return { ...row, to: recipient, writtenAt: written_at }
}
