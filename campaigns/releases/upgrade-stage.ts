/** The stage of an upgrade: one database, one acquirer, one merchant, and gateway processes of two releases. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openProcessContext } from '#server/assembly/process-context.ts'
import { createLog } from '#server/observe/log.ts'
import { readConfig } from '#server/process/config.ts'
import { loadConfiguration } from '#server/store/configuration/configuration.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { startEmbedded } from '#server/store/database/embedded.ts'
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { emptyTestDatabase } from '../../server/test/database.ts'
import { AcquirerClient } from '../stage/acquirer.ts'
import { email, Merchant, type MerchantCredentials } from '../stage/merchant.ts'
import { Program } from '../stage/program.ts'
import { Receiver, type Trust } from '../stage/receiver.ts'
import type { ReleaseTree } from '../stage/release-tree.ts'
import { startOrigin } from './unfit-origin.ts'

export interface UpgradeStage extends AsyncDisposable {
  readonly folder: string
  readonly pool: Pool
  readonly acquirer: AcquirerClient
  readonly receiver: Receiver
  readonly merchant: Merchant
  program(tree: ReleaseTree, role: 'api' | 'worker', name: string): Program
  /** As an operator does it: with the command of that release. Rejects with its output. */
  migrate(tree: ReleaseTree): Promise<void>
  /** Reads the secrets with which callbacks are verified. It uses our own code, so the schema must be ours by then. */
  learnSecrets(): Promise<void>
}

/** Created by the old release from an empty database, so that rows and schema are its own. */
export async function openUpgradeStage(old: (folder: string) => ReleaseTree, kind: 'own' | 'shared') {
  const cleanups: (() => Promise<unknown>)[] = []
  const dispose = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-upgrade-'))
    cleanups.push(() => rm(folder, { recursive: true, force: true }))
    const tree = old(folder)
    const database = await emptyDatabase(kind, folder)
    cleanups.push(database.close)
    const receiver = new Receiver()
    await receiver.open()
    cleanups.push(() => receiver.close())
    const sandbox = new Program({
      name: 'acquirer',
      script: ['sandbox/all/main.ts'],
      env: { SANDBOX_PORT: '0', SANDBOX_DATA: join(folder, 'sandbox'), SANDBOX_AUTHORITY: sharedAuthority },
      logFile: join(folder, 'acquirer.log'),
      ready: /"url":"(http:[^"]+)"/,
    })
    await sandbox.start()
    cleanups.push(() => sandbox.stop())

    const env = {
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'warn',
      SESSION_KEY_BITS: '2048',
      // A busy machine makes requests wait; refusing them is right, but says nothing about the upgrade.
      MAX_QUEUE_MS: '60000',
    }
    await setUpBy(tree, { ...env, SANDBOX_URL: sandbox.url, PORT: '0' }, folder)
    const pool = openPool(database.url, { max: 4, applicationName: 'gatehouse campaign' })
    cleanups.push(() => pool.end())
    await pool.query('update merchants set notification_url = $1, rate_per_second = 1000000', [receiver.urlOf('demo')])
    const credentials = await credentialsIn(folder)
    const merchant = new Merchant(credentials)
    cleanups.push(() => merchant.close())
    receiver.setTrust('demo', trustIn(merchant, credentials.password, []))
    const programs: Program[] = []
    cleanups.push(() => Promise.all(programs.map((program) => program.stop())))

    const stage: UpgradeStage = {
      folder,
      pool,
      acquirer: new AcquirerClient(() => sandbox.url),
      receiver,
      merchant,
      program: ({ root }, role, name) => {
        const own = role === 'api' ? { PORT: '0' } : { BASE_URL: 'http://127.0.0.1' }
        const program = new Program({
          name,
          script: ['server/src/main.ts', role],
          root,
          env: { ...env, ...own, DATABASE_POOL: '8' },
          logFile: join(folder, `${name}.log`),
          ready: role === 'api' ? /ready: (http:\S+)/ : /ready/,
        })
        programs.push(program)
        return program
      },
      migrate: async ({ root }) => {
        const flags = ['--disable-warning=ExperimentalWarning', 'cli/main.ts', 'migrate']
        await promisify(execFile)(process.execPath, flags, { cwd: root, env })
      },
      learnSecrets: async () => {
        receiver.setTrust('demo', await trustOf(folder, database.url, merchant))
      },
      [Symbol.asyncDispose]: dispose,
    }
    return { stage, tree }
  } catch (error) {
    await dispose()
    throw error
  }
}

const sharedAuthority = join(tmpdir(), `gatehouse-wallet-authority-${process.getuid?.() ?? 0}`)

async function emptyDatabase(kind: 'own' | 'shared', folder: string) {
  if (kind === 'shared') {
    const clone = await emptyTestDatabase()
    return { url: clone.url, close: () => clone.drop() }
  }
  const embedded = await startEmbedded({ dataDir: join(folder, 'postgres') })
  return { url: embedded.url, close: () => embedded.stop() }
}

/** `all` migrates an empty database and creates the demo merchants. */
async function setUpBy({ root }: ReleaseTree, env: Readonly<Record<string, string>>, folder: string): Promise<void> {
  const setupProgram = new Program({
    name: 'setup',
    script: ['server/src/main.ts'],
    root,
    env,
    logFile: join(folder, 'setup.log'),
    ready: /ready: (http:\S+)/,
  })
  await startOrigin(setupProgram)
  await setupProgram.stop()
}

async function credentialsIn(folder: string): Promise<MerchantCredentials> {
  // Written by our own program a moment ago.
  const { merchants } = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as {
    readonly merchants: readonly (MerchantCredentials & { readonly name: string })[]
  }
  const demo = merchants.find(({ name }) => name === 'demo')
  if (!demo) throw new Error('There is no demo merchant.')
  return demo
}

const trustIn = (merchant: Merchant, password: string, webhookSecrets: readonly string[]): Trust => ({
  password,
  webhookSecrets,
  email,
  pan10Of: (orderId) => merchant.pan10Of(orderId),
  isApm: (orderId) => merchant.isApm(orderId),
})

async function trustOf(folder: string, databaseUrl: string, merchant: Merchant): Promise<Trust> {
  const config = readConfig('all', { DATA_DIR: folder, DATABASE_URL: databaseUrl, DATABASE_POOL: '2' })
  const base = await openProcessContext(config, databaseUrl, createLog({ level: 'error' }))
  try {
    const row = (await merchantStore(base.pool).list()).find(({ name }) => name === 'demo')
    if (!row) throw new Error('There is no demo merchant.')
    const configuration = await loadConfiguration(base.pool, base.vault, base.log)
    const { password, webhookSecrets } = await configuration.readSecrets(row.id)
    return trustIn(
      merchant,
      password.reveal(),
      webhookSecrets.map((secret) => secret.reveal()),
    )
  } finally {
    await base.pool.end()
  }
}
