/**
 * The environment of a shop: the sandbox, a database with the demo merchants, and the process context of a gateway.
 *
 * Creating the demo data takes half a second, so a run of many tests does it once, in a template that every shop of the run clones. The
 * run's folder, named by GATEHOUSE_TEST_RUN, has the keys with which the template's data is encrypted.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { dayMs } from '#domain/time.ts'
import { openProcessContext, type ProcessContext } from '#server/assembly/process-context.ts'
import { ensureDemoData } from '#server/demo/demo-data.ts'
import type { SandboxProcess } from '#server/demo/sandbox-process.ts'
import { createLog } from '#server/observe/log.ts'
import { machineMs } from '#server/process/clock.ts'
import { readConfig } from '#server/process/config.ts'
import { sessionKeys } from '#server/protocols/checkout/session-keys.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import { sessionKeyRows } from '#server/store/sessions/session-keys.ts'
import { testDatabase, testDatabaseLike } from './database.ts'
import { openSandboxHere } from './sandbox-here.ts'
import { dropFilled, ensureFilled } from './template.ts'

interface ShopEnvironment {
  readonly base: ProcessContext
  readonly sandbox: SandboxProcess
  readonly cleanups: readonly (() => Promise<void>)[]
}

type Settings = Readonly<Record<string, string>>
/** Puts something between the gateway and its database; returns the address at which the gateway finds it. */
export type DatabaseBarrier = (url: string) => Promise<string>

/**
 * The clock of every shop begins at this moment, so that no test depends on the day and the hour at which it runs: noon of a Monday, days away
 * from the end of a month, of a quarter and of summer time. A live instance has no clock of its own and begins at the machine's time.
 *
 * A clock only moves forward. When the machine has reached this moment, replace it by a Monday some years later.
 */
const beginning = new Date('2029-05-07T12:00:00Z')

/** Its keys take a second to find, and all shops can share them. Its certificates are valid from the beginning; campaigns run now, with their own. */
const sharedAuthority = join(tmpdir(), `gatehouse-shop-authority-${userInfo().uid}`)
const keyFile = 'keys.json'

export async function openShopEnvironment(
  settings: Settings,
  barrier: DatabaseBarrier = (url) => Promise.resolve(url),
): Promise<ShopEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-shop-'))
  const run = process.env['GATEHOUSE_TEST_RUN']
  // With its own keys a shop could not decrypt the data of the template.
  const shared = run !== undefined && !Object.keys(settings).some((name) => name.startsWith('GATEHOUSE_KEY'))
  const database = shared ? await testDatabaseLike((url) => ensureDemoTemplate(url, run)) : await testDatabase()
  if (shared) await copyFile(join(run, keyFile), join(folder, keyFile))
  const sandbox = await openSandboxHere(folder, sharedAuthority)
  const begin = { databaseUrl: await barrier(database.url), sandboxUrl: sandbox.url, at: beginning }
  const base = await openDemoContext(folder, begin, settings)
  return {
    base,
    sandbox,
    cleanups: [() => sandbox.stop(), () => database.drop(), () => rm(folder, { recursive: true, force: true })],
  }
}

/** Called when the run is over. */
export const dropDemoTemplate = (serverUrl: string, run: string): Promise<void> => dropFilled(serverUrl, run)

let demoTemplate: Promise<string> | null = null

/** One server and one run for the whole process. */
function ensureDemoTemplate(serverUrl: string, run: string): Promise<string> {
  demoTemplate ??= fillDemoTemplate(serverUrl, run)
  return demoTemplate
}

const fillDemoTemplate = (serverUrl: string, run: string): Promise<string> =>
  ensureFilled(serverUrl, run, async (databaseUrl) => {
    const sandbox = await openSandboxHere(run, sharedAuthority)
    // The clock of a clone moves on from here to the beginning of its shop, however late in the run it is opened.
    const dayBefore = new Date(beginning.getTime() - dayMs)
    const base = await openDemoContext(run, { databaseUrl, sandboxUrl: sandbox.url, at: dayBefore }, {})
    await makeSessionKey(base)
    await base.pool.end()
    await sandbox.stop()
  })

/** Each shop with a session would otherwise search for its own, and RSA keys are slow to find. */
async function makeSessionKey({ config, pool, vault, clock, ids }: ProcessContext): Promise<void> {
  await sessionKeys({ rows: sessionKeyRows(pool), vault, clock, ids, bits: config.sessionKeyBits }).readCurrent()
}

/**
 * Every connection builds its own plans and caches, which costs the database more than the statements of a whole file. The fewer, the more
 * of the usual requests wait for one: they are admitted as before.
 */
const fewConnections = { DATABASE_POOL: '2', MAX_CONCURRENT_REQUESTS: '8' }

interface Begin {
  readonly databaseUrl: string
  readonly sandboxUrl: string
  readonly at: Date
}

async function openDemoContext(
  folder: string,
  { databaseUrl, sandboxUrl, at }: Begin,
  settings: Settings,
): Promise<ProcessContext> {
  const usual = {
    DATA_DIR: folder,
    ...(settings['DATABASE_POOL'] === undefined ? fewConnections : {}),
    PANEL_DATABASE_POOL: '2',
    // A machine that is busy with other tests must not cause refusals; overload has its own tests.
    MAX_QUEUE_MS: '60000',
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    PORT: '0',
    SESSION_KEY_BITS: '2048',
  }
  const config = readConfig('all', { ...usual, ...settings })
  const base = await openProcessContext(config, databaseUrl, createLog({ level: 'error' }))
  await instanceStore(base.pool).claimMode(config.instanceMode)
  if (config.instanceMode === 'sandbox') await moveClocks(base, sandboxUrl, at)
  await ensureDemoData(base, sandboxUrl)
  return base
}

async function moveClocks({ clock, pool }: ProcessContext, sandboxUrl: string, at: Date): Promise<void> {
  const offsetMs = at.getTime() - machineMs()
  if (offsetMs < clock.offsetMs)
    throw new Error(`Tests begin at ${at.toISOString()}, which is over. Choose a later moment.`)
  clock.moveTo(await instanceStore(pool).advanceClock(offsetMs - clock.offsetMs))
  await fetch(`${sandboxUrl}/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ offset_ms: offsetMs }),
  })
}
