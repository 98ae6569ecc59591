/** The floor: the durable writes of a payment without an application, repeated as fast as the database takes them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import { Client } from 'pg'
import { only, type Stage } from '../../campaigns/stage/stage.ts'
import type { Scene } from '../scene.ts'
import { type Driven, type DrivenRun, measureDriver, runNodeDriver } from './driven.ts'
import { leanSchema, leanStatements } from './lean.ts'
import { createOwnDatabase } from './own-database.ts'
import { findPgbench, runPgbench } from './pgbench.ts'
import { pgbenchScript } from './pgbench-script.ts'
import type { SaleStatements } from './statements.ts'

export interface Floor {
  /** The program that sends the statements. */
  readonly driver: 'pgbench' | 'Node'
  /** All writes of a SALE, on the gateway's own tables. */
  whole(): Promise<DrivenRun>
  /** The first of these writes alone. */
  intent(): Promise<DrivenRun>
  /** The least that any gateway has to write, on a schema of its own. */
  lean(): Promise<DrivenRun>
}

export async function openFloor(scene: Scene): Promise<Floor> {
  const { stage, sale } = scene
  const pgbench = findPgbench(scene.terms.pgbench)
  if (pgbench === null) process.stderr.write(`${missing}\n`)
  const leanUrl = await createOwnDatabase(stage, 'lean')
  await runAt(leanUrl, (client) => client.query(leanSchema))
  const run = (statements: SaleStatements, url: string): Promise<DrivenRun> => {
    const job = { scene, url, sale: statements }
    return measureDriver(stage, () => (pgbench === null ? driveByNode(job) : driveByPgbench(pgbench, job)))
  }
  return {
    driver: pgbench === null ? 'Node' : 'pgbench',
    whole: () => run(sale, stage.database.url),
    intent: () => run({ ...sale, statements: sale.statements.slice(0, 1) }, stage.database.url),
    lean: () => run(leanStatements(sale), leanUrl),
  }
}

const missing =
  'pgbench was not found, so a slower program sends the statements of the floor. Install it (Debian: apt-get install postgresql) or name it with --pgbench=FILE.'

/** Rows of the floor look like due callbacks and open payments: the worker is stopped, and they are removed before it starts again. */
export async function withoutWorker<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
  const worker = only(stage.workers)
  await worker.stop()
  try {
    return await work()
  } finally {
    await stage.pool.query("delete from callbacks where state = 'due'")
    await stage.pool.query("update transactions set state = 'fail', ask_at = null where state = 'sent'")
    await worker.start()
  }
}

interface Job {
  readonly scene: Scene
  readonly url: string
  readonly sale: SaleStatements
}

async function driveByPgbench(program: string, { scene, url, sale }: Job): Promise<Driven> {
  const { seconds, pool: connections } = scene.terms
  const types = await runAt(url, (client) => readTypes(client, sale))
  const milliseconds = performance.timeOrigin + performance.now()
  return runPgbench(pgbenchScript(sale, { types, connections, milliseconds }), { program, url, connections, seconds })
}

async function readTypes(client: Client, { statements }: SaleStatements): Promise<readonly (readonly string[])[]> {
  for (const [index, statement] of statements.entries())
    await client.query(`prepare floor_${index} as ${statement.text}`)
  const { rows } = await client.query<{ types: string[] }>(
    `select parameter_types::text[] as types from pg_prepared_statements where name like 'floor_%' order by name`,
  )
  return rows.map(({ types }) => types)
}

function driveByNode({ scene, url, sale }: Job): Promise<Driven> {
  const { stage, terms } = scene
  const file = join(stage.folder, 'floor')
  writeFileSync(file, serialize(sale), { mode: 0o600 })
  const script = fileURLToPath(new URL('./node-driver.ts', import.meta.url))
  return runNodeDriver([script, file, String(terms.pool), String(terms.seconds)], { DATABASE_URL: url })
}

async function runAt<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
