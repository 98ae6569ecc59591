/**
 * Opens the instance: its configuration, and its database with keys and clock. A command is one more process on that database; running
 * processes notice its changes at once.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '#domain/json.ts'
import type { ProcessContext } from '#server/assembly/process-context.ts'
import { type Config, readConfig } from '#server/process/config.ts'
import { StartupError } from '#server/process/startup-error.ts'
import type { Pool } from '#server/store/database/pool.ts'
import type { Service } from '#server/wiring.ts'
import type { Changing } from './change.ts'
import { CommandError } from './command-error.ts'
import type { CommandContext } from './context.ts'

/** The only place of the command line that reads `process.env`. */
export const processEnvironment = (): NodeJS.ProcessEnv => process.env

/** As the settings have it. The mode in force is stored in the database: `openDatabase` and `readConfigInForce` read it. */
export const readInstanceConfig = ({ environment }: CommandContext): Config => readConfig('all', environment)

/** The configuration in the mode of the database; as the settings have it if there is no instance yet. */
export async function readConfigInForce(context: CommandContext): Promise<Config> {
  const config = readInstanceConfig(context)
  if (!hasDatabase(config)) return config
  await using database = await openDatabase(context)
  return database.config
}

/** True if there is a database to look into: one that is named, or one in the data folder. */
export const hasDatabase = (config: Config): boolean =>
  config.databaseUrl !== null || existsSync(embeddedFolder(config))

/** The pool is for reading; writes go through `change`. */
export interface Instance extends ProcessContext, Changing, AsyncDisposable {}

/** Database, keys and clock of an instance whose schema is current. */
export async function openInstance(context: CommandContext): Promise<Instance> {
  const database = await openCurrentDatabase(context)
  try {
    requireMode(database.config, context)
    return await wireInstance(database, context)
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}

/** Refuses an unknown mode: what a command writes may depend on it, and could be wrong for this instance. */
function requireMode({ modeFrom }: Config, { mayChange }: CommandContext): void {
  if (modeFrom !== 'default' || mayChange !== true) return
  throw new CommandError(
    'The service was never started with this database, so its mode (live or sandbox) is not set.',
    'Start the service once, or set GATEHOUSE_MODE to live or sandbox for this command.',
  )
}

export interface Database extends AsyncDisposable {
  /** In the mode of this database. */
  readonly config: Config
  readonly url: string
  readonly pool: Pool
}

/** Refuses a database whose schema is older or newer than this release. */
export async function openCurrentDatabase(context: CommandContext): Promise<Database> {
  const database = await openDatabase(context)
  try {
    const { migrate } = await import('#server/store/database/migrate.ts')
    await migrate(database.pool, { migrate: 'refuse' })
    return database
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * Uses the embedded server if it runs, or starts it; the last process to leave stops it. The driver and the server's code are imported here
 * and not above, because loading them takes longer than most commands.
 */
export async function openDatabase(
  context: CommandContext,
  { create = false, writes = false } = {},
): Promise<Database> {
  const config = readInstanceConfig(context)
  const readOnly = context.guarded === true && !writes
  const server =
    config.databaseUrl === null ? await openEmbedded(config, create) : { url: config.databaseUrl, stop: stopNothing }
  const { openPool } = await import('#server/store/database/pool.ts')
  const pool = openPool(server.url, { max: 4, applicationName: 'gatehouse cli', readOnly })
  const close = async () => {
    await pool.end()
    await server.stop()
  }
  try {
    const { instanceStore } = await import('#server/store/instance/instance.ts')
    const inForce = readConfig('all', context.environment, await instanceStore(pool).readMode())
    return { config: inForce, url: server.url, pool, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    if (error instanceof StartupError) throw error
    const { connectionFault } = await import('#server/store/database/connection/connection-fault.ts')
    throw connectionFault(error)
  }
}

const stopNothing = (): Promise<void> => Promise.resolve()

const embeddedFolder = ({ dataDir }: Config): string => join(dataDir, 'postgres')

async function openEmbedded(config: Config, create: boolean): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const dataDir = embeddedFolder(config)
  if (!create && !existsSync(dataDir)) {
    throw new CommandError(
      `There is no instance in ${config.dataDir} yet.`,
      'Create one with "npm start", or set DATA_DIR or DATABASE_URL.',
    )
  }
  const { startEmbedded } = await import('#server/store/database/embedded.ts')
  return startEmbedded({ dataDir })
}

async function wireInstance(database: Database, context: CommandContext): Promise<Instance> {
  const { output, operator, mayChange } = context
  const { createChanging, notChanging } = await import('./change.ts')
  const { openProcessContext } = await import('#server/assembly/process-context.ts')
  const { createLog } = await import('#server/observe/log.ts')
  const log = createLog({ level: 'warn', destination: { write: (line) => output.err(`Note: ${messageOf(line)}`) } })
  const base = await openProcessContext(database.config, database.url, log)
  return {
    ...base,
    ...(mayChange ? createChanging(base, commandLine(operator)) : notChanging),
    pool: database.pool,
    [Symbol.asyncDispose]: async () => {
      await base.pool.end()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The whole service without a port and without background work, for a command that calls acquirers. */
export async function withService<T>(
  { config, databaseUrl, log }: Instance,
  work: (service: Service, pool: Pool) => Promise<T>,
): Promise<T> {
  const { wireService } = await import('#server/wiring.ts')
  const { openProcessContext } = await import('#server/assembly/process-context.ts')
  const base = await openProcessContext({ ...config, role: 'api' }, databaseUrl, log)
  const service = await wireService(base, null)
  try {
    return await work(service, base.pool)
  } finally {
    await service.stop()
  }
}

/** The actor in the audit log. */
export const commandLine = (operator: string) => ({ label: `command line (${operator})`, address: null })

/** Only the message of a log line is shown to the operator. */
function messageOf(line: string): string {
  const parsed: unknown = JSON.parse(line)
  return isObject(parsed) && typeof parsed['msg'] === 'string' ? parsed['msg'] : line
}
