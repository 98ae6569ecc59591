/**
 * A database whose distributed tables are split by merchant: PostgreSQL's own hash partitions stand in for the shards of Citus.
 *
 * Both split by the hash of one column, both refuse a unique index without it, and the planner shows which parts a statement touches. What
 * only Citus refuses (volatile functions, say) is checked on the text of the statements.
 */
import { distributedTables } from '../distribution.ts'
import type { Pool } from '../pool.ts'

const shards = [0, 1]

/** Only unique indexes are carried over: statements need them to resolve conflicts, and a thousand others would take minutes. */
export async function splitByMerchant(pool: Pool): Promise<void> {
  const { rows: keys } = await pool.query<{ table: string; text: string }>(
    `select indrelid::regclass::text as table,
       regexp_replace(pg_get_indexdef(indexrelid), ' INDEX \\S+ ON (ONLY )?', ' INDEX ON ') as text
     from pg_index where indrelid = any ($1::text[]::regclass[]) and indisunique and ${hasMerchant}`,
    [distributedTables],
  )
  const texts = distributedTables.flatMap((table) => [
    `alter table ${table} rename to whole_${table}`,
    `create table ${table} (like whole_${table} including defaults including generated) partition by hash (merchant_id)`,
    ...shards.map(
      (shard) =>
        `create table ${table}__${shard} partition of ${table} for values with (modulus ${shards.length}, remainder ${shard})`,
    ),
    ...keys.filter((key) => key.table === table).map(({ text }) => text),
  ])
  await pool.query([...texts, ...citusNames].join(';\n'))
}

/** What the program asks of Citus: whether payments are distributed, and on which shard a merchant is. */
const citusNames = [
  'create table pg_dist_partition (logicalrelid regclass)',
  `insert into pg_dist_partition (logicalrelid) values ('payments')`,
  `create function get_shard_id_for_distribution_column(regclass, uuid) returns bigint language sql as
   $$ select case when satisfies_hash_partition('payments'::regclass, ${shards.length}, 0, $2) then 0 else 1 end $$`,
]

const hasMerchant = `(
  select attnum from pg_attribute where attrelid = indrelid and attname = 'merchant_id') = any (indkey)`

/** Unique indexes that do not contain the merchant, which a distributed table cannot have. */
export async function listKeysWithoutMerchant(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     where indrelid = any ($1::text[]::regclass[]) and indisunique and not ${hasMerchant} order by 1`,
    [distributedTables],
  )
  return rows.map(({ name }) => name)
}

interface TouchedShards {
  /** Distributed tables that the statement reads or writes. */
  readonly tables: readonly string[]
  /** The number of shards over all tables: 1 if the statement runs on one server. */
  readonly shards: number
}

/** Plans a statement for one merchant and counts the shards that it would touch. Rows to insert are not counted: they name a merchant each. */
export async function findTouchedShards(pool: Pool, text: string): Promise<TouchedShards> {
  const client = await pool.connect()
  try {
    await client.query(
      `set plan_cache_mode = force_custom_plan; set constraint_exclusion = off; prepare looked as ${text}`,
    )
    const { rows } = await client.query<{ types: readonly string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'looked'`,
    )
    const values = (rows[0]?.types ?? []).map((type) => sampleOf(type))
    const plan = await client.query<Record<'QUERY PLAN', unknown>>(
      `explain (format json) execute looked${values.length > 0 ? `(${values.join(', ')})` : ''}`,
    )
    return shardsOf(relationsOf(plan.rows[0]?.['QUERY PLAN']))
  } finally {
    await client.query('deallocate all; reset plan_cache_mode; reset constraint_exclusion').catch(() => undefined)
    client.release()
  }
}

function shardsOf(relations: readonly string[]): TouchedShards {
  const parts = relations.flatMap((relation) => {
    const [table = '', shard] = relation.split('__')
    return distributedTables.some((name) => name === table) ? [{ table, shard }] : []
  })
  const touched = new Set(parts.flatMap(({ shard }) => (shard === undefined ? [] : [shard])))
  return { tables: [...new Set(parts.map(({ table }) => table))], shards: touched.size }
}

function relationsOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(relationsOf)
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'Relation Name' && typeof value === 'string' ? [value] : relationsOf(value),
  )
}

/** Two merchants of one shard. */
export const neighbours = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000003'] as const

const samples: Readonly<Record<string, string>> = {
  inet: `'203.0.113.7'`,
  uuid: `'${neighbours[0]}'`,
  jsonb: `'{}'`,
  json: `'{}'`,
  bytea: `'\\x00'`,
  boolean: 'true',
  date: `'2026-01-01'`,
  time: `'12:00'`,
  'time without time zone': `'12:00'`,
  'timestamp with time zone': `'2026-01-01T00:00:00Z'`,
  interval: `'1 hour'`,
}

function sampleOf(type: string): string {
  // Of a list of one the planner makes an equality, which it carries over to tables that lack the condition. Citus does not.
  if (type === 'uuid[]') return `array[${neighbours.map((id) => `'${id}'`).join()}]::uuid[]`
  if (type.endsWith('[]')) return `array[${sampleOf(type.slice(0, -2))}]::${type}`
  return `${samples[type] ?? `'1'`}::${type}`
}
