/** Open alerts about wallets: reported again every day until resolved or muted. Chapter 40 §6. Their table has an older name, `wallet_notices`. */
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { WalletAlert, WalletAlertKind, WalletRecordKey } from '../../contracts/wallet-records.ts'
import { columnsOf } from '../database/columns.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { keyColumnsOf } from './wallet-settings.ts'

interface OpenAlert extends WalletAlert {
  readonly firstAt: Date
  readonly lastAt: Date
  readonly times: number
  readonly mutedReason: string | null
}

interface Columns {
  merchant_id: string
  side: Mode
  wallet: Wallet
  kind: WalletAlertKind
  subject: string
  text: string
  first_at: Date
  last_at: Date
  times: number
  muted_reason: string | null
}

// biome-ignore format: a list of names.
const alertColumns = columnsOf<Columns>()([
  'merchant_id', 'side', 'wallet', 'kind', 'subject', 'text', 'first_at', 'last_at', 'times', 'muted_reason',
])

// A resolved alert starts again unmuted; an open one is reported once a day; a muted one is not reported.
const raiseAlert = sql<{ times: number }, readonly [string, string, string, string, string, string, Date]>(
  'wallet-alert.raise',
  `insert into wallet_notices as held (merchant_id, side, wallet, kind, subject, text, first_at, last_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)
   on conflict (merchant_id, side, wallet, kind, subject) do update set
     text = excluded.text,
     first_at = case when held.resolved_at is null then held.first_at else excluded.first_at end,
     times = case when held.resolved_at is null then held.times + 1 else 1 end,
     muted_reason = case when held.resolved_at is null then held.muted_reason end,
     last_at = excluded.last_at,
     resolved_at = null
   where held.resolved_at is not null
      or (held.muted_reason is null and held.last_at <= excluded.last_at - interval '1 day')
   returning times`,
)
const resolveAlerts = sql<Record<never, never>, readonly [string, string, string, string, readonly string[], Date]>(
  'wallet-alert.resolve',
  `update wallet_notices set resolved_at = $6
   where merchant_id = $1 and side = $2 and wallet = $3 and kind = $4 and subject <> all($5) and resolved_at is null`,
)
const resolveAlert = sql<{ kind: string }, readonly [string, string, string, string, string, Date]>(
  'wallet-alert.resolve-one',
  `update wallet_notices set resolved_at = $6
   where merchant_id = $1 and side = $2 and wallet = $3 and kind = $4 and subject = $5 and resolved_at is null
   returning kind`,
)
const muteAlert = sql<{ kind: string }, readonly [string, string, string, string, string, string]>(
  'wallet-alert.mute',
  `update wallet_notices set muted_reason = $6
   where merchant_id = $1 and side = $2 and wallet = $3 and kind = $4 and subject = $5 and resolved_at is null
   returning kind`,
)
const notReportedSince = sql<Columns, readonly [Date, number]>(
  'wallet-alert.not-reported-since',
  `select ${alertColumns()} from wallet_notices where resolved_at is null and muted_reason is null and last_at <= $1
   order by last_at limit $2`,
)
const countOpen = sql<{ kind: WalletAlertKind; count: number }, readonly []>(
  'wallet-alert.count-standing',
  `select kind, count(*)::int as count from wallet_notices
   where resolved_at is null and muted_reason is null group by kind`,
)
const openAlerts = sql<Columns, readonly []>(
  'wallet-alert.standing',
  `select ${alertColumns()} from wallet_notices where resolved_at is null order by last_at desc limit 1000`,
)

export const walletAlertStore = (pool: Queryable) => ({
  /** True if the alert is to be reported now. */
  raise: async ({ kind, subject, text, ...recordKey }: WalletAlert, now: Date): Promise<boolean> =>
    (await query(pool, raiseAlert, [...keyColumnsOf(recordKey), kind, subject, text, now])).length === 1,
  /** Resolves all alerts of that kind except those of these subjects. */
  resolve: async (recordKey: WalletRecordKey, kind: string, except: readonly string[], now: Date): Promise<void> => {
    await query(pool, resolveAlerts, [...keyColumnsOf(recordKey), kind, except, now])
  },
  /** False if no such alert is open. */
  resolveOne: async (recordKey: WalletRecordKey, kind: string, subject: string, now: Date): Promise<boolean> =>
    (await query(pool, resolveAlert, [...keyColumnsOf(recordKey), kind, subject, now])).length === 1,
  /** False if no such alert is open. */
  mute: async (recordKey: WalletRecordKey, kind: string, subject: string, reason: string): Promise<boolean> =>
    (await query(pool, muteAlert, [...keyColumnsOf(recordKey), kind, subject, reason])).length === 1,
  open: async (): Promise<readonly OpenAlert[]> => (await query(pool, openAlerts, [])).map(alertFrom),
  /** Open alerts that are not muted and were last reported at `then` or earlier. */
  listNotReportedSince: async (then: Date, limit: number): Promise<readonly OpenAlert[]> =>
    (await query(pool, notReportedSince, [then, limit])).map(alertFrom),
  /** The number of open, unmuted alerts by kind; kinds without any are absent. */
  listCounts: (): Promise<readonly { readonly kind: WalletAlertKind; readonly count: number }[]> =>
    query(pool, countOpen, []),
})

const alertFrom = (row: Columns): OpenAlert => ({
  merchantId: row.merchant_id,
  mode: row.side,
  wallet: row.wallet,
  kind: row.kind,
  subject: row.subject,
  text: row.text,
  firstAt: row.first_at,
  lastAt: row.last_at,
  times: row.times,
  mutedReason: row.muted_reason,
})
