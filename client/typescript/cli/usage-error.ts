/** The command line or the settings are not complete: nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
