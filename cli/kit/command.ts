/** A command is a value: its name, its options and arguments, and its work. Parsing and help are derived from its tables. */
import { CommandError, UsageError } from './command-error.ts'
import type { CommandContext } from './context.ts'
import type { Definition } from './definition.ts'
import { commandHelp } from './help.ts'
import { type Arguments, type Options, parseCommandLine } from './options.ts'

export interface Command {
  readonly name: string
  readonly summary: string
  readonly changes: boolean
  readonly sandboxOnly: boolean
  help(): string
  run(argv: readonly string[], context: CommandContext): Promise<number>
}

export function command<A extends Arguments, O extends Options>(definition: Definition<A, O>): Command {
  const help = () => commandHelp(definition)
  return {
    name: definition.name,
    summary: definition.summary,
    changes: definition.changes === true,
    sandboxOnly: definition.sandboxOnly !== undefined,
    help,
    async run(argv, context) {
      if (asksForHelp(argv)) {
        context.output.out(help())
        return 0
      }
      const { args, options } = parseArguments(definition, argv)
      if (definition.sandboxOnly !== undefined) await requireSandbox(context, definition.sandboxOnly)
      return (await definition.run({ ...context, mayChange: definition.changes === true }, args, options)) ?? 0
    },
  }
}

async function requireSandbox(context: CommandContext, sentence: string): Promise<void> {
  // Imported here, because other commands do not need the database driver to start.
  const { readConfigInForce } = await import('./instance.ts')
  const { instanceMode, modeFrom } = await readConfigInForce(context)
  if (instanceMode === 'sandbox') return
  const reason = modeFrom === 'database' ? 'This database belongs to a live instance' : 'GATEHOUSE_MODE is live'
  throw new CommandError(`${reason}. ${sentence}`, 'This command is for sandbox instances. Nothing was changed.')
}

export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  return before.includes('--help') || before.includes('-h')
}

/** Adds a pointer to the command's help to every usage error. */
function parseArguments<A extends Arguments, O extends Options>(definition: Definition<A, O>, argv: readonly string[]) {
  try {
    return parseCommandLine(argv, definition)
  } catch (error) {
    if (!(error instanceof UsageError) || error.remedy !== '') throw error
    throw new UsageError(error.message, `"gatehouse ${definition.name} --help" shows the arguments and options.`)
  }
}
