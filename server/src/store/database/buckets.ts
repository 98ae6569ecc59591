/**
 * Claims of due work, on one server and in a distributed database. See decisions/shards#claims-shard-by-shard.
 *
 * On one server a claim is one statement over all merchants. Citus refuses `for update skip locked` over several shards; there a claim first
 * reads which merchants have due rows, groups them by shard, and claims bucket by bucket, each with one statement. Workers begin with
 * different buckets.
 */
import { type Holder, livingProcesses } from './lease.ts'
import { type Pool, type Queryable, query, type Statement, sql } from './pool.ts'

/** What a claim's text says about merchants and about processes that are gone. */
interface ClaimScope {
  /** Is it a claim for one bucket. */
  readonly isBucket: boolean
  /** A condition that begins with `and`; empty on one server. */
  readonly inBucket: (alias?: string) => string
  /** Whether the process whose number the column has is gone. */
  readonly isGone: (column: string) => string
}

// `<> all` of an empty list is true even for null, so a row without a process is excluded first.
export const oneServer: ClaimScope = {
  isBucket: false,
  inBucket: () => '',
  isGone: (column) => `${column} is not null and ${column} <> all (${livingProcesses})`,
}

export type InBucket = ClaimScope['inBucket']

/** The merchants of a bucket are a parameter. Every table of the statement has the condition: Citus derives no list of one table from that of another. */
export const ofMerchants =
  (place: number): InBucket =>
  (alias) =>
    ` and ${alias === undefined ? '' : `${alias}.`}merchant_id = any($${place}::uuid[])`

/** Its parameters follow those of the claim: the merchants, then the processes that are gone. */
const bucketScope = (first: number): ClaimScope => ({
  isBucket: true,
  inBucket: ofMerchants(first),
  isGone: (column) => `${column} = any($${first + 1}::int[])`,
})

type BucketParams = readonly [merchants: readonly string[], gone: readonly number[]]

interface DueRow {
  readonly merchant_id: string
  readonly holder: Holder
  readonly sender: Holder
}

interface Claim<Row extends object, Params extends readonly unknown[]> {
  readonly all: Statement<Row, Params>
  readonly ofBucket: Statement<Row, readonly [...Params, ...BucketParams]>
  readonly due: Statement<DueRow, readonly [Date]>
}

interface ClaimTexts {
  /** The number of the claim's own parameters. */
  readonly width: number
  readonly text: (scope: ClaimScope) => string
  /** The rows that may be due at `$1`, as `table where condition`. */
  readonly due: string
  /** The column with the process that sent a request, if the table has one. */
  readonly sender?: string
}

const mostMerchants = 2000

export const claim = <Row extends object, Params extends readonly unknown[]>(
  name: string,
  { width, text, due, sender = 'null::int' }: ClaimTexts,
): Claim<Row, Params> => ({
  all: sql(name, text(oneServer)),
  ofBucket: sql(`${name}-in-bucket`, text(bucketScope(width + 1))),
  due: sql(
    `${name}-merchants`,
    `select distinct merchant_id, leased_by as holder, ${sender} as sender from ${due} limit ${mostMerchants}`,
  ),
})

export async function claimRows<Row extends object, Params extends readonly [] | readonly unknown[]>(
  pool: Pool,
  { all, ofBucket, due }: Claim<Row, Params>,
  { now, limit }: { readonly now: Date; readonly limit: number },
  paramsFor: (limit: number) => Params,
): Promise<readonly Row[]> {
  if (!(await isDistributed(pool))) return query(pool, all, paramsFor(limit))
  const found = await query(pool, due, [now])
  if (found.length === 0) return []
  const gone = await listGoneProcesses(pool, found)
  const claimed: Row[] = []
  for (const merchants of await readBuckets(pool, merchantsOf(found))) {
    if (claimed.length >= limit) break
    claimed.push(...(await query(pool, ofBucket, [...paramsFor(limit - claimed.length), merchants, gone])))
  }
  return claimed
}

const living = sql<{ numbers: readonly number[] }, readonly []>(
  'process.living',
  `select ${livingProcesses} as numbers`,
)

/** Read after the rows: a process that has a row and no lock any more is gone, however late it began. */
async function listGoneProcesses(pool: Pool, rows: readonly DueRow[]): Promise<readonly number[]> {
  const numbers = new Set(rows.flatMap(({ holder, sender }) => [holder, sender]).filter((number) => number !== null))
  if (numbers.size === 0) return []
  const alive = new Set((await query(pool, living, [])).flatMap((row) => row.numbers))
  return [...numbers].filter((number) => !alive.has(number))
}

/** Merchants of one shard, in an order that differs from worker to worker. */
const groupByShard = sql<{ merchants: readonly string[] }, readonly [readonly string[]]>(
  'bucket.of-merchants',
  `select array_agg(merchant.id) as merchants from unnest($1::uuid[]) as merchant (id)
   group by get_shard_id_for_distribution_column('payments', merchant.id) order by random()`,
)

const merchantsOf = (rows: readonly DueRow[]): readonly string[] => [...new Set(rows.map((row) => row.merchant_id))]

const readBuckets = async (on: Queryable, merchants: readonly string[]): Promise<readonly (readonly string[])[]> =>
  (await query(on, groupByShard, [merchants])).map((bucket) => bucket.merchants)

/** Rows of several merchants, bucket by bucket; on one server all are together. */
export async function splitByBucket<Row extends { readonly merchantId: string }>(
  on: Queryable,
  rows: readonly Row[],
): Promise<readonly (readonly Row[])[]> {
  if (rows.length === 0) return []
  const byMerchant = Map.groupBy(rows, ({ merchantId }) => merchantId)
  if (byMerchant.size === 1 || !(await isDistributed(on))) return [rows]
  const buckets = await readBuckets(on, [...byMerchant.keys()])
  return buckets.map((merchants) => merchants.flatMap((merchantId) => byMerchant.get(merchantId) ?? []))
}

const known = new WeakMap<Queryable, Promise<boolean>>()

/** Asked once per pool or connection: `migrate distribute` runs while no process does. */
export function isDistributed(on: Queryable): Promise<boolean> {
  const before = known.get(on)
  if (before) return before
  const answer = readDistribution(on)
  known.set(on, answer)
  answer.catch(() => known.delete(on))
  return answer
}

async function readDistribution(on: Queryable): Promise<boolean> {
  const { rows } = await on.query<{ found: boolean }>(`select to_regclass('pg_dist_partition') is not null as found`)
  if (rows[0]?.found !== true) return false
  const { rowCount } = await on.query(`select 1 from pg_dist_partition where logicalrelid = 'payments'::regclass`)
  return rowCount === 1
}
