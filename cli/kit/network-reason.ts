/** Why a request got no answer; `fetch` hides the cause behind "fetch failed". */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
}
