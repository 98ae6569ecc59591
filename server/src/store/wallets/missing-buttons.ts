/** Why pages showed no wallet button, counted by day. Chapter 40 §17. */
import type { MissingButton } from '../../contracts/ports.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface MissedOnDay extends WalletRecordKey, MissingButton {
  /** YYYY-MM-DD. */
  readonly day: string
  readonly count: number
  readonly lastAt: Date
}

export interface RecordedMissing {
  readonly reason: string
  readonly source: MissingButton['source']
  readonly count: number
  readonly lastAt: Date
}

const addMissed = sql<Record<never, never>, readonly [string]>(
  'missing-button.add',
  `insert into missing_buttons as m (merchant_id, side, wallet, reason, source, day, count, last_at)
   select "merchantId", mode, wallet, reason, source, day, count, "lastAt"
   from jsonb_to_recordset($1::jsonb) as given ("merchantId" uuid, mode text, wallet text, reason text, source text, day date,
     count int, "lastAt" timestamptz)
   order by 1, 2, 3, 6, 4, 5
   on conflict (merchant_id, side, wallet, day, reason, source) do update
   set count = m.count + excluded.count, last_at = greatest(m.last_at, excluded.last_at)`,
)
const forgetMissed = sql<Record<never, never>, readonly [string]>(
  'missing-button.forget',
  'delete from missing_buttons where day < $1',
)
const recentMissed = sql<RecordedMissing, readonly [string, string, string, string]>(
  'missing-button.recent',
  `select reason, source, sum(count)::int as count, max(last_at) as "lastAt" from missing_buttons
   where merchant_id = $1 and side = $2 and wallet = $3 and day >= $4 group by reason, source order by max(last_at) desc`,
)

export const missingButtonStore = (on: Queryable) => ({
  add: async (missed: readonly MissedOnDay[]): Promise<void> => {
    await query(on, addMissed, [JSON.stringify(missed)])
  },
  forget: async (before: string): Promise<void> => {
    await query(on, forgetMissed, [before])
  },
  /** The newest first. */
  listSince: ({ merchantId, mode, wallet }: WalletRecordKey, day: string): Promise<readonly RecordedMissing[]> =>
    query(on, recentMissed, [merchantId, mode, wallet, day]),
})
