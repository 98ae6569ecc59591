/** Connectors: what each acquirer can do, as the documents and the panel show it, and the package of the family. Chapter 60 §1. */
import { capabilityTable, recoveryTitles } from '#server/connectors/capability-table.ts'
import type { RegisteredConnector } from '#server/connectors/connector.ts'
import { installationFault } from '#server/connectors/prism/installation.ts'
import { allConnectors, unavailableBecause } from '#server/connectors/registry.ts'
import { type Command, command } from '../../kit/command.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { readInstanceConfig } from '../../kit/instance.ts'
import { argument, flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { addPrism, removePrism } from './prism-package.ts'

const family = argument('FAMILY', readers.oneOf(['prism']))

export const connectorsCommands: readonly Command[] = [
  command({
    name: 'connectors list',
    summary: 'Lists the connectors with their capabilities, and how each resolves an unknown outcome.',
    args: {},
    options: {
      search: value('TEXT', 'Only acquirers whose name contains the text.', readers.nonEmpty),
      json: flag('Prints JSON.'),
    },
    examples: [
      'gatehouse connectors list',
      'gatehouse connectors list --search pay',
      'gatehouse connectors list --json',
    ],
    async run(context, _args, { search = '', json }) {
      const words = search.toLowerCase()
      const found = allConnectors.filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(words))
      if (json)
        printJson(
          context.output,
          found.map((connector) => asJson(connector, context)),
        )
      else printTables(found, context)
    },
  }),
  command({
    name: 'connectors add',
    summary: 'Installs the package of a family of connectors into the data folder.',
    details: 'Downloads the package from the npm registry, 150 MB on disk. Every machine of the instance needs it.',
    args: { family },
    options: {},
    examples: ['gatehouse connectors add prism'],
    async run(context) {
      await addPrism(context)
    },
  }),
  command({
    name: 'connectors remove',
    summary: 'Removes the package of a family of connectors from the data folder.',
    details:
      'Refuses while MIDs of its acquirers are switched on, unless forced. MIDs stay, and their payments are refused until the package is installed again.',
    args: { family },
    options: { force: flag('Removes it although MIDs use it.') },
    examples: ['gatehouse connectors remove prism', 'gatehouse connectors remove prism --force'],
    async run(context, _args, { force }) {
      await removePrism(context, force === true)
    },
  }),
]

const asJson = (connector: RegisteredConnector, context: CommandContext) => ({
  id: connector.id,
  title: connector.title,
  family: connector.family,
  usable: unavailableBecause(connector, readInstanceConfig(context).dataDir) === null,
  recovery: connector.recoveryWay,
  capabilities: Object.fromEntries(capabilityTable(connector).map(({ id, isOffered }) => [id, isOffered])),
})

function printTables(found: readonly RegisteredConnector[], context: CommandContext): void {
  const { output } = context
  const native = found.filter(({ family: one }) => one === null)
  const others = found.filter(({ family: one }) => one !== null)
  if (native.length > 0) output.out(capabilitiesOf(native))
  if (others.length > 0) output.out(`${native.length > 0 ? '\n' : ''}${familyTable(others)}`)
  if (found.length === 0) output.err('No connector has this name. "gatehouse connectors list" shows all of them.')
  const ways = new Set(found.map((one) => one.recoveryWay))
  if (ways.size > 0)
    output.out(`\nUnknown outcome: ${[...ways].map((way) => `${way} = ${recoveryTitles[way]}`).join('; ')}.`)
  const missing = installationFault(readInstanceConfig(context))
  if (others.length === 0) return
  const usable = `${found.length - (missing === null ? 0 : others.length)} of ${found.length} connectors are usable here.`
  output.out(missing === null ? usable : `${usable} ${missing}`)
}

function capabilitiesOf(shown: readonly RegisteredConnector[]): string {
  const tables = shown.map(capabilityTable)
  const [first = []] = tables
  const rows = first.map(({ title }, row) => [title, ...tables.map((cells) => cells[row]?.isOffered ?? false)])
  const recovery = ['Unknown outcome', ...shown.map((one) => one.recoveryWay)]
  return table(['capability', ...shown.map(({ id }) => id)], [...rows, recovery])
}

/** One row each: there are too many for columns. */
const familyTable = (shown: readonly RegisteredConnector[]): string =>
  table(
    ['connector', 'acquirer', 'holds', 'refunds', '3DS', 'wallets', 'unknown outcome'],
    shown.map(({ id, title, operations, supports, recoveryWay }) => [
      id,
      title,
      operations.has('authorize'),
      operations.has('refund'),
      supports.ownThreeDs || supports.externalThreeDs,
      supports.acceptsDecrypted,
      recoveryWay,
    ]),
  )
