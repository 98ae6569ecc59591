/** A command as its author writes it down: the tables from which parsing and help come, and what it does. */
import type { Context } from './context.ts'
import type { Arguments, GivenArguments, GivenOptions, Options } from './options.ts'

export interface Definition<A extends Arguments, O extends Options> {
  /** One word, or a noun and a verb. */
  readonly name: string
  /** One line, for lists. */
  readonly summary: string
  /** What a newcomer should know beyond the tables. */
  readonly details?: string
  readonly args: A
  readonly options: O
  readonly examples?: readonly string[]
  /** It writes to the instance, or reveals its secrets, and the audit log says so. */
  readonly changes?: true
  /** It is refused on a live instance, with this sentence. */
  readonly sandboxOnly?: string
  /** Answers the exit code; nothing is 0. */
  run(context: Context, args: GivenArguments<A>, options: GivenOptions<O>): Promise<number | undefined>
}
