/** A logical backup: the tables of one database, as pg_dump writes them. */
import type { KeyObject } from 'node:crypto'
import { neverBackedUp } from '#server/store/database/never-backed-up.ts'
import { CommandError } from '../kit/command-error.ts'
import { readEncrypted, writeEncrypted } from './backup-file.ts'
import { startTool } from './postgres-tools.ts'

/** Without verification codes, which may not outlive their payment (PCI DSS 3.3). Returns the size. */
export function writeDump(file: string, recipient: KeyObject, databaseUrl: string): Promise<number> {
  const without = neverBackedUp.map((table) => `--exclude-table-data=${table}`)
  const { stdout, ended } = startTool('pg_dump', ['--format=custom', ...without, '--dbname={database}'], databaseUrl)
  return writeEncrypted(file, { source: stdout, recipient, complete: ended })
}

/** Into an empty database, in one transaction: a dump that is damaged or incomplete leaves it empty. */
export async function loadDump(file: string, identityFile: string, databaseUrl: string): Promise<void> {
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction']
  const { child, stdin, stdout, ended } = startTool('pg_restore', [...options, '--dbname={database}'], databaseUrl)
  stdout.resume()
  const failure = ended.then(
    () => null,
    (error: unknown) => error,
  )
  try {
    await readEncrypted(file, identityFile, stdin)
  } catch (error) {
    child.kill()
    const fault = await failure
    // The program ended first, so writing to it failed; its own words say why.
    throw error instanceof CommandError ? error : (fault ?? error)
  }
  const fault = await failure
  if (fault !== null) throw fault
}
