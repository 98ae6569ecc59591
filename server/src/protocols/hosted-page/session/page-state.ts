/**
 * GET /page/v1/state: the state of the session, as a long poll that ends with a change or a time-out. Chapter 30 §7.10.
 *
 * A page with an open wallet sheet also waits for changes of the session itself: chapter 40 §13.
 *
 * An outcome that this process stores ends the wait at once; outcomes of other processes are found by polling the database.
 */

import { isAttemptOpen } from '#domain/checkout/session.ts'
import { limits } from '#domain/limits.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { HostedPageParts } from '../parts.ts'

const lookAgainMs = 2000

interface Wait {
  readonly milliseconds: number
  /** The state that the page knows; without one the poll waits only while an attempt is running. */
  readonly known: string | null
  /** The version of the session that the page knows; null if the page sent none. */
  readonly version: number | null
  /** Aborts when the browser disconnects or the service stops. */
  readonly over: AbortSignal
}

export function waitOf(query: URLSearchParams, over: AbortSignal): Wait {
  const seconds = /^[0-9]{1,3}$/.exec(query.get('wait') ?? '')?.[0] ?? '0'
  const version = /^[0-9]{1,9}$/.exec(query.get('version') ?? '')?.[0]
  return {
    milliseconds: Math.min(Number(seconds) * 1000, limits.checkout.stateWaitMs),
    known: query.get('state'),
    version: version === undefined ? null : Number(version),
    over,
  }
}

export async function awaitStateAfter(
  { operations: { payerSessions } }: Pick<HostedPageParts, 'operations'>,
  context: SessionContext,
  wait: Wait,
): Promise<SessionContext> {
  const { over } = wait
  const until = performance.now() + wait.milliseconds
  let latest = context
  while (isAsKnown(latest, wait) && !over.aborted) {
    const left = until - performance.now()
    if (left <= 0) break
    await Promise.race([payerSessions.waitForChange(latest.session, Math.min(left, lookAgainMs)), untilAborted(over)])
    const session = await payerSessions.find(latest.session.id, latest.session.visitorAmount)
    const now = session && (await payerSessions.load(session))
    if (!now) break
    latest = now
  }
  return latest
}

function isAsKnown({ state, session }: SessionContext, { known, version }: Wait): boolean {
  if (version !== null && session.version !== version) return false
  return known === null ? isAttemptOpen(state) : state === known
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
