/**
 * The passwords of the embedded server. Its socket is in a closed folder, but the account that it runs under may be shared with other
 * programs, above all `nobody`. A client must therefore also know a secret stored beside the data, which only the user who started the
 * gateway can read.
 *
 * A server that an earlier release created without passwords gets them at its next start: PostgreSQL sets the superuser's in single-user
 * mode, before any client can connect.
 */
import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StartupError } from '../../../process/startup-error.ts'
import { runAs } from './account.ts'
import { type Cluster, gatewayRole, pathForServer, superuser } from './cluster.ts'
import { cleanEnvironment } from './programs.ts'

const rulesFile = 'gatehouse_hba.conf'
const rules = '# Written by Gatehouse at every start.\nlocal all all scram-sha-256\n'

/** The secret is random, so a slow hash would add nothing. */
export const scramSettings = ['-c', 'password_encryption=scram-sha-256', '-c', 'scram_iterations=1'] as const

export function passwordOf(cluster: Cluster, role: string): string {
  return createHmac('sha256', ensureSecret(cluster)).update(role).digest('hex')
}

/** The server's options for its access rules. */
export const accessSettings = ({ account, dataDir }: Cluster): readonly string[] => [
  '-c',
  `hba_file=${join(pathForServer(account, dataDir), rulesFile)}`,
]

/** Call before the server starts. False if another process has just begun to start it. */
export async function requirePasswords(cluster: Cluster): Promise<boolean> {
  const { account, dataDir } = cluster
  const rulesPath = join(dataDir, rulesFile)
  if (existsSync(rulesPath) && existsSync(secretFile(cluster))) return true
  if (!(await setPasswords(cluster))) return false
  writeFileSync(rulesPath, rules, { mode: 0o600 })
  if (account) chownSync(rulesPath, account.uid, account.gid)
  return true
}

const secretFile = ({ dataDir }: Cluster): string => join(dirname(dataDir), 'password')

/** Created once, by the first process: creating a hard link fails if the file exists. */
function ensureSecret(cluster: Cluster): string {
  const file = secretFile(cluster)
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
    try {
      linkSync(draft, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    } finally {
      rmSync(draft)
    }
  }
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8').trim()
}

async function setPasswords(cluster: Cluster): Promise<boolean> {
  const { account, dataDir, programs } = cluster
  const options = ['--single', '-D', pathForServer(account, dataDir), ...scramSettings, 'postgres']
  const server = spawn(programs.postgres, options, {
    ...runAs(account),
    cwd: dataDir,
    env: cleanEnvironment,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => server.once('error', reject).once('close', resolve))
  // A server that fails to start closes its input before it has read it.
  server.stdin.on('error', () => undefined)
  server.stdin.end(changesFor(cluster))
  const [said, code] = await Promise.all([text(server.stderr), ended])
  if (code === 0 && !/ERROR|FATAL|PANIC/.test(said)) return true
  if (/already exists|still in use/.test(said)) return false
  throw new StartupError(
    `PostgreSQL does not start: ${said.trim().split('\n').at(-1) ?? ''}`,
    'Fix the cause named in the message, then start again.',
  )
}

/** One statement per line, as the single-user mode requires. At the first start the gateway's role does not exist yet. */
const changesFor = (cluster: Cluster): string =>
  [superuser, gatewayRole]
    .map((role) => {
      const change = `alter role ${role} password '${passwordOf(cluster, role)}'`
      return `do $$ begin if exists (select 1 from pg_roles where rolname = '${role}') then ${change}; end if; end $$\n`
    })
    .join('')
