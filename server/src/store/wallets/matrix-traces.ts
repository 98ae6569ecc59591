/**
 * Removes the traces of a run of deliberately wrong tokens: the records of their refusals, by order, and the alerts that they raised.
 * Otherwise they would look like a merchant with wrong keys.
 */
import { type Queryable, query, sql } from '../database/pool.ts'

interface MatrixRun {
  readonly merchantIds: readonly string[]
  /** The prefix of every order in the run. */
  readonly orders: string
  readonly since: Date
}

interface RemovedTraces {
  readonly refusedTokens: number
  readonly alerts: number
}

/** The alerts that a wrong token can raise. Alerts from before the run have other causes and stay. */
const tokenAlerts = `('processing key mismatch', 'sandbox token on live')`

const removeTraces = sql<RemovedTraces, readonly [readonly string[], string, Date, Date]>(
  'wallet-matrix.remove-traces',
  `with refused as (
     delete from refused_wallet_tokens where merchant_id = any($1::uuid[]) and starts_with(order_id, $2) returning id
   ), ended as (
     update wallet_notices set resolved_at = $4
     where merchant_id = any($1) and kind in ${tokenAlerts} and first_at >= $3 and resolved_at is null returning kind
   ), seen as (
     update alerts set resolved_at = $4
     where merchant_id = any($1) and kind in ${tokenAlerts} and raised_at >= $3 and resolved_at is null
   ), counted as (
     update wallet_watches set unmatched = array(select at from unnest(unmatched) as at where at < $3)
     where merchant_id = any($1) and unmatched <> '{}'
   )
   select (select count(*)::int from refused) as "refusedTokens", (select count(*)::int from ended) as alerts`,
)

export const removeMatrixTraces = async (
  on: Queryable,
  { merchantIds, orders, since }: MatrixRun,
  now: Date,
): Promise<RemovedTraces> =>
  (await query(on, removeTraces, [merchantIds, orders, since, now]))[0] ?? { refusedTokens: 0, alerts: 0 }
