/**
 * `npm run bench -- settlements [--rows=100000]`: imports a settlement file by the command line while payments go on. The goal
 * is a hundred thousand rows within a minute, with payments at nine tenths of their speed.
 *
 * The payments of the file are copies of one that was made, so that every row is matched. Rounds without the import go before and after, so
 * that other load on the machine affects both.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Pool, PoolClient } from '#server/store/database/pool.ts'
import { only } from '../campaigns/stage/stage.ts'
import type { Figure } from './figure-table.ts'
import { closedLoop } from './load.ts'
import { saleBodies } from './sale.ts'
import type { Scene } from './scene.ts'
import { requireAllAnswered, VoidRun } from './void-run.ts'

const goalSeconds = 60
const goalRows = 100_000
const goalShare = 0.9
const mid = 'sandbox-live'

type Paying = Pick<Scene, 'stage' | 'terms'>

/** Of an instance that is warm; it may have other payments. */
export async function settlementFigures(scene: Paying): Promise<readonly Figure[]> {
  const { rows } = scene.terms
  const { pool, folder, database } = scene.stage
  await copyPayments(pool, rows)
  const file = join(folder, 'settlement.csv')
  await pipeline(Readable.from(linesOf(await copies(pool), rows)), createWriteStream(file))
  const before = await pay(scene, scene.terms.seconds)
  const importing = importFile(file, { DATA_DIR: folder, DATABASE_URL: database.url })
  const [during, { seconds, matched }] = await Promise.all([payUntil(scene, importing), importing])
  const after = await pay(scene, scene.terms.seconds)
  const different = await countDifferences(pool)
  if (matched !== rows || different > 0)
    throw new VoidRun(`${matched} of ${rows} rows were matched, ${different} of them with a difference.`)
  const alone = (before + after) / 2
  return [
    {
      name: `import of ${rows} rows`,
      value: `${seconds.toFixed(1)} s`,
      against: `${goalSeconds} s for ${goalRows}`,
      ratio: seconds / rows / (goalSeconds / goalRows),
      goal: { at: 'most', ratio: 1 },
    },
    {
      name: 'payments meanwhile',
      value: `${during.toFixed(0)} per second`,
      against: `${alone.toFixed(0)} alone`,
      ratio: during / alone,
      goal: { at: 'least', ratio: goalShare },
    },
  ]
}

async function pay(scene: Paying, seconds: number): Promise<number> {
  const load = await closedLoop({
    url: only(scene.stage.apis).url,
    path: '/post',
    connections: scene.terms.connections,
    body: saleBodies(scene.stage.merchant),
    expects: '"status":"SETTLED"',
    seconds,
  })
  await requireAllAnswered(load, only(scene.stage.apis))
  return load.requests / seconds
}

/** Payments per second, in rounds of one second, while the other work is going on. */
async function payUntil(scene: Paying, other: Promise<unknown>): Promise<number> {
  const speeds: number[] = []
  let isDone = false
  const end = (): void => {
    isDone = true
  }
  other.then(end, end)
  while (!isDone) speeds.push(await pay(scene, 1))
  return speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length
}

const imported = z.object({ file: z.object({ rowCount: z.number(), matched: z.number() }) })

async function importFile(file: string, env: Readonly<Record<string, string>>) {
  const begun = performance.now()
  const words = ['settlement', 'import', file, '--mid', mid, '--json']
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['cli/main.ts', ...words], { cwd: root, env })
  const seconds = (performance.now() - begun) / 1000
  return { seconds, matched: imported.parse(JSON.parse(stdout)).file.matched }
}

interface Copy {
  readonly payment: string
  readonly transaction: string
  readonly day: string
  readonly amountMinor: bigint
}

/** An instance that is kept has those of earlier runs. */
const run = randomUUID().slice(0, 8)
const orders = `SETTLED-COPY-${run}-`

/** Payments of the demo merchant that are copied: the newest one and its only transaction, with identifiers of their own. */
async function copyPayments(pool: Pool, count: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(
      `create temporary table sample as select p.merchant_id, p.id, t.id as transaction_id, p.created_at
       from payments p join transactions t on t.merchant_id = p.merchant_id and t.payment_id = p.id join mids m on m.id = p.mid_id
       where p.status = 'SETTLED' and m.name = '${mid}' and not p.test order by p.id desc limit 1`,
    )
    await client.query(
      `create temporary table copies as select n, ${copiedId('p')} as id, ${copiedId('t')} as transaction_id
       from sample, generate_series(1, ${count}) n`,
    )
    const payment = { id: 'copies.id', order_id: `'${orders}' || copies.n`, first_transaction: 'copies.transaction_id' }
    await copyRows(client, 'payments', payment)
    await copyRows(client, 'transactions', { id: 'copies.transaction_id', payment_id: 'copies.id' })
    await copyRows(client, 'ledger_entries', { transaction_id: 'copies.transaction_id', payment_id: 'copies.id' })
    await client.query('analyze')
  } finally {
    client.release(true)
  }
}

/** A time-ordered identifier of version 7 in the month of the sample. */
const copiedId = (of: string): string =>
  `(lpad(to_hex((extract(epoch from sample.created_at) * 1000)::bigint), 12, '0') || '7' || substr(md5('${of}' || n), 1, 3) || '8' ||
    substr(md5('${of}' || n), 4, 15))::uuid`

/** Where a table has the transaction. */
const ids = { transactions: 'id', ledger_entries: 'transaction_id' } as const

/** Every other column is that of the sample. */
async function copyRows(
  client: PoolClient,
  table: 'payments' | keyof typeof ids,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const columns = rows.map(({ name }) => name)
  const key = table === 'payments' ? 'original.id = sample.id' : `original.${ids[table]} = sample.transaction_id`
  await client.query(
    `insert into ${table} (${columns.join(', ')}) select ${columns.map((name) => own[name] ?? `original.${name}`).join(', ')}
     from sample join ${table} original on original.merchant_id = sample.merchant_id and ${key}, copies`,
  )
}

async function copies(pool: Pool): Promise<readonly Copy[]> {
  const { rows } = await pool.query<Copy>(
    `select p.id as payment, p.first_transaction as transaction, p.created_at::date::text as day, p.amount_minor as "amountMinor" from payments p
     where p.order_id like '${orders}%'`,
  )
  return rows
}

/** Of rows. What was paid beside the file on its days is missing in it. */
async function countDifferences(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from settlement_differences where ref like 'R-${run}-%'`,
  )
  return rows[0]?.count ?? 0
}

/** Below the price of the cheapest sale. */
const feeMinor = 14n
const euros = (minor: bigint): string => (Number(minor) / 100).toFixed(2)

function* linesOf(payments: readonly Copy[], rows: number): Generator<string> {
  yield 'row,type,payment_id,transaction_id,currency,gross,fee,net,date\n'
  for (const [index, { payment, transaction, day, amountMinor }] of payments.entries()) {
    const [gross, net] = [amountMinor, amountMinor - feeMinor].map(euros)
    yield `R-${run}-${index},charge,${payment},${transaction},EUR,${gross},${euros(feeMinor)},${net},${day}\n`
  }
  yield `end,${rows}\n`
}
