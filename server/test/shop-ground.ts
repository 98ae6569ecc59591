/**
 * What a shop stands on: the sandbox, a database with the demo merchants in it, and the foundation of a gateway.
 *
 * Furnishing takes half a second, so that a run of many tests does it once, in a template that every shop of the run clones. The run's
 * folder, which GATEHOUSE_TEST_RUN names, holds the keys that the template is sealed with.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type Foundation, layFoundation } from '#server/assembly/foundation.ts'
import { furnish } from '#server/demo/furnish.ts'
import type { SandboxProcess } from '#server/demo/sandbox-process.ts'
import { createLog } from '#server/observe/log.ts'
import { readConfig } from '#server/process/config.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import { testDatabase, testDatabaseLike } from './database.ts'
import { openSandboxHere } from './sandbox-here.ts'
import { dropFilled, ensureFilled } from './template.ts'

interface Ground {
  readonly base: Foundation
  readonly sandbox: SandboxProcess
  readonly cleanups: readonly (() => Promise<void>)[]
}

type Settings = Readonly<Record<string, string>>

/** Its keys take a second to find, and no test minds whose they are. */
const sharedAuthority = join(tmpdir(), `gatehouse-wallet-authority-${userInfo().uid}`)
const keyFile = 'keys.json'

export async function layGround(settings: Settings): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-shop-'))
  const run = process.env['GATEHOUSE_TEST_RUN']
  // Keys of its own would open nothing of what the template holds.
  const shared = run !== undefined && !Object.keys(settings).some((name) => name.startsWith('GATEHOUSE_KEY'))
  const database = shared ? await testDatabaseLike((url) => furnishedTemplate(url, run)) : await testDatabase()
  if (shared) await copyFile(join(run, keyFile), join(folder, keyFile))
  const sandbox = await openSandboxHere(folder, sharedAuthority)
  const base = await furnished(folder, database.url, sandbox.url, settings)
  return {
    base,
    sandbox,
    cleanups: [() => sandbox.stop(), () => database.drop(), () => rm(folder, { recursive: true, force: true })],
  }
}

/** When the run is over. */
export const forgetFurnished = (serverUrl: string, run: string): Promise<void> => dropFilled(serverUrl, run)

const furnishedTemplate = (serverUrl: string, run: string): Promise<string> =>
  ensureFilled(serverUrl, run, async (databaseUrl) => {
    const sandbox = await openSandboxHere(run, sharedAuthority)
    const base = await furnished(run, databaseUrl, sandbox.url, {})
    await base.pool.end()
    await sandbox.stop()
  })

async function furnished(
  folder: string,
  databaseUrl: string,
  sandboxUrl: string,
  settings: Settings,
): Promise<Foundation> {
  const usual = {
    DATA_DIR: folder,
    // Every connection has its own plans and caches to make, which takes the database longer than the statements of a whole file.
    DATABASE_POOL: '4',
    // A machine that is busy with other tests is no reason to refuse requests; overload has tests of its own.
    MAX_QUEUE_MS: '60000',
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    PORT: '0',
    SESSION_KEY_BITS: '2048',
  }
  const config = readConfig('all', { ...usual, ...settings })
  const base = await layFoundation(config, databaseUrl, createLog({ level: 'error' }))
  await instanceStore(base.pool).claimMode(config.instanceMode)
  await furnish(base, sandboxUrl)
  return base
}
