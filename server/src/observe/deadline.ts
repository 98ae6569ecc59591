/** Limits how long a query to another part of the system may take. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/** The work's result, or a `DeadlineError` if it takes longer. The work itself is not stopped; its late result is dropped. */
export async function withinMs<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new DeadlineError(`No answer within ${ms} ms.`)), ms)
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
