/**
 * GET /page/v1/state: what became of the session, held until that changes or the wait is over. Chapter 30 §7.10.
 *
 * A page with a wallet's sheet open waits for a change of the session itself, too: chapter 40 §13.
 *
 * An outcome that this process writes ends the wait at once; for those of other processes the rows are looked at now and then.
 */

import { isOpen } from '#domain/checkout/session.ts'
import { limits } from '#domain/limits.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { HostedPageParts } from '../parts.ts'

const lookAgainMs = 2000

interface Wait {
  readonly milliseconds: number
  /** What the page knows; without it a state in which nothing is under way is answered at once. */
  readonly known: string | null
  /** The version of the session that the page knows; null where any will do. */
  readonly version: number | null
  /** The browser is gone, or the service is being stopped. */
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

export async function stateAfter(
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
    await Promise.race([payerSessions.changed(latest.session, Math.min(left, lookAgainMs)), untilAborted(over)])
    const session = await payerSessions.find(latest.session.id)
    const now = session && (await payerSessions.load(session))
    if (!now) break
    latest = now
  }
  return latest
}

function isAsKnown({ state, session }: SessionContext, { known, version }: Wait): boolean {
  if (version !== null && session.version !== version) return false
  return known === null ? isOpen(state) : state === known
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
