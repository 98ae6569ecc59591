/** The stage of a measurement: like production on one machine, with the default log level, and a cheap receiver. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { only, openStage, type Stage, until } from '../campaigns/stage/stage.ts'
import { CountingReceiver } from './counting-receiver.ts'
import { canCount, cpuSecondsOfFamily } from './processes.ts'

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
}

export interface Scene extends AsyncDisposable {
  readonly stage: Stage
  readonly terms: Terms
  readonly receiver: CountingReceiver
  /** The recorded statements of two sales. */
  readonly records: string
  /** Bytes of the answer to a SALE. */
  readonly answerBytes: number
}

export async function openScene(terms: Terms): Promise<Scene> {
  await using opened = new AsyncDisposableStack()
  const receiver = new CountingReceiver()
  await receiver.open()
  opened.defer(() => receiver.close())
  const stage = opened.use(
    await openStage({ apis: 1, workers: 1, database: 'own', logLevel: 'info', databasePool: terms.pool }),
  )
  await stage.pool.query('update merchants set notification_url = $1', [receiver.url])
  const records = join(stage.folder, 'statements')
  const answerBytes = await record(stage, records)
  const resources = opened.move()
  return { stage, terms, receiver, records, answerBytes, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Two sales through a process that records its statements; then the normal process is restarted. */
async function record(stage: Stage, file: string): Promise<number> {
  const api = only(stage.apis)
  const hook = new URL('./record-hook.ts', import.meta.url)
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

const drivenSchema = z.object({ payments: z.number(), warmUp: z.number(), seconds: z.number(), cpuSeconds: z.number() })

export interface FloorRun {
  readonly perSecond: number
  /** Milliseconds of CPU time per payment, of driver and database together; null if the system does not provide it. */
  readonly cpuMs: number | null
}

/** `statements` 1 leaves out all but the first write of a payment. */
export async function runFloor({ stage, terms, records }: Scene, statements = 99): Promise<FloorRun> {
  const worker = only(stage.workers)
  await worker.stop()
  const database = stage.database.pid() ?? 0
  const before = canCount ? cpuSecondsOfFamily(database) : 0
  const script = fileURLToPath(new URL('./floor-driver.ts', import.meta.url))
  const driverArguments = [stage.database.url, records, terms.pool, terms.seconds, statements].map(String)
  const driver = spawn(process.execPath, [script, ...driverArguments], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { payments, warmUp, seconds, cpuSeconds } = drivenSchema.parse(JSON.parse(await text(driver.stdout)))
  const used = canCount ? cpuSecondsOfFamily(database) - before : 0
  await forgetFloor(stage)
  await worker.start()
  const cpuMs = canCount ? (cpuSeconds / payments + used / (payments + warmUp)) * 1000 : null
  return { perSecond: payments / seconds, cpuMs }
}

/** The floor's rows look like due callbacks and open payments, so they are removed before a worker handles them. */
async function forgetFloor({ pool }: Stage): Promise<void> {
  await pool.query("delete from callbacks where state = 'due'")
  await pool.query("update transactions set state = 'fail', ask_at = null where state = 'sent'")
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
