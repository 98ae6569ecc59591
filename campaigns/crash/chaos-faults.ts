/** Faults of machines, one after the other, while payments continue. Each fault ends before the next begins. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProcessKiller } from '../process-killer.ts'
import type { Line } from '../stage/line.ts'
import type { Program } from '../stage/program.ts'
import type { Random } from '../stage/random.ts'
import { canMount, emptyDisk, fillDisk } from '../stage/small-disk.ts'
import type { Stage } from '../stage/stage.ts'

interface Scene {
  readonly stage: Stage
  readonly random: Random
  readonly toAcquirer: Line
  readonly toDatabase: Line
  /** The duration of each fault. */
  readonly milliseconds: number
}

interface ChaosFault {
  readonly name: string
  /** Why the fault is not possible here; null if it is. */
  readonly impossibleBecause: (stage: Stage) => string | null
  readonly inject: (scene: Scene) => Promise<void>
}

const always = (): null => null
const ownServer = ({ database }: Stage): string | null => (database.pid() === null ? 'the server is shared' : null)
const ownDisk = (stage: Stage): string | null => ownServer(stage) ?? (canMount ? null : 'a small disk takes root')

// biome-ignore format: a table is read in columns.
export const chaosFaults: readonly ChaosFault[] = [
  // fault                                  impossible                    how
  { name: 'acquirer connections cut',        impossibleBecause: always,    inject: ({ toAcquirer, milliseconds }) => cutOften(toAcquirer, milliseconds) },
  { name: 'database connections cut',        impossibleBecause: always,    inject: ({ toDatabase, milliseconds }) => cutOften(toDatabase, milliseconds) },
  { name: 'api frozen',                      impossibleBecause: always,    inject: ({ stage, milliseconds }) => stopForAWhile(stage.apis[0], milliseconds) },
  { name: 'worker frozen',                   impossibleBecause: always,    inject: ({ stage, milliseconds }) => stopForAWhile(stage.workers[0], milliseconds) },
  { name: 'acquirer frozen',                 impossibleBecause: always,    inject: ({ stage, milliseconds }) => stopForAWhile(stage.sandbox, milliseconds) },
  { name: 'acquirer is slow',                impossibleBecause: always,    inject: slowAcquirer },
  { name: 'worker’s clock 5 minutes ahead',  impossibleBecause: always,    inject: (scene) => wrongClock(scene, 300_000) },
  { name: 'worker’s clock 5 minutes behind', impossibleBecause: always,    inject: (scene) => wrongClock(scene, -300_000) },
  { name: 'database frozen',                 impossibleBecause: ownServer, inject: databaseStopped },
  { name: 'database killed',                 impossibleBecause: ownServer, inject: databaseKilled },
  { name: 'disk full',                       impossibleBecause: ownDisk,   inject: diskFull },
]

async function cutOften(line: Line, milliseconds: number): Promise<void> {
  const times = 4
  for (let count = 0; count < times; count += 1) {
    await line.cut(milliseconds / times / 4)
    await sleep((milliseconds / times / 4) * 3)
  }
}

async function stopForAWhile(program: Program | undefined, milliseconds: number): Promise<void> {
  program?.signal('SIGSTOP')
  await sleep(milliseconds)
  program?.signal('SIGCONT')
}

async function slowAcquirer({ stage, milliseconds }: Scene): Promise<void> {
  await stage.acquirer.setFaults({ delay_ms: Math.min(2_000, milliseconds / 2) })
  await sleep(milliseconds)
  await stage.acquirer.clearFaults()
}

async function wrongClock({ stage, milliseconds }: Scene, ahead: number): Promise<void> {
  const [worker] = stage.workers
  await worker?.kill()
  await worker?.start([`--import=${new URL(`../../tools/testing/clock-hook.ts?ahead=${ahead}`, import.meta.url).href}`])
  await sleep(milliseconds)
  await worker?.kill()
  await worker?.start()
}

/** Every process of the server, as when its machine is frozen for a snapshot. */
async function databaseStopped({ stage, milliseconds }: Scene): Promise<void> {
  const postmaster = stage.database.pid() ?? 0
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number)
  const all = [postmaster, ...children]
  for (const pid of all) signalIfThere(pid, 'SIGSTOP')
  await sleep(milliseconds)
  for (const pid of all) signalIfThere(pid, 'SIGCONT')
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // A session may have ended meanwhile.
  }
}

async function databaseKilled({ stage, random, milliseconds }: Scene): Promise<void> {
  const killer = new ProcessKiller(stage, random)
  killer.kill('database')
  await killer.untilRestarted()
  await sleep(milliseconds)
}

async function diskFull({ stage, milliseconds }: Scene): Promise<void> {
  const { folder } = stage.database
  if (folder === null) return
  fillDisk(folder)
  await sleep(milliseconds)
  emptyDisk(folder)
}
