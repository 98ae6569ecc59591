/** Distributes an instance over several database servers. Chapter 80 §2. */
import { noteAlone } from '#server/panel/audit/audit.ts'
import { systemClock } from '#server/process/clock.ts'
import {
  distribute,
  distributionSteps,
  emptyingSteps,
  partPreparation,
  sessionSettings,
} from '#server/store/database/distribute.ts'
import { migrate } from '#server/store/database/migrate.ts'
import { type Command, command } from '../../kit/command.ts'
import { commandLine, openDatabase } from '../../kit/instance.ts'
import { flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'

const usualShards = 32

export const migrateDistributeCommands: readonly Command[] = [
  command({
    name: 'migrate distribute',
    changes: true,
    summary: 'Distributes the tables of payments over the servers of a Citus cluster.',
    details:
      'Needs the extension citus and no running process of the instance. Can be repeated: tables that are distributed already are left alone. See docs/operations/distribution.md.',
    args: {},
    options: {
      shards: value(
        'N',
        'Number of shards, at least the number of servers; default 32. It cannot be changed later.',
        readers.wholeNumber(1, 1024),
      ),
      plan: flag('Prints the statements without executing them.'),
    },
    async run(context, _args, { shards = usualShards, plan }) {
      if (plan) {
        for (const text of [
          sessionSettings,
          partPreparation,
          ...[...distributionSteps(shards), ...emptyingSteps].map((step) => step.text),
        ])
          context.output.out(`${text};`)
        return
      }
      await using database = await openDatabase(context, { writes: !plan })
      await migrate(database.pool, { migrate: 'refuse' })
      const { distributed, servers } = await distribute(database.pool, shards, (line) => context.output.out(line))
      if (distributed.length === 0) {
        context.output.out('All tables are distributed already.')
        return
      }
      const entry = { action: 'schema.distribute', subject: 'schema', merchantId: null, after: { distributed, shards } }
      await noteAlone(database.pool, systemClock(), commandLine(context.operator), entry)
      context.output.out(`Distributed ${distributed.length} tables over ${servers} servers. Start the processes again.`)
    },
  }),
]
