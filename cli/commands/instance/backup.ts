/** Encrypted backups: dumps, base backups and the archive of the write-ahead log. Chapter 80 §4. */

import type { KeyObject } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { errorCode } from '#domain/error-code.ts'
import { accept, refuse } from '#domain/reading.ts'
import { dayMs } from '#domain/time.ts'
import { systemClock } from '#server/process/clock.ts'
import { isDistributed } from '#server/store/database/buckets.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { backupAction } from '#server/store/instance/backups.ts'
import { createIdentity, readRecipient } from '../../backup/age-keys.ts'
import { backupName, deleteOlder } from '../../backup/backup-file.ts'
import { ownProgram } from '../../backup/own-program.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { openDatabase, openInstance, readInstanceConfig } from '../../kit/instance.ts'
import { argument, flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { record, table } from '../../kit/table.ts'

const recipientReader: readers.Reader<KeyObject> = (text) => {
  const key = readRecipient(text)
  return key === null ? refuse('a public key such as age1…, as "gatehouse backup key" prints it') : accept(key)
}

const to = value('PUBLIC-KEY', 'Encrypts for this key; default: BACKUP_RECIPIENT.', recipientReader)
const keep = value(
  'DAYS',
  'Deletes older backups of the same kind; the newest always stays.',
  readers.wholeNumber(1, 3650),
)
const folder = argument('FOLDER', readers.nonEmpty)

export const backupCommands: readonly Command[] = [
  command({
    name: 'backup key',
    summary: 'Creates the key that decrypts backups, and prints its public key.',
    details: 'Keep the file away from the machines of the instance: with it and the key file everything can be read.',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: {},
    async run({ output }, args) {
      const file = resolve(args.file)
      const { text, recipient } = createIdentity(systemClock().now())
      await writeNew(file, text)
      output.out(recipient)
      output.err(`${file} decrypts backups. Move it to another place, and set BACKUP_RECIPIENT=${recipient}.`)
    },
  }),

  command({
    name: 'backup create',
    summary: 'Dumps the database into an encrypted file.',
    details:
      'Uses pg_dump. Verification codes are left out. Restores to the moment of the dump; see "backup base" for later ones.',
    args: { folder },
    options: { to, keep },
    changes: true,
    examples: ['gatehouse backup create /var/backups/gatehouse --keep 14'],
    async run(context, args, { to: given, keep: days }) {
      const { writeDump } = await import('../../backup/dump.ts')
      return make(context, {
        kind: 'dump',
        folder: args.folder,
        given,
        days,
        write: (file, recipient, { url }) => writeDump(file, recipient, url),
      })
    },
  }),

  command({
    name: 'backup base',
    summary: 'Copies the whole database server into an encrypted file, for point-in-time restores.',
    details:
      'Uses pg_basebackup: the user of DATABASE_URL needs REPLICATION. The log after it is archived by "backup wal".\n' +
      'Refused if the database is distributed over several servers, each of which needs a backup.',
    args: { folder },
    options: {
      to,
      keep,
      wal: value('FOLDER', 'Afterwards deletes from this archive what "backup wal-clean" does.', readers.nonEmpty),
    },
    changes: true,
    examples: ['gatehouse backup base /var/backups/gatehouse --keep 14 --wal /var/backups/gatehouse-wal'],
    async run(context, args, { to: given, keep: days, wal }) {
      const { writeBaseBackup } = await import('../../backup/base-backup.ts')
      await make(context, { kind: 'base', folder: args.folder, given, days, write: writeBaseBackup })
      if (wal === undefined) return
      try {
        await clean(context, { archive: wal, bases: args.folder, isDryRun: false, archivedWithinMs: 60_000 })
      } catch (error) {
        // The backup is complete nevertheless.
        if (!(error instanceof CommandError)) throw error
        context.output.err(`The archive was not cleaned: ${error.message} ${error.remedy}`)
      }
    },
  }),

  command({
    name: 'backup wal',
    summary: "Archives one segment of the write-ahead log; for PostgreSQL's archive_command.",
    args: { folder, segment: argument('SEGMENT', readers.nonEmpty) },
    options: { to },
    examples: [`archive_command = 'gatehouse backup wal /var/backups/gatehouse/wal %p --to age1…'`],
    async run(context, args, { to: given }) {
      const { archiveSegment } = await import('../../backup/wal-archive.ts')
      await archiveSegment(args.segment, args.folder, given ?? configuredRecipient(context))
    },
  }),

  command({
    name: 'backup wal-clean',
    summary: 'Deletes archived segments of the log that no base backup in a folder needs.',
    details:
      'Keeps everything from the start of the oldest base backup on, and the histories of all timelines. Refused in doubt:\n' +
      'without a base backup, if one has no note of its start, is of another server, or if its start is not archived.',
    args: { archive: argument('ARCHIVE', readers.nonEmpty) },
    options: {
      bases: value('FOLDER', 'The base backups that you keep: the folder of "backup base".', readers.nonEmpty),
      'dry-run': flag('Only lists what would be deleted.'),
    },
    examples: ['gatehouse backup wal-clean /var/backups/gatehouse-wal --bases /var/backups/gatehouse --dry-run'],
    async run(context, args, { bases, 'dry-run': isDryRun = false }) {
      if (bases === undefined) throw new UsageError('--bases is missing.', 'Give the folder of "backup base".')
      await clean(context, { archive: args.archive, bases, isDryRun })
    },
  }),

  command({
    name: 'backup verify',
    summary: 'Restores a dump or a base backup for a moment and runs the money checks.',
    details:
      'A dump goes into a temporary database on the server of DATABASE_URL, whose user needs CREATEDB; it is dropped afterwards.\n' +
      'A base backup (.base.age) becomes a temporary server of this machine, in the folder for temporary files (TMPDIR), and is\n' +
      'removed afterwards: run it as a user that is not root. Of DATABASE_URL only the names of user and database are used.',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: {
      key: value('FILE', 'The file of "backup key".', readers.nonEmpty),
      wal: value('FOLDER', 'Of a base backup: replays this archive to its end; default: none.', readers.nonEmpty),
      json: flag('Prints JSON.'),
    },
    examples: [
      'gatehouse backup verify gatehouse-20261116T023000Z.dump.age --key backup.key',
      'gatehouse backup verify gatehouse-20261116T023000Z.base.age --key backup.key --wal /var/backups/gatehouse-wal',
    ],
    async run(context, args, { key, wal, json }) {
      if (key === undefined) throw new UsageError('--key is missing.', 'Give the file of "gatehouse backup key".')
      const isBase = args.file.endsWith('.base.age')
      if (wal !== undefined && !isBase)
        throw new UsageError('--wal is for base backups.', 'A dump needs no log: leave it out.')
      const report = isBase
        ? await verifyBase(context, { file: args.file, identityFile: key, walFolder: wal ?? null })
        : await verifyDumpHere(context, args.file, key)
      if (json) printJson(context.output, report)
      else {
        context.output.out(
          record([
            ['payments', report.payments],
            ['transactions', report.transactions],
            ['newest_change', report.newest],
            ['faults', report.faults.length],
          ]),
        )
        if (report.faults.length > 0)
          context.output.out(
            table(
              ['check', 'payment', 'fault'],
              report.faults.map((fault) => [fault.check, fault.paymentId, fault.text]),
            ),
          )
      }
      return report.faults.length === 0 ? 0 : 1
    },
  }),
]

async function verifyDumpHere(context: CommandContext, file: string, key: string) {
  const { verifyDump } = await import('../../backup/verification.ts')
  await using database = await openDatabase(context)
  return await verifyDump(file, key, database.url)
}

async function verifyBase(
  context: CommandContext,
  wish: { readonly file: string; readonly identityFile: string; readonly walFolder: string | null },
) {
  const { databaseUrl } = readInstanceConfig(context)
  if (databaseUrl === null)
    throw new CommandError(
      'DATABASE_URL is not set.',
      'Set it for the command to postgres://USER@/DATABASE, with those of the instance.',
    )
  const { verifyBaseBackup } = await import('../../backup/verification.ts')
  return await verifyBaseBackup({ ...wish, databaseUrl, program: ownProgram() })
}

async function clean({ output }: CommandContext, wish: Parameters<CleanArchive>[0]): Promise<void> {
  const { cleanArchive } = await import('../../backup/archive-cleaning.ts')
  const { oldest, segments } = await cleanArchive(wish)
  if (wish.isDryRun) for (const segment of segments) output.out(segment)
  const count = segments.length === 1 ? '1 segment' : `${segments.length} segments`
  output.err(
    `${wish.isDryRun ? 'Would delete' : 'Deleted'} ${count} before ${oldest}, with which the oldest base backup begins.`,
  )
}

type CleanArchive = typeof import('../../backup/archive-cleaning.ts')['cleanArchive']

interface Making {
  readonly kind: 'dump' | 'base'
  readonly folder: string
  readonly given: KeyObject | undefined
  readonly days: number | undefined
  readonly write: (
    file: string,
    recipient: KeyObject,
    database: { readonly pool: Pool; readonly url: string },
  ) => Promise<number>
}

async function make(context: CommandContext, { kind, folder: path, given, days, write }: Making): Promise<undefined> {
  const recipient = given ?? configuredRecipient(context)
  await using database = await openDatabase(context)
  if (await isDistributed(database.pool)) explainDistributed(context, kind)
  const now = systemClock().now()
  const file = join(resolve(path), backupName(kind, now))
  const bytes = await write(file, recipient, database)
  context.output.out(`${file}: ${bytes} bytes`)
  await noteBackup(context, kind, file)
  if (days === undefined) return
  for (const name of await deleteOlder(path, kind, new Date(now.getTime() - days * dayMs)))
    context.output.err(`Deleted ${name}.`)
}

/** A copy of the coordinator has no payments; a dump has them, of slightly different moments. */
function explainDistributed({ output }: CommandContext, kind: Making['kind']): void {
  if (kind === 'base')
    throw new CommandError(
      'This database is distributed over several servers; a copy of the coordinator alone has no payments.',
      'Make a base backup of every server with pg_basebackup, archive the log of each with "backup wal", and create restore points with citus_create_restore_point: see docs/operations/distribution.md, "Backups". Nothing was written.',
    )
  output.err(
    'This database is distributed: the dump reads its servers at slightly different moments. Restore to a moment from base backups of every server: see docs/operations/distribution.md.',
  )
}

/** So that the instance knows how old its newest backup is. A backup that could not be noted is a backup nevertheless. */
async function noteBackup(context: CommandContext, kind: Making['kind'], file: string): Promise<void> {
  try {
    await using instance = await openInstance(context)
    await instance.change(async ({ note }) => {
      note({ action: backupAction, subject: `${kind} ${basename(file)}`, merchantId: null })
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    context.output.err(`The backup is complete, but the instance could not note it: ${reason}`)
  }
}

function configuredRecipient(context: CommandContext): KeyObject {
  const { backupRecipient } = readInstanceConfig(context)
  const key = backupRecipient === null ? null : readRecipient(backupRecipient)
  if (key !== null) return key
  throw new CommandError(
    'There is no public key for backups.',
    'Create one with "gatehouse backup key FILE" and set BACKUP_RECIPIENT, or give --to.',
  )
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await using handle = await open(file, 'wx', 0o600)
    await handle.writeFile(text)
    await handle.sync()
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST')
      throw new CommandError(`${file} already exists.`, 'Choose another name; a key is never overwritten.')
    throw new CommandError(`${file} cannot be written (${code}).`, 'Choose another folder.')
  }
}
