/** Restores what `gatehouse backup` wrote. A restored instance starts in recovery. */
import { resolve } from 'node:path'
import { noteAlone } from '#server/panel/audit/audit.ts'
import { systemClock } from '#server/process/clock.ts'
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { recoveryStore } from '#server/store/instance/recovery.ts'
import { extractBaseBackup } from '../../backup/base-backup.ts'
import { loadDump } from '../../backup/dump.ts'
import { ownProgram } from '../../backup/own-program.ts'
import { fetchSegment } from '../../backup/wal-archive.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { commandLine, openDatabase } from '../../kit/instance.ts'
import { argument, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'

const key = value('FILE', 'The key file that "backup key" wrote.', readers.nonEmpty)
const file = argument('FILE', readers.nonEmpty)

export const restoreBackupCommands: readonly Command[] = [
  command({
    name: 'restore load',
    changes: true,
    summary: 'Restores a dump into the empty database of DATABASE_URL and puts the instance into recovery.',
    args: { file },
    options: { key },
    async run(context, args, { key: identityFile }) {
      await using database = await openDatabase(context, { writes: true })
      await requireEmpty(database.pool)
      await loadDump(args.file, requireKey(identityFile), database.url)
      const pool = openPool(database.url, { max: 1, applicationName: 'gatehouse cli' })
      try {
        const clock = systemClock()
        await recoveryStore(pool).begin(`The database was restored from ${args.file}.`, clock.now())
        const entry = { action: 'recovery.load', subject: 'instance', merchantId: null, after: { file: args.file } }
        await noteAlone(pool, clock, commandLine(context.operator), entry)
      } finally {
        await pool.end()
      }
      context.output.out('The dump was restored, and the instance is in recovery.')
      context.output.err(
        'Start the service, run "gatehouse restore reconcile", settle what it leaves, then run "gatehouse restore end".',
      )
    },
  }),

  command({
    name: 'restore base',
    summary: 'Prepares a data folder for point-in-time recovery. PostgreSQL replays the log when it starts.',
    details:
      'Run it as the user of PostgreSQL, then start PostgreSQL with the folder: it replays the archived log up to\n' +
      '--until or --point. Its log says "archive recovery complete" when it is done.',
    args: { file, folder: argument('DATA-FOLDER', readers.nonEmpty) },
    options: {
      key,
      wal: value('FOLDER', 'The archive that "backup wal" wrote.', readers.nonEmpty),
      until: value('MOMENT', 'The last moment to restore; default: the end of the archive.', readers.moment),
      point: value(
        'NAME',
        'The named restore point to restore to, for example of a distributed database.',
        readers.nonEmpty,
      ),
    },
    examples: [
      'gatehouse restore base gatehouse-20261116T023000Z.base.age /var/lib/postgresql/15/restored --wal /backup/wal --key backup.key --until 2026-11-16T14:05:00Z',
    ],
    async run(context, args, { key: identityFile, wal, until, point }) {
      if (wal === undefined) throw new UsageError('--wal is missing.', 'Give the folder that "backup wal" writes.')
      if (until !== undefined && point !== undefined)
        throw new UsageError('--until and --point exclude each other.', 'Give one of them.')
      await extractBaseBackup({
        file: args.file,
        identityFile: requireKey(identityFile),
        target: resolve(args.folder),
        walFolder: wal,
        end: until ?? point ?? null,
        program: ownProgram(),
      })
      context.output.out(`${resolve(args.folder)} is ready. Start PostgreSQL with it, then start the service.`)
    },
  }),

  command({
    name: 'restore wal',
    summary: 'Fetches one segment from the archive; for PostgreSQL\'s restore_command, which "restore base" sets.',
    args: {
      folder: argument('FOLDER', readers.nonEmpty),
      segment: argument('SEGMENT', readers.nonEmpty),
      target: argument('TARGET', readers.nonEmpty),
    },
    options: { key },
    async run(_context, args, { key: identityFile }) {
      const { folder, segment, target } = args
      return (await fetchSegment({ name: segment, folder, target, identityFile: requireKey(identityFile) })) ? 0 : 1
    },
  }),
]

function requireKey(identityFile: string | undefined): string {
  if (identityFile !== undefined) return identityFile
  throw new UsageError('--key is missing.', 'Give the file of "gatehouse backup key".')
}

async function requireEmpty(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ relations: number }>(
    `select count(*)::int as relations from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'S')`,
  )
  if (rows[0]?.relations === 0) return
  throw new CommandError(
    'The database is not empty.',
    'Create a new one and set DATABASE_URL to it. Nothing was changed.',
  )
}
