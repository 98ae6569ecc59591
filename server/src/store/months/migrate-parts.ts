/**
 * Indexes of tables that are stored in parts, built and dropped while payments continue.
 *
 * PostgreSQL builds an index of a partitioned table concurrently only part by part. A migration names the table as if it had no parts; here
 * its statement becomes an index without parts, one concurrent build per part, and their attachment, after which the whole is valid. Every
 * step is repeatable. Dropping needs a short lock on all parts instead.
 */
import type { PoolClient } from '../database/pool.ts'

const builds = /^create (unique )?index concurrently (?:if not exists )?(\w+) on (\w+)\b([\s\S]*)$/i
const drops = /^drop index concurrently (?:if exists )?(\w+)$/i

/** False if the statement concerns no table in parts; then nothing was done. */
export async function applyInParts(
  client: PoolClient,
  statement: string,
  lockTimeoutSeconds: number,
): Promise<boolean> {
  const [, unique = '', index, table, rest = ''] = builds.exec(statement) ?? []
  if (index !== undefined && table !== undefined && (await readKind(client, table)) === 'p') {
    await buildInParts(client, { unique, index, table, rest, lockTimeoutSeconds })
    return true
  }
  const dropped = drops.exec(statement)?.[1]
  if (dropped === undefined || (await readKind(client, dropped)) !== 'I') return false
  await client.query(`set lock_timeout = '${lockTimeoutSeconds}s'`)
  await client.query(`drop index if exists ${dropped}`)
  return true
}

async function readKind(client: PoolClient, name: string): Promise<string | null> {
  const { rows } = await client.query<{ kind: string }>(
    'select relkind::text as kind from pg_class where relname = $1 and relnamespace = current_schema()::regnamespace',
    [name],
  )
  return rows[0]?.kind ?? null
}

interface PartedIndex {
  readonly unique: string
  readonly index: string
  readonly table: string
  /** The columns and what follows them. */
  readonly rest: string
  readonly lockTimeoutSeconds: number
}

interface IndexedPart {
  readonly part: string
  readonly schema: string
  readonly name: string
  readonly valid: boolean | null
  readonly attached: boolean
}

async function buildInParts(
  client: PoolClient,
  { unique, index, table, rest, lockTimeoutSeconds }: PartedIndex,
): Promise<void> {
  const shortly = `set lock_timeout = '${lockTimeoutSeconds}s'`
  await client.query(shortly)
  await client.query(`create ${unique}index if not exists ${index} on only ${table}${rest}`)
  for (const { part, schema, name, valid, attached } of await listIndexedParts(client, index, table)) {
    if (attached) continue
    await client.query(`set lock_timeout = '0s'`)
    if (valid === false) await client.query(`drop index concurrently ${schema}.${name}`)
    if (valid !== true) await client.query(`create ${unique}index concurrently ${name} on ${part}${rest}`)
    await client.query(shortly)
    await client.query(`alter index ${index} attach partition ${schema}.${name}`)
  }
}

/** The parts of a table, each with the state of its own index. A new part brings its index with it. */
async function listIndexedParts(client: PoolClient, index: string, table: string): Promise<readonly IndexedPart[]> {
  const { rows } = await client.query<IndexedPart>(
    `with parts as (
       select part.oid, format('%I.%I', space.nspname, part.relname) as part, space.nspname as schema, part.relnamespace,
         left($1 || substr(part.relname, length($2) + 1), 63) as name
       from pg_inherits link join pg_class part on part.oid = link.inhrelid join pg_namespace space on space.oid = part.relnamespace
       where link.inhparent = $2::regclass
     )
     select parts.part, parts.schema, parts.name, own.indisvalid as valid,
       exists (select 1 from pg_inherits link join pg_index held on held.indexrelid = link.inhrelid
               where link.inhparent = $1::regclass and held.indrelid = parts.oid) as attached
     from parts left join pg_class found on found.relname = parts.name and found.relnamespace = parts.relnamespace
       left join pg_index own on own.indexrelid = found.oid
     order by parts.part`,
    [index, table],
  )
  return rows
}
