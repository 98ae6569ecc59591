/**
 * The command cannot do what was asked. `message` says why, `remedy` what would help; both are printed without a stack trace, since
 * the fault lies outside the program.
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

/** The command line itself cannot be understood; scripts tell it apart by the exit code 2. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2
}
