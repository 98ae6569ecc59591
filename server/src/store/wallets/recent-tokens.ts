/** The newest tokens of a merchant's wallet, accepted and refused, with the record of their checks. Chapter 40 §4.2, "Check now". */
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import type { CheckRecord } from '../../wallets/tokens/opened-token.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

const recentTokens = sql<{ record: CheckRecord }, readonly [string, boolean, string, string, number]>(
  'wallet-token.recent',
  `select record from (
     (select created_at as at, facts -> 'wallet' -> 'checks' as record from payments
      where merchant_id = $1 and test = $2 and facts ? 'wallet' and facts -> 'wallet' ->> 'name' = $4
      order by id desc limit $5)
     union all
     (select at, record from refused_wallet_tokens
      where merchant_id = $1 and side = $3 and record ->> 'wallet' = $4
      order by at desc limit $5)
   ) as tokens order by at desc limit $5`,
)

/** The newest first. */
export async function listNewestTokens(
  pool: Queryable,
  { merchantId, mode, wallet }: WalletRecordKey,
  atMost: number,
): Promise<readonly CheckRecord[]> {
  const rows = await query(pool, recentTokens, [merchantId, mode === 'test', mode, wallet, atMost])
  return rows.map(({ record }) => record)
}
