/**
 * Verifies backups: restores a dump into a database, and a base backup into a server, that exist only for this, and runs the money checks over
 * all payments.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { findMoneyFaults, type MoneyFault } from '#server/store/payments/money-checks.ts'
import { CommandError } from '../kit/command-error.ts'
import { restoreCommandOf, unpackBaseBackup } from './base-backup.ts'
import { loadDump } from './dump.ts'
import { startScratchServer } from './scratch-server.ts'

interface Verification {
  readonly payments: number
  readonly transactions: number
  readonly newest: Date | null
  readonly faults: readonly MoneyFault[]
}

export async function verifyDump(file: string, identityFile: string, databaseUrl: string): Promise<Verification> {
  const name = `gatehouse_verify_${randomBytes(6).toString('hex')}`
  const server = openPool(databaseUrl, { max: 1, applicationName: 'gatehouse backup verify' })
  try {
    await createDatabase(server, name)
    try {
      const url = withDatabase(databaseUrl, name)
      await loadDump(file, identityFile, url)
      return await examine(url)
    } finally {
      await server.query(`drop database if exists ${name} with (force)`)
    }
  } finally {
    await server.end()
  }
}

interface BaseVerification {
  readonly file: string
  readonly identityFile: string
  /** Only its user and its database count; the server is not asked. */
  readonly databaseUrl: string
  /** Null replays the log inside the backup, which leads to its end. */
  readonly walFolder: string | null
  /** The words that start this command line. */
  readonly program: readonly string[]
}

export async function verifyBaseBackup(wish: BaseVerification): Promise<Verification> {
  const { file, identityFile, databaseUrl, walFolder, program } = wish
  if (process.getuid?.() === 0)
    throw new CommandError('PostgreSQL does not run as root.', 'Run the command as another user, such as postgres.')
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-verify-'))
  try {
    const data = join(folder, 'data')
    await unpackBaseBackup({ file, identityFile, target: data })
    const restoreCommand = walFolder === null ? null : restoreCommandOf({ identityFile, walFolder, program })
    const server = await startScratchServer({ data, folder, restoreCommand })
    try {
      return await examine(onSocket(databaseUrl, folder))
    } finally {
      await server.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function createDatabase(server: Pool, name: string): Promise<void> {
  try {
    await server.query(`create database ${name} template template0`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      `No database for the verification could be created: ${reason}.`,
      'Give the user CREATEDB, or set DATABASE_URL to a server for tests.',
    )
  }
}

async function examine(url: string): Promise<Verification> {
  const pool = openPool(url, { max: 2, applicationName: 'gatehouse backup verify', readOnly: true })
  try {
    const all = { from: new Date(0), to: new Date('9999-01-01T00:00:00Z'), mode: null, merchantIds: null }
    const { lookedAt, faults } = await findMoneyFaults(pool, all)
    const { rows } = await pool.query<{ newest: Date | null }>('select max(updated_at) as newest from payments')
    return { ...lookedAt, newest: rows[0]?.newest ?? null, faults }
  } finally {
    await pool.end()
  }
}

/** The same user and database, at the socket of a folder. */
function onSocket(url: string, folder: string): string {
  const [, user = '', database = ''] =
    /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::[^@/?]*)?@)?[^/?]*\/?([^?]*)/.exec(url) ?? []
  if (user === '' || database === '')
    throw new CommandError(
      'DATABASE_URL has no user or no database.',
      'Set it for the command to postgres://USER@/DATABASE, with those of the instance.',
    )
  return `postgres://${user}@${encodeURIComponent(folder)}:5432/${database}`
}

/** By text: the address of a socket has an empty host, which the URL class does not accept. */
export const withDatabase = (url: string, name: string): string =>
  url.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, (_whole, server: string) => `${server}/${name}`)
