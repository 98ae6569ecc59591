/** The outside world as a command sees it; tests provide their own. */
export interface Program {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Aborted when the user ends a long-running command. */
  readonly signal: AbortSignal
}
