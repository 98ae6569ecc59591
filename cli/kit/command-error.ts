/**
 * The command cannot do what was asked. `message` says why, `remedy` what to do; both are printed without a stack trace, because the cause
 * lies outside the program.
 */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly remedy: string
  readonly exitCode: number = 1

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

/** The command line itself is invalid; scripts recognise it by the exit code 2. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2
}
