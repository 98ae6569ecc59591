/** Shows and migrates the schema of the database. Chapter 50 §9. */
import { noteAlone } from '#server/panel/audit/audit.ts'
import { systemClock } from '#server/process/clock.ts'
import { migrate, readSchemaState, type SchemaState } from '#server/store/database/migrate.ts'
import { type Migration, readMigrations } from '#server/store/database/migration-files.ts'
import { type Command, command } from '../../kit/command.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { commandLine, type Database, openDatabase } from '../../kit/instance.ts'
import { flag } from '../../kit/options.ts'
import { table } from '../../kit/table.ts'
import { migrateDistributeCommands } from './migrate-distribute.ts'
import { migrateSettingsCommands } from './migrate-settings.ts'

export const migrateCommands: readonly Command[] = [
  command({
    name: 'migrate',
    changes: true,
    summary: 'Migrates the database to the schema of this release.',
    details:
      'Safe while the previous release is running. Each migration is applied completely or not at all; those that build indexes concurrently start again if interrupted.',
    args: {},
    options: {
      status: flag('Shows applied and pending migrations without changing anything.'),
      json: flag('With --status: prints JSON.'),
    },
    async run(context, _args, { status, json }) {
      await using database = await openDatabase(context, { create: !status, writes: !status })
      if (!status) {
        const applied = await migrate(database.pool, {
          limitsCurrency: database.config.limitsCurrency,
          log: (line) => context.output.out(line),
        })
        if (applied.length === 0) context.output.out('The schema is current.')
        else await noteMigrations(database, context, applied)
        return
      }
      const state = await readSchemaState(database.pool)
      const rows = (await readMigrations()).map(({ file, number }) => ({
        migration: file,
        state: stateOf(state, number),
      }))
      if (json) {
        printJson(context.output, rows)
        return
      }
      context.output.out(
        table(
          ['migration', 'state'],
          rows.map((row) => [row.migration, row.state]),
        ),
      )
      if (state.applied > state.known) {
        const serves = state.needed <= state.known ? 'which this release can serve' : 'which this release cannot serve'
        context.output.err(
          `Note: the database was migrated by a newer release to migration ${state.applied}, ${serves}.`,
        )
      }
    },
  }),
  ...migrateDistributeCommands,
  ...migrateSettingsCommands,
]

/** Written after the migrations, each of which is its own transaction, because one of them may change the table of the audit log. */
async function noteMigrations(
  { pool }: Database,
  { operator }: CommandContext,
  applied: readonly Migration[],
): Promise<void> {
  const after = { applied: applied.map(({ file }) => file) }
  const entry = { action: 'schema.migrate', subject: 'schema', merchantId: null, after }
  await noteAlone(pool, systemClock(), commandLine(operator), entry)
}

function stateOf({ pending, changed }: SchemaState, number: number): string {
  if (pending.some((migration) => migration.number === number)) return 'pending'
  return changed.some((migration) => migration.number === number) ? 'changed since it was applied' : 'applied'
}
