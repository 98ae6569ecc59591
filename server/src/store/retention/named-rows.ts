/**
 * Rows that are found over all merchants and then changed by name: on one server together, in a distributed database bucket by bucket, because
 * Citus locks rows and looks up further ones only on one shard. See decisions/shards#rows-first.
 */
import type { RowKey } from '#server/contracts/records.ts'
import { type InBucket, isDistributed, ofMerchants, oneServer, splitByBucket } from '../database/buckets.ts'
import { type Queryable, query, type Statement, sql } from '../database/pool.ts'

/** The first two parameters of a statement on named rows. */
export type Names = readonly [merchants: readonly string[], ids: readonly string[]]

export const namedRows = (type: 'uuid' | 'text' = 'uuid'): string =>
  `unnest($1::uuid[], $2::${type}[]) as named (merchant_id, id)`

interface Forms<Row extends object, Params extends readonly unknown[]> {
  readonly all: Statement<Row, Params>
  readonly ofBucket: Statement<Row, Params>
}

/** A statement in its form for one server, and in that for a bucket. The merchants are its first parameter in both. */
export const inForms = <Row extends object, Params extends readonly unknown[]>(
  name: string,
  text: (inBucket: InBucket) => string,
): Forms<Row, Params> => ({
  all: sql(name, text(oneServer.inBucket)),
  ofBucket: sql(`${name}-in-bucket`, text(ofMerchants(1))),
})

/** Runs it for rows of one bucket. */
export const queryForm = async <Row extends object, Params extends readonly unknown[]>(
  on: Queryable,
  { all, ofBucket }: Forms<Row, Params>,
  params: Params,
): Promise<readonly Row[]> => query(on, (await isDistributed(on)) ? ofBucket : all, params)

/** Runs it for the named rows of any merchants. */
export async function queryNamed<Row extends object, Rest extends readonly unknown[]>(
  on: Queryable,
  forms: Forms<Row, readonly [...Names, ...Rest]>,
  rows: readonly RowKey[],
  ...rest: Rest
): Promise<readonly Row[]> {
  const found: Row[] = []
  for (const bucket of await splitByBucket(on, rows))
    found.push(...(await queryForm(on, forms, [...namesOf(bucket), ...rest])))
  return found
}

export const namesOf = (rows: readonly RowKey[]): Names => [
  rows.map(({ merchantId }) => merchantId),
  rows.map(({ id }) => id),
]
