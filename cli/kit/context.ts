/** The outside world as a command sees it; tests provide their own. */
import { writeJson } from '#domain/json.ts'
export interface CommandContext {
  readonly output: Output
  /** The environment variables that configure the instance, the same as for the server. */
  readonly environment: NodeJS.ProcessEnv
  /** All of standard input. */
  readonly readInput: () => Promise<Buffer>
  /** Aborted when the operator ends a long-running command. */
  readonly signal: AbortSignal
  /** User and machine that run the command, for the audit log. */
  readonly operator: string
  /** Set for a command that is declared as changing the instance. */
  readonly mayChange?: boolean
  /**
   * Makes the database refuse writes outside of `change`, as in all tests. Not set in production: behind a pooler in transaction mode the
   * setting would stay with a connection that other clients use afterwards.
   */
  readonly guarded?: boolean
}

/** Results go to `out`, so that they can be piped; messages to the operator go to `err`. */
export interface Output {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}

export function printJson({ out }: Output, value: unknown): void {
  out(writeJson(value, 2))
}
