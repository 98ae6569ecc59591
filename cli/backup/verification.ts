/** Verifies a dump: restores it into a database that exists only for this, and runs the money checks over all its payments. */
import { randomBytes } from 'node:crypto'
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { findMoneyFaults, type MoneyFault } from '#server/store/payments/money-checks.ts'
import { CommandError } from '../kit/command-error.ts'
import { loadDump } from './dump.ts'

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

/** By text: the address of a socket has an empty host, which the URL class does not accept. */
export const withDatabase = (url: string, name: string): string =>
  url.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, (_whole, server: string) => `${server}/${name}`)
