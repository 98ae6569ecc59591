/**
 * Gatehouse cannot start, and the operator can fix it. `message` says what is wrong, `remedy` what to do; the entry points print both
 * without a stack trace, because the fault is outside the program.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly remedy: string

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.remedy = remedy
  }
}
