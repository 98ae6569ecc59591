/** The stage of a measurement: like production on one machine, with the default log level, and a cheap receiver. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { StageDatabase } from '../campaigns/stage/database.ts'
import { only, openStage, type Stage, until } from '../campaigns/stage/stage.ts'
import { CountingReceiver } from './counting-receiver.ts'
import { readRecords, type SaleStatements, saleStatements } from './floor/statements.ts'

export interface Terms {
  readonly seconds: number
  readonly rounds: number
  /** From the merchant to the gateway. */
  readonly connections: number
  /** From the gateway, and from the floor, to the database. */
  readonly pool: number
  /** Names of the acquirers whose stand-ins are measured. */
  readonly standIns: readonly string[]
  /** Of the settlement file that is imported. */
  readonly rows: number
  /** The program pgbench, if it is not to be searched for. */
  readonly pgbench: string | undefined
  /** Plans that are due in the same minute. */
  readonly plans: number
  /** Payments beside them at full speed. */
  readonly isFull: boolean
}

type OpenDatabase = (folder: string) => Promise<StageDatabase>

export interface Scene extends AsyncDisposable {
  readonly stage: Stage
  readonly terms: Terms
  readonly receiver: CountingReceiver
  /** The writes of a SALE as they were recorded. */
  readonly sale: SaleStatements
  /** Bytes of the answer to a SALE. */
  readonly answerBytes: number
}

export async function openScene(terms: Terms, apis = 1, openDatabase?: OpenDatabase): Promise<Scene> {
  await using opened = new AsyncDisposableStack()
  const receiver = new CountingReceiver()
  await receiver.open()
  opened.defer(() => receiver.close())
  const stage = opened.use(
    await openStage({
      apis,
      workers: 1,
      database: 'own',
      logLevel: 'info',
      databasePool: terms.pool,
      ...(openDatabase && { openDatabase }),
    }),
  )
  await stage.pool.query('update merchants set notification_url = $1', [receiver.url])
  const records = join(stage.folder, 'statements')
  const answerBytes = await record(stage, records)
  const sale = saleStatements(readRecords(records))
  const resources = opened.move()
  return { stage, terms, receiver, sale, answerBytes, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Two sales through a process that records its statements; then the normal process is restarted. */
async function record(stage: Stage, file: string): Promise<number> {
  const api = only(stage.apis)
  const hook = new URL('./floor/record-hook.ts', import.meta.url)
  hook.searchParams.set('file', file)
  await api.stop()
  await api.start([`--import=${hook.href}`])
  // The first sale also sends one-time statements, such as those that read the configuration.
  const warm = await stage.merchant.sale(api.url, 'RECORD-0')
  rmSync(file)
  for (const order of ['RECORD-1', 'RECORD-2']) await stage.merchant.sale(api.url, order)
  await api.stop()
  await api.start()
  return warm.answered ? warm.text.length : 0
}

const deliveredWithinMs = 120_000

/** Seconds until the worker had delivered everything after the load ended; null if it never did. */
export function waitForBacklog({ stage }: Scene): Promise<number | null> {
  return until(async () => {
    const { rows } = await stage.pool.query<{ due: number }>(
      "select count(*)::int as due from callbacks where state = 'due'",
    )
    return rows[0]?.due === 0
  }, deliveredWithinMs)
}
