/** The last valid answers of the trust sources that are fetched over the network, shared by all processes. Chapter 40 §14. */
import type { WalletSettings } from '../../contracts/wallet-records.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

type Source = WalletSettings['trustSource']

interface TrustText {
  readonly source: Source
  /** `root`, `session`, or the environment of a key list. */
  readonly name: string
  readonly content: string
  readonly fetchedAt: Date
}

const listTrust = sql<{ source: Source; name: string; content: string; fetched_at: Date }, readonly []>(
  'wallet-trust.list',
  'select source, name, content, fetched_at from wallet_trust',
)
// An unchanged answer is not written again, because every write makes all processes reload their configuration.
const putTrust = sql<Record<never, never>, readonly [string, string, string, Date]>(
  'wallet-trust.put',
  `insert into wallet_trust as held (source, name, content, fetched_at) values ($1, $2, $3, $4)
   on conflict (source, name) do update set content = excluded.content, fetched_at = excluded.fetched_at
   where held.content <> excluded.content or held.fetched_at < excluded.fetched_at - interval '1 hour'`,
)

export const walletTrustStore = (pool: Queryable) => ({
  list: async (): Promise<readonly TrustText[]> =>
    (await query(pool, listTrust, [])).map(({ source, name, content, fetched_at }) => ({
      source,
      name,
      content,
      fetchedAt: fetched_at,
    })),
  put: async ({ source, name, content, fetchedAt }: TrustText): Promise<void> => {
    await query(pool, putTrust, [source, name, content, fetchedAt])
  },
})
