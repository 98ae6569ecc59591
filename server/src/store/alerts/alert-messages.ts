/** Alerts on their way to channels: not announced yet, or waiting to be sent. */
import type { ChannelKind } from '#domain/alert/channel-kind.ts'
import type {
  AlertMessage,
  AlertToAnnounce,
  DueChannel,
  DueChannels,
  UnannouncedAlerts,
} from '../../contracts/alert-ports.ts'
import type { Ids } from '../../contracts/ports.ts'
import { PLATFORM_SCOPE, type Vault } from '../../vault/port.ts'
import { type Holder, isFree, lease } from '../database/lease.ts'
import { type Nothing, type Pool, type Queryable, query, sql } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { alertChannelStore } from './alert-channels.ts'

const listUnannounced = sql<AlertToAnnounce, readonly [number]>(
  'alert.unannounced',
  `select id, kind, raised_at as "raisedAt" from alerts where announced_at is null order by raised_at limit $1`,
)
/** Only one of two workers marks the alert, and only that one writes its messages. */
const announceAlert = sql<Nothing, readonly [string, readonly string[], readonly Date[], Date]>(
  'alert.announce',
  `with marked as (update alerts set announced_at = $4 where id = $1 and announced_at is null returning id)
   insert into alert_messages (channel_id, alert_id, next_at)
   select message.channel_id, marked.id, message.next_at
   from marked, unnest($2::uuid[], $3::timestamptz[]) as message (channel_id, next_at)`,
)

interface ClaimedColumns {
  id: string
  name: string
  kind: ChannelKind
  target_sealed: Buffer
  secret_sealed: Buffer | null
}

const claimChannels = sql<ClaimedColumns, readonly [Date, number, number, Holder]>(
  'alert-channel.claim',
  `with due as (
     select id from alert_channels c
     where is_enabled and ${isFree} and exists (select from alert_messages m where m.channel_id = c.id and m.next_at <= $1)
     order by id limit $2
     for update skip locked
   )
   update alert_channels held set ${lease('$3', '$4')}
   from due where held.id = due.id
   returning held.id, name, kind, target_sealed, secret_sealed`,
)
/** An alert that retention deleted meanwhile is no longer sent. */
const dueMessages = sql<AlertMessage & { attempts: number }, readonly [string, Date, number]>(
  'alert-message.due',
  `select a.id, a.kind, a.merchant_id as "merchantId", a.payment_id as "paymentId", a.text, a.raised_at as "raisedAt", m.attempts
   from alert_messages m join alerts a on a.id = m.alert_id
   where m.channel_id = $1 and m.next_at <= $2 order by a.raised_at, a.id limit $3`,
)
const removeMessages = sql<Nothing, readonly [string, readonly string[]]>(
  'alert-message.remove',
  'delete from alert_messages where channel_id = $1 and alert_id = any($2::uuid[])',
)
const postponeMessages = sql<Nothing, readonly [string, readonly string[], Date]>(
  'alert-message.postpone',
  'update alert_messages set attempts = attempts + 1, next_at = $3 where channel_id = $1 and alert_id = any($2::uuid[])',
)
const markSent = sql<Nothing, readonly [string, Date]>(
  'alert-channel.sent',
  'update alert_channels set last_sent_at = $2, last_fault = null, last_fault_at = null, lease_until = null where id = $1',
)
const markFailed = sql<Nothing, readonly [string, Date, string]>(
  'alert-channel.failed',
  'update alert_channels set last_fault = $3, last_fault_at = $2, lease_until = null where id = $1',
)
const queueMail = sql<Nothing, readonly [string, string, string, string, Date]>(
  'alert-message.queue-mail',
  'insert into mails (id, recipient, subject, text, written_at, next_at) values ($1, $2, $3, $4, $5, $5)',
)

/** What one mail or request contains at most; the rest follows. */
const atOnce = 50

export const unannouncedAlerts = (on: Queryable): UnannouncedAlerts => ({
  list: (limit) => query(on, listUnannounced, [limit]),
  listChannels: async () => (await alertChannelStore(on).list()).filter(({ isEnabled }) => isEnabled),
  announce: async (alertId, messages, at) => {
    const [channelIds, times] = [messages.map(({ channelId }) => channelId), messages.map(({ nextAt }) => nextAt)]
    await query(on, announceAlert, [alertId, channelIds, times, at])
  },
})

interface StoreParts {
  readonly vault: Vault
  readonly ids: Ids
  readonly holder: Holder
}

export const dueChannelStore = (pool: Pool, { vault, ids, holder }: StoreParts): DueChannels => ({
  claim: async (now, limit, leaseSeconds) => {
    const claimed = await query(pool, claimChannels, [now, limit, leaseSeconds, holder])
    return Promise.all(claimed.map((row) => openDueChannel(pool, vault, row, now)))
  },
  recordSent: ({ id, alerts }, at, mail) =>
    inTransaction(pool, async (client) => {
      await query(client, removeMessages, [id, alerts.map((alert) => alert.id)])
      if (mail !== null) await query(client, queueMail, [ids.next(), mail.to, mail.subject, mail.text, at])
      await query(client, markSent, [id, at])
    }),
  recordFailed: ({ id, alerts }, { at, text, nextAt }) =>
    inTransaction(pool, async (client) => {
      const alertIds = alerts.map((alert) => alert.id)
      if (nextAt === null) await query(client, removeMessages, [id, alertIds])
      else await query(client, postponeMessages, [id, alertIds, nextAt])
      await query(client, markFailed, [id, at, text])
    }),
})

async function openDueChannel(pool: Pool, vault: Vault, row: ClaimedColumns, now: Date): Promise<DueChannel> {
  const due = await query(pool, dueMessages, [row.id, now, atOnce])
  const open = (sealed: Buffer) => vault.open(PLATFORM_SCOPE, 'alert-channel', sealed)
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    target: await open(row.target_sealed),
    secret: row.secret_sealed === null ? null : await open(row.secret_sealed),
    attempts: Math.max(0, ...due.map(({ attempts }) => attempts)),
    alerts: due.map(({ attempts: _attempts, ...alert }) => alert),
  }
}
