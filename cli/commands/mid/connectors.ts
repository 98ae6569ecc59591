/** Connectors: what each acquirer can do, as the documents and the panel show it. Chapter 60 §1.1. */
import { capabilityTable, recoveryTitles } from '#server/connectors/capability-table.ts'
import { connectors } from '#server/connectors/registry.ts'
import { type Command, command } from '../../kit/command.ts'
import { printJson } from '../../kit/context.ts'
import { flag } from '../../kit/options.ts'
import { table } from '../../kit/table.ts'

export const connectorsCommands: readonly Command[] = [
  command({
    name: 'connectors list',
    summary: 'Lists the connectors with their capabilities, and how each resolves an unknown outcome.',
    args: {},
    options: { json: flag('Prints JSON.') },
    examples: ['gatehouse connectors list', 'gatehouse connectors list --json'],
    async run(context, _args, { json }) {
      const shown = connectors.map((connector) => ({
        id: connector.id,
        title: connector.title,
        recovery: connector.recoveryWay,
        capabilities: capabilityTable(connector),
      }))
      if (json) {
        printJson(
          context.output,
          shown.map(({ capabilities, ...rest }) => ({
            ...rest,
            capabilities: Object.fromEntries(capabilities.map(({ id, isOffered }) => [id, isOffered])),
          })),
        )
        return
      }
      const [first] = shown
      const rows = (first?.capabilities ?? []).map(({ title }, row) => [
        title,
        ...shown.map(({ capabilities }) => capabilities[row]?.isOffered ?? false),
      ])
      const recovery = ['Unknown outcome', ...shown.map((one) => one.recovery)]
      context.output.out(table(['capability', ...shown.map(({ id }) => id)], [...rows, recovery]))
      const ways = new Set(shown.map((one) => one.recovery))
      context.output.out(`\nUnknown outcome: ${[...ways].map((way) => `${way} = ${recoveryTitles[way]}`).join('; ')}.`)
    },
  }),
]
