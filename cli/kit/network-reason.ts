import { isUnreadable } from './unreadable.ts'

/** Why a request got no answer that can be used; `fetch` hides the cause behind "fetch failed". */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isUnreadable(error)) return 'its answer cannot be read'
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
}
