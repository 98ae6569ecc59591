/** Converts settings of releases before 6.7. Chapter 50 §9, "Data of earlier releases". */
import { type Migration, type MigrationResult, migrateSettings } from '#server/setup/settings-migration.ts'
import { type FormerSettings, noFormerSettings, readFormerSettings } from '#server/setup/settings-migration-file.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { flag, optionalArgument } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { readBytes } from '../../kit/text-source.ts'

export const migrateSettingsCommands: readonly Command[] = [
  command({
    name: 'migrate settings',
    changes: true,
    summary: 'Imports settings of releases before 6.7, and lists the changes and the routing rules to review.',
    details: [
      'FILE is JSON with any of the lists "mids" (name, payment_mode), "protocol_mappings" (merchant, protocol,',
      'required_payer_fields), "schedules" (merchant, id, name, interval_length, interval_unit, day_of_month, payments_count,',
      'delays, paused) and "routing_rules" (name, payment_modes). A MID without a payment mode becomes SMS/DMS, payer fields are',
      'optional unless they are listed, and a schedule keeps its delays. MIDs and merchants must already exist: their secrets are',
      'not in the file. Without FILE it reports on the settings in the database. It can be run repeatedly.',
    ].join(' '),
    args: { file: optionalArgument('FILE', readers.nonEmpty) },
    options: { dryRun: flag('Shows the changes without making them.'), json: flag('Prints JSON.') },
    examples: ['gatehouse migrate settings former.json --dry-run'],
    async run(context, { file }, { dryRun = false, json }) {
      const former = file === null ? noFormerSettings : await readFormerFile(file, context)
      await using instance = await openInstance(context)
      const migration = dryRun
        ? requireMigration(await migrateSettings(instance, former, { dryRun }))
        : await instance.change((change) => migrate(change, former))
      if (json) printJson(context.output, migration)
      else show(context, migration, dryRun)
    },
  }),
]

async function migrate(change: ChangeContext, former: FormerSettings): Promise<Migration> {
  const migration = requireMigration(await migrateSettings(change, former, { dryRun: false }))
  const { changes } = migration
  if (changes.length > 0)
    change.note({ action: 'settings.migrate', subject: 'settings', merchantId: null, after: { changes } })
  return migration
}

function requireMigration(result: MigrationResult): Migration {
  if (!result.ok) throw refusalWith(result.faults)
  return result.migration
}

async function readFormerFile(file: string, context: CommandContext): Promise<FormerSettings> {
  const reading = readFormerSettings((await readBytes(file, context)).toString('utf8'))
  if (!reading.ok) throw refusalWith(reading.faults)
  return reading.settings
}

const refusalWith = (faults: readonly string[]): CommandError =>
  new CommandError(faults.join('\n'), 'Nothing was changed.')

function show({ output }: CommandContext, { changes, delayed, rules }: Migration, dryRun: boolean): void {
  if (changes.length === 0) output.out('Nothing to change.')
  else {
    output.out(dryRun ? 'Changes that would be made:' : 'Changes made:')
    output.out(
      table(
        ['what', 'name', 'before', 'after'],
        changes.map(({ what, name, before, after }) => [what, name, before, after]),
      ),
    )
  }
  if (delayed.length > 0) {
    output.out('\nThese schedules keep their delays, and SCHEDULE_INFO shows them:')
    output.out(
      table(
        ['schedule', 'delays'],
        delayed.map(({ schedule, delays }) => [schedule, delays]),
      ),
    )
  }
  if (rules.length === 0) return
  output.out('\nThese routing rules match one payment mode only. Update them if their MIDs now accept both:')
  output.out(
    table(
      ['where', 'rule', 'matches only'],
      rules.map(({ from, rule, mode }) => [from, rule, mode]),
    ),
  )
}
