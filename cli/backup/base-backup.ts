/** A physical backup: the files of the whole server, from which it can be brought to any later moment with the archive of its log. */
import { spawn } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Pool } from '#server/store/database/pool.ts'
import { CommandError } from '../kit/command-error.ts'
import { readEncrypted, writeEncrypted } from './backup-file.ts'
import { tapLabel, writeBaseStart } from './base-start.ts'
import { startTool } from './postgres-tools.ts'

/** Returns the size. */
export async function writeBaseBackup(
  file: string,
  recipient: KeyObject,
  { pool, url }: { readonly pool: Pool; readonly url: string },
): Promise<number> {
  const system = await readSystemIdentifier(pool)
  const options = ['--pgdata=-', '--format=tar', '--wal-method=fetch', '--checkpoint=fast', '--no-password']
  const { stdout, ended } = startTool('pg_basebackup', [...options, '--dbname={database}'], url)
  const label = tapLabel()
  // Before the backup gets its name: one without a note keeps the archive from being cleaned.
  const complete = ended.then(async () => {
    const segment = label.segment()
    if (segment !== null) await writeBaseStart(file, { segment, system })
  })
  return writeEncrypted(file, { source: label.follow(stdout), recipient, complete })
}

async function readSystemIdentifier(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ system: string }>(
    'select system_identifier::text as system from pg_control_system()',
  )
  return rows[0]?.system ?? ''
}

interface BaseRestore {
  readonly file: string
  readonly identityFile: string
  readonly target: string
  readonly walFolder: string
  /** A moment, or the name of a restore point. Null brings the server to the end of the archive. */
  readonly end: Date | string | null
  /** The words that start this command line. */
  readonly program: readonly string[]
}

/** Writes the files of a server that brings itself to the moment when it is started. */
export async function extractBaseBackup(wish: BaseRestore): Promise<void> {
  await unpackBaseBackup(wish)
  await appendFile(join(wish.target, 'postgresql.auto.conf'), recoverySettings(wish))
  await writeFile(join(wish.target, 'recovery.signal'), '', { mode: 0o600 })
}

/** The files as they were backed up, into a new folder. */
export async function unpackBaseBackup({
  file,
  identityFile,
  target,
}: Pick<BaseRestore, 'file' | 'identityFile' | 'target'>): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  if ((await readdir(target)).length > 0)
    throw new CommandError(`${target} is not empty.`, 'Give a new folder. Nothing was changed.')
  const tar = spawn('tar', ['--extract', '--file=-', `--directory=${target}`], { stdio: ['pipe', 'ignore', 'inherit'] })
  const closed = once(tar, 'close')
  await readEncrypted(file, identityFile, tar.stdin)
  await closed
  if (tar.exitCode !== 0) throw new CommandError('tar failed.', `Delete ${target} and try again.`)
}

/** By which a server fetches the archived log. */
export function restoreCommandOf({
  identityFile,
  walFolder,
  program,
}: Pick<BaseRestore, 'identityFile' | 'walFolder' | 'program'>): string {
  const words = [...program, 'restore', 'wal', resolve(walFolder), '--key', resolve(identityFile)].map(shellWord)
  return `${words.join(' ')} %f %p`
}

function recoverySettings(wish: BaseRestore): string {
  const { end } = wish
  const rows = [
    ['restore_command', restoreCommandOf(wish)],
    ...(end === null
      ? []
      : [typeof end === 'string' ? ['recovery_target_name', end] : ['recovery_target_time', serverTime(end)]]),
    ['recovery_target_action', 'promote'],
    // The restored server must not write into the archive of the one that it replaces.
    ['archive_mode', 'off'],
  ]
  return rows.map(([name = '', value = '']) => `${name} = '${value.replaceAll("'", "''")}'\n`).join('')
}

const shellWord = (word: string): string => `'${word.replaceAll('%', '%%').replaceAll("'", `'\\''`)}'`

/** The server reads its configuration before it knows the names of time zones, so not even Z is accepted. */
const serverTime = (moment: Date): string => moment.toISOString().replace('T', ' ').replace('Z', '+00')
