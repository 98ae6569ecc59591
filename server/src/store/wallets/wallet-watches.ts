/** When wallet records are checked next, and how often tokens named a missing key. Chapter 40 §6. */
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { keyColumnsOf } from './wallet-settings.ts'

type Columns = { merchant_id: string; side: Mode; wallet: Wallet }

const claimStatement = (column: 'check_at' | 'probe_at') =>
  sql<Columns, readonly [Date, number, number]>(
    `wallet-watch.claim-${column === 'check_at' ? 'check' : 'probe'}`,
    `with due as (
       select merchant_id, side, wallet from wallet_watches
       where ${column} <= $1 and (lease_until is null or lease_until < clock_timestamp())
       order by ${column} limit $2
       for update skip locked
     )
     update wallet_watches held set lease_until = clock_timestamp() + make_interval(secs => $3)
     from due where (held.merchant_id, held.side, held.wallet) = (due.merchant_id, due.side, due.wallet)
     returning held.merchant_id, held.side, held.wallet`,
  )
const keepStatement = (column: 'check_at' | 'probe_at') =>
  sql<Record<never, never>, readonly [string, string, string, Date]>(
    `wallet-watch.keep-${column === 'check_at' ? 'check' : 'probe'}`,
    `update wallet_watches set ${column} = $4, lease_until = null where merchant_id = $1 and side = $2 and wallet = $3`,
  )
const claimCheck = claimStatement('check_at')
const claimProbe = claimStatement('probe_at')
const keepCheck = keepStatement('check_at')
const keepProbe = keepStatement('probe_at')
/** A change may bring the next check forward, but never defer it. */
const checkSoon = sql<Record<never, never>, readonly [string, string, string, Date]>(
  'wallet-watch.check-soon',
  `update wallet_watches set check_at = least(check_at, $4) where merchant_id = $1 and side = $2 and wallet = $3`,
)
const checkAll = sql<Record<never, never>, readonly [Date]>(
  'wallet-watch.check-all',
  'update wallet_watches set check_at = least(check_at, $1)',
)
const countUnmatched = sql<{ count: number }, readonly [string, string, string, Date]>(
  'wallet-watch.unmatched',
  `update wallet_watches set unmatched =
     (select coalesce(array_agg(at), '{}') from unnest(unmatched || $4::timestamptz) as at where at > $4 - interval '1 hour')
   where merchant_id = $1 and side = $2 and wallet = $3
   returning cardinality(unmatched) as count`,
)

const readAnnounced = sql<{ announced: boolean }, readonly [string, string, string]>(
  'wallet-watch.announced',
  'select announced from wallet_watches where merchant_id = $1 and side = $2 and wallet = $3',
)
const keepAnnounced = sql<Record<never, never>, readonly [string, string, string, boolean]>(
  'wallet-watch.keep-announced',
  'update wallet_watches set announced = $4 where merchant_id = $1 and side = $2 and wallet = $3',
)

interface WalletWatches {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly WalletRecordKey[]>
  keep(recordKey: WalletRecordKey, nextAt: Date): Promise<void>
}

export const walletWatchStore = (pool: Queryable) => ({
  checks: watches(pool, claimCheck, keepCheck),
  probes: watches(pool, claimProbe, keepProbe),
  checkSoon: async (recordKey: WalletRecordKey, at: Date): Promise<void> => {
    await query(pool, checkSoon, [...keyColumnsOf(recordKey), at])
  },
  /** At the start of a worker, so that changes made while none was running are found at once. */
  checkAll: async (now: Date): Promise<void> => {
    await query(pool, checkAll, [now])
  },
  /** Whether the merchant was informed that the wallet is live. */
  isAnnounced: async (recordKey: WalletRecordKey): Promise<boolean> =>
    (await query(pool, readAnnounced, keyColumnsOf(recordKey)))[0]?.announced ?? false,
  keepAnnounced: async (recordKey: WalletRecordKey, announced: boolean): Promise<void> => {
    await query(pool, keepAnnounced, [...keyColumnsOf(recordKey), announced])
  },
  /** Counts a genuine token that named no active key. Returns how many there were within the hour. */
  countUnmatched: async (recordKey: WalletRecordKey, now: Date): Promise<number> =>
    (await query(pool, countUnmatched, [...keyColumnsOf(recordKey), now]))[0]?.count ?? 0,
})

function watches(pool: Queryable, claim: typeof claimCheck, keep: typeof keepCheck): WalletWatches {
  return {
    claim: async (now, limit, leaseSeconds) => {
      const rows = await query(pool, claim, [now, limit, leaseSeconds])
      return rows.map(({ merchant_id, side, wallet }) => ({ merchantId: merchant_id, mode: side, wallet }))
    },
    keep: async (recordKey, nextAt) => {
      await query(pool, keep, [...keyColumnsOf(recordKey), nextAt])
    },
  }
}
