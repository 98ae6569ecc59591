/** A command as its author defines it: the tables for parsing and help, and the work. */
import type { CommandContext } from './context.ts'
import type { Arguments, ArgumentValues, Options, OptionValues } from './options.ts'

export interface Definition<A extends Arguments, O extends Options> {
  /** One word, or a noun and a verb. */
  readonly name: string
  /** One line, for lists. */
  readonly summary: string
  /** What a first-time user should know beyond the tables. */
  readonly details?: string
  readonly args: A
  readonly options: O
  readonly examples?: readonly string[]
  /** The command writes to the instance or reveals its secrets, and the audit log records it. */
  readonly changes?: true
  /** The command is refused on a live instance, with this sentence. */
  readonly sandboxOnly?: string
  /** Returns the exit code; undefined is 0. */
  run(context: CommandContext, args: ArgumentValues<A>, options: OptionValues<O>): Promise<number | undefined>
}
