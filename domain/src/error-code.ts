/**
 * The code that a library gave its error: ENOENT of the system, 23505 of the database, ERR_… of the platform. Empty if it has none.
 * What was thrown need not be an error, and a number, as errors of the DOM have it, says nothing to a person.
 */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
