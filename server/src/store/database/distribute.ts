/**
 * Distributes the tables of an instance over the servers of a Citus cluster. See decisions/shards#distribution-by-merchant.
 *
 * Each table is one step, and the steps that are done already are left out, so that an interrupted run is simply repeated. The rows move
 * while the tables are locked; therefore no process of the instance may run meanwhile.
 */
import { StartupError } from '../../process/startup-error.ts'
import { readProcessCount } from '../instance/presence.ts'
import { claimsAreFilled, claimsAreOnlyMarked, fillClaims } from '../months/claim-fill.ts'
import { distributedTables } from './distribution.ts'
import type { Pool, PoolClient } from './pool.ts'

interface DistributionStep {
  readonly table: string
  readonly text: string
}

const [firstTable] = distributedTables

/**
 * All tables are co-located with the first, so that a merchant's rows of all tables are on one server. Some have triggers, which Citus
 * distributes only if it is told that they are safe: the one that stays looks at nothing but its own row.
 */
export const distributionSteps = (shardCount: number): readonly DistributionStep[] =>
  distributedTables.map((table) => ({
    table,
    text: `select create_distributed_table('${table}', 'merchant_id', ${
      table === firstTable
        ? `colocate_with => 'none', shard_count => ${shardCount}`
        : `colocate_with => '${firstTable}'`
    })`,
  }))

/** The originals on the coordinator, which Citus keeps until they are emptied; referencing tables come first. */
export const emptyingSteps: readonly DistributionStep[] = distributedTables
  .toReversed()
  .map((table) => ({ table, text: `select truncate_local_data_after_distributing_table('${table}')` }))

/**
 * Citus has no keys between parts, and a trigger on a shard may not write to another distributed table. Those that write claims for the
 * previous release go; from then on only programs that write their own claims may serve, as the record of the migrations says.
 * See decisions/months#keys-within-a-month and decisions/months#claims-across-months.
 *
 * One statement, which changes what is there: a run that is repeated finds distributed tables, and Citus would pass on a text with several
 * statements, and refuse it.
 */
export const partPreparation = `do $do$
declare held record;
begin
  for held in select conrelid::regclass as part, conname as name from pg_constraint where contype = 'f' and connamespace = 'months'::regnamespace loop
    execute format('alter table %s drop constraint %I', held.part, held.name);
  end loop;
  for held in select tgrelid::regclass as part, tgname as name from pg_trigger
    where tgname in ('payments_claim', 'payments_claim_again', 'transactions_claim') and tgparentid = 0 loop
    execute format('drop trigger %I on %s', held.name, held.part);
  end loop;
  update schema_migrations set oldest_program = number where name = 'claims';
end $do$`

export const sessionSettings = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set citus.enable_unsafe_triggers = on`

interface Distribution {
  readonly distributed: readonly string[]
  readonly servers: number
}

/** Returns the tables that this run distributed. */
export async function distribute(pool: Pool, shardCount: number, log: (line: string) => void): Promise<Distribution> {
  const client = await pool.connect()
  try {
    await requireCitus(client)
    await requireQuiet(pool)
    const done = new Set(await readDistributed(client))
    if (!done.has(firstTable)) await requireClaims(pool)
    await client.query(sessionSettings)
    await client.query(partPreparation)
    const steps = distributionSteps(shardCount).filter(({ table }) => !done.has(table))
    for (const [index, { table, text }] of steps.entries()) {
      log(`Distributing ${table} (${index + 1} of ${steps.length}).`)
      await client.query(text)
    }
    for (const { text } of emptyingSteps) await client.query(text)
    const { rows } = await client.query<{ servers: number }>(
      'select count(distinct nodename || nodeport)::int as servers from citus_shards where table_name = $1::regclass',
      [firstTable],
    )
    return { distributed: steps.map(({ table }) => table), servers: rows[0]?.servers ?? 0 }
  } finally {
    // The settings of this session must not reach another user of the pool.
    client.release(true)
  }
}

async function readDistributed(client: PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'`,
  )
  return rows.map(({ name }) => name)
}

async function requireCitus(client: PoolClient): Promise<void> {
  const { rowCount } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
  if (rowCount === 1) return
  throw new StartupError(
    'This database does not have the extension citus.',
    'Install Citus on every server, run `create extension citus` in this database, and add the workers with citus_add_node. One server needs no distribution.',
  )
}

/** They are filled in by pages over all merchants, which a distributed database refuses. */
export async function requireClaims(pool: Pool): Promise<void> {
  if (await claimsAreOnlyMarked(pool)) await fillClaims(pool)
  if (await claimsAreFilled(pool)) return
  throw new StartupError(
    'The claims of earlier payments are not written yet.',
    'Start a worker, and wait until `npm run gatehouse -- doctor` no longer says so.',
  )
}

async function requireQuiet(pool: Pool): Promise<void> {
  const running = await readProcessCount(pool)
  if (running === 0) return
  throw new StartupError(
    `${running} ${running === 1 ? 'process' : 'processes'} of this instance ${running === 1 ? 'is' : 'are'} running.`,
    'Stop all api and worker processes; the tables are locked while their rows move.',
  )
}
