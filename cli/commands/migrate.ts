/** The schema of the database. Chapter 50 §9. */
import { migrate, type SchemaState, schemaState } from '#server/store/migrate.ts'
import { readMigrations } from '#server/store/migration-files.ts'
import { type Command, command } from '../kit/command.ts'
import { printJson } from '../kit/context.ts'
import { configOf, openDatabase } from '../kit/instance.ts'
import { flag } from '../kit/options.ts'
import { table } from '../kit/table.ts'
import { migrateSettingsCommands } from './migrate-settings.ts'

export const migrateCommands: readonly Command[] = [
  command({
    name: 'migrate',
    summary: 'Brings the database to the schema of this release.',
    details: 'Safe while the previous release serves; each migration happens as a whole or not at all.',
    args: {},
    options: {
      status: flag('Shows what is applied and what is not, and changes nothing.'),
      json: flag('With --status: prints JSON.'),
    },
    async run(context, _args, { status, json }) {
      await using database = await openDatabase(configOf(context), { create: !status })
      if (!status) {
        const applied = await migrate(database.pool, { log: (line) => context.output.out(line) })
        if (applied.length === 0) context.output.out('The schema is current.')
        return
      }
      const state = await schemaState(database.pool)
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
        context.output.err(`Note: the database is of a newer release; it has migration ${state.applied}.`)
      }
    },
  }),
  ...migrateSettingsCommands,
]

function stateOf({ pending, changed }: SchemaState, number: number): string {
  if (pending.some((migration) => migration.number === number)) return 'pending'
  return changed.some((migration) => migration.number === number) ? 'changed since it was applied' : 'applied'
}
