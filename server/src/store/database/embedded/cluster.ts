/**
 * The data of the embedded server: created at the first start, checked at every later one.
 *
 * It is in a subfolder named after PostgreSQL's major version, because the data format changes with it. The outer folder may be a mount
 * point and may contain other things.
 */

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from '../../../process/programs/is-alive.ts'
import { StartupError } from '../../../process/startup-error.ts'
import { type Account, handOver, runAs, serverAccount } from './account.ts'
import { cleanEnvironment, findPrograms, type Programs } from './programs.ts'

export interface Cluster {
  readonly dataDir: string
  readonly logFile: string
  /** Short and the same at every start: names the socket's folder and marks the server's processes. */
  readonly name: string
  readonly account: Account | null
  readonly programs: Programs
}

/** The superuser of the embedded server. The gateway itself uses a role that owns only its database. */
export const superuser = 'postgres'
export const gatewayRole = 'gatehouse'

export async function openCluster(location: string, log: (line: string) => void): Promise<Cluster> {
  const folder = makeFolder(resolve(location))
  const account = serverAccount(folder)
  const programs = await findPrograms(account, folder)
  const dataDir = join(folder, String(programs.major))
  const cluster = { dataDir, logFile: join(folder, 'server.log'), name: clusterName(dataDir), account, programs }

  requireNoOtherMajor(folder, programs.major)
  if (!existsSync(dataDir)) {
    log(`Creating a database in ${folder} (first start only).`)
    await initialise(cluster, folder)
  }
  requireUsable(cluster)
  return cluster
}

/**
 * The data folder's path as the server gets it. The account that runs the server may be unable to traverse there (root's home is closed),
 * but it may use its own working directory, and Linux has a path for that.
 */
export function pathForServer(account: Account | null, dataDir: string): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : dataDir
}

function makeFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(folder)
  } catch (error) {
    throw notWritable(folder, error)
  }
}

function requireNoOtherMajor(folder: string, major: number): void {
  if (existsSync(join(folder, String(major)))) return
  const other = readdirSync(folder).find(
    (entry) => /^\d+$/.test(entry) && existsSync(join(folder, entry, 'PG_VERSION')),
  )
  if (other === undefined) return
  throw new StartupError(
    `The data folder ${folder} was created by PostgreSQL ${other}, but this release uses PostgreSQL ${major}.`,
    'Run the release of Gatehouse that created it, or set DATA_DIR to another folder.',
  )
}

/** Created under a draft name and then renamed, so that an interrupted first start leaves nothing incomplete. */
async function initialise({ dataDir, account, programs }: Cluster, folder: string): Promise<void> {
  removeAbandonedDrafts(folder)
  const draft = mkdtempSync(join(folder, `${draftPrefix}${process.pid}-`))
  try {
    if (account) handOver(draft, account)
    const options = { ...runAs(account), cwd: draft, env: cleanEnvironment }
    await run(programs.initdb, [...initdbArguments, '-D', pathForServer(account, draft)], options)
    renameSync(draft, dataDir)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process that started at the same time may have been first.
    if (existsSync(dataDir)) return
    throw new StartupError(
      `The database could not be created in ${folder}: ${errorLineOf(error)}`,
      'Check that the disk has 100 MB of free space and that the user running Gatehouse can write there.',
      { cause: error },
    )
  }
}

const draftPrefix = '.draft-'

function removeAbandonedDrafts(folder: string): void {
  for (const entry of readdirSync(folder)) {
    const pid = entry.startsWith(draftPrefix) ? Number.parseInt(entry.slice(draftPrefix.length), 10) : Number.NaN
    if (!Number.isNaN(pid) && !isAlive(pid)) rmSync(join(folder, entry), { recursive: true, force: true })
  }
}

/** The last error line of a failed program. The error message itself would begin with the whole command. */
function errorLineOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  return said.split('\n').findLast((line) => line.includes('error:')) ?? messageOf(error)
}

const run = promisify(execFile)

// biome-ignore format: a table is read in columns.
const initdbArguments = [
  `--username=${superuser}`,
  '--auth-local=reject',        // the server is started with our own rules, which require a password
  '--auth-host=reject',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',   // sorts like C but also handles upper and lower case beyond ASCII
  '--no-instructions',
]

function requireUsable({ dataDir, account }: Cluster): void {
  try {
    if (account) handOver(dataDir, account)
    // The server insists on this mode, and folders restored from a backup often lack it.
    chmodSync(dataDir, 0o700)
  } catch (error) {
    throw notWritable(dataDir, error)
  }
}

function clusterName(dataDir: string): string {
  return `gh-${createHash('sha256').update(dataDir).digest('hex').slice(0, 10)}`
}

function notWritable(folder: string, cause: unknown): StartupError {
  return new StartupError(
    `The data folder ${folder} cannot be read and written by this user: ${messageOf(cause)}`,
    'Give the folder to the user running Gatehouse, or set DATA_DIR to another folder.',
    { cause },
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
