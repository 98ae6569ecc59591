/** Channels to which alerts are sent, as the panel shows and changes them. Addresses are sealed: that of a chat admits everyone who has it. */
import type { AlertSeverity } from '#domain/alert/alert-severity.ts'
import type { ChannelKind } from '#domain/alert/channel-kind.ts'
import type { ChannelRules } from '../../contracts/alert-ports.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

export interface AlertChannelRow extends ChannelRules {
  readonly id: string
  readonly name: string
  readonly kind: ChannelKind
  readonly targetSealed: Buffer
  /** What people may see of the address. */
  readonly shownTarget: string
  readonly secretSealed: Buffer | null
  readonly isEnabled: boolean
  readonly createdAt: Date
  readonly lastSentAt: Date | null
  readonly lastFault: string | null
  readonly lastFaultAt: Date | null
  /** Messages that wait to be sent. */
  readonly waiting: number
}

interface Columns {
  id: string
  name: string
  kind: ChannelKind
  target_sealed: Buffer
  shown_target: string
  secret_sealed: Buffer | null
  kinds: string[]
  least_severity: AlertSeverity
  quiet_from: number | null
  quiet_until: number | null
  time_zone: string
  digest_minutes: number
  is_enabled: boolean
  created_at: Date
  last_sent_at: Date | null
  last_fault: string | null
  last_fault_at: Date | null
  waiting: number
}

const columns = `c.id, c.name, c.kind, c.target_sealed, c.shown_target, c.secret_sealed, c.kinds, c.least_severity, c.quiet_from,
  c.quiet_until, c.time_zone, c.digest_minutes, c.is_enabled, c.created_at, c.last_sent_at, c.last_fault, c.last_fault_at,
  (select count(*) from alert_messages m where m.channel_id = c.id)::int as waiting`

const listChannels = sql<Columns>('alert-channel.list', `select ${columns} from alert_channels c order by c.name`)
const findChannel = sql<Columns, readonly [string]>(
  'alert-channel.find',
  `select ${columns} from alert_channels c where c.id = $1`,
)
const putChannel = sql<{ id: string }, readonly unknown[]>(
  'alert-channel.put',
  `insert into alert_channels (id, name, kind, target_sealed, shown_target, secret_sealed, kinds, least_severity, quiet_from,
     quiet_until, time_zone, digest_minutes, is_enabled, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
   on conflict (id) do update set name = excluded.name, target_sealed = excluded.target_sealed,
     shown_target = excluded.shown_target, kinds = excluded.kinds, least_severity = excluded.least_severity,
     quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until, time_zone = excluded.time_zone,
     digest_minutes = excluded.digest_minutes, is_enabled = excluded.is_enabled
   returning id`,
)
const isNameTaken = sql<{ taken: boolean }, readonly [string, string]>(
  'alert-channel.name-taken',
  'select exists (select from alert_channels where name = $2 and id <> $1) as taken',
)
const removeChannel = sql<{ id: string }, readonly [string]>(
  'alert-channel.remove',
  'delete from alert_channels where id = $1 returning id',
)
const dropMessages = sql<Nothing, readonly [string]>(
  'alert-message.drop',
  'delete from alert_messages where channel_id = $1',
)

export const alertChannelStore = (on: Queryable) => ({
  list: async (): Promise<readonly AlertChannelRow[]> => (await query(on, listChannels, [])).map(channelFrom),
  find: async (id: string): Promise<AlertChannelRow | null> => {
    const [row] = await query(on, findChannel, [id])
    return row ? channelFrom(row) : null
  },
  isNameTaken: async (id: string, name: string): Promise<boolean> =>
    (await query(on, isNameTaken, [id, name]))[0]?.taken === true,
  put: async (
    channel: Omit<AlertChannelRow, 'lastSentAt' | 'lastFault' | 'lastFaultAt' | 'waiting'>,
  ): Promise<void> => {
    const { id, name, kind, targetSealed, shownTarget, secretSealed, kinds, leastSeverity, quiet, timeZone } = channel
    const { digestMinutes, isEnabled, createdAt } = channel
    const times = [quiet?.from ?? null, quiet?.until ?? null, timeZone, digestMinutes, isEnabled, createdAt]
    await query(on, putChannel, [
      id,
      name,
      kind,
      targetSealed,
      shownTarget,
      secretSealed,
      kinds,
      leastSeverity,
      ...times,
    ])
  },
  /** With the messages that wait. False if it does not exist. */
  remove: async (id: string): Promise<boolean> => (await query(on, removeChannel, [id])).length === 1,
  dropMessages: async (id: string): Promise<void> => {
    await query(on, dropMessages, [id])
  },
})

const channelFrom = (row: Columns): AlertChannelRow => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  targetSealed: row.target_sealed,
  shownTarget: row.shown_target,
  secretSealed: row.secret_sealed,
  kinds: row.kinds,
  leastSeverity: row.least_severity,
  quiet: row.quiet_from === null || row.quiet_until === null ? null : { from: row.quiet_from, until: row.quiet_until },
  timeZone: row.time_zone,
  digestMinutes: row.digest_minutes,
  isEnabled: row.is_enabled,
  createdAt: row.created_at,
  lastSentAt: row.last_sent_at,
  lastFault: row.last_fault,
  lastFaultAt: row.last_fault_at,
  waiting: row.waiting,
})
