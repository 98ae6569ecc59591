/**
 * Watches whether the session still matches what a wallet's sheet shows. Chapter 40 §13: the sheet's total is the session's amount, and an
 * update after it opened closes it. So does the end of the session, here or in another tab.
 */
import type { SessionView, StateAndTotal } from '../page-api.ts'

/** Long poll: answered at once without `known`, otherwise when the session differs from it or the time is over. */
type AskState = (known: StateAndTotal | null, signal: AbortSignal) => Promise<StateAndTotal>

/** True as soon as the session has changed; false if the sheet was closed before. */
export async function waitForSessionChange(
  shown: Pick<SessionView, 'order' | 'total'>,
  ask: AskState,
  closed: AbortSignal,
): Promise<boolean> {
  let known: StateAndTotal | null = null
  while (!closed.aborted) {
    const now: StateAndTotal | null = await ask(known, closed).catch(() => null)
    if (closed.aborted) return false
    if (now && (!isShown(now, shown) || (known && known.version !== now.version))) return true
    known = now ?? known
    await pause(now ? 300 : 2000)
  }
  return false
}

/** A server of the previous release sends neither amount nor currency. */
function isShown({ state, total, currency }: StateAndTotal, shown: Pick<SessionView, 'order' | 'total'>): boolean {
  if (state !== 'ready' && state !== 'declined') return false
  return (total === null || total === shown.total) && (currency === null || currency === shown.order.currency)
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
