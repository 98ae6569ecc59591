/** What a command has of the world outside; tests bring their own. */
export interface Context {
  readonly output: Output
  /** The variables that configure the instance, the same as the server's. */
  readonly environment: NodeJS.ProcessEnv
  /** All of standard input. */
  readonly input: () => Promise<Buffer>
  /** Aborted when the operator wants a command that goes on and on to end. */
  readonly signal: AbortSignal
  /** Who runs it: user and machine, for the audit log. */
  readonly operator: string
  /** Set by a command that is declared to change the instance. */
  readonly mayChange?: boolean
  /**
   * The database refuses whatever is written beside `change`, as it does in all tests. Not in service: behind a pooler in transaction mode
   * the setting would stay with a connection that others go on with.
   */
  readonly guarded?: boolean
}

/** Results go to `out`, so that they can be piped; everything said to the operator goes to `err`. */
export interface Output {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}

/** Bigints are amounts in minor units and go as text, because a reader's number type may round them. */
export function printJson({ out }: Output, value: unknown): void {
  out(JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member), 2))
}
