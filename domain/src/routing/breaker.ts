/**
 * The circuit breaker of a MID. Chapter 50 §4.
 *
 * A failing acquirer gets no more payments, because they would fail one by one: too many technical failures open the breaker until it
 * has cooled down. Then single payments probe the acquirer; a few successful probes close the breaker, one failure opens it again. An
 * issuer's decline is an answer and never counts as a failure.
 *
 * Half-open is not stored: an open breaker is half-open once it has cooled down, so no process has to change it at that moment.
 *
 * What is deliberately not here: counting (the caller passes the counts of the window), the choice of probes (each process admits one
 * at a time), and storing.
 */
import { limits } from '../limits.ts'

/** How the breaker acts now: `half-open` admits single payments as probes. */
export type BreakerState = 'closed' | 'open' | 'half-open'

/** The operator's override: `open` sends no payments, `closed` sends them despite failures. Null leaves the decision to the breaker. */
export type BreakerOverride = 'open' | 'closed' | null

export interface Breaker {
  readonly state: 'closed' | 'open'
  readonly since: Date
  /** Probes in a row that went well. */
  readonly probes: number
  readonly override: BreakerOverride
}

/** Exchanges that ended in the window and since the breaker's last change. */
export interface RecentExchanges {
  readonly attempts: number
  readonly failed: number
}

export interface Exchange {
  readonly begunAt: Date
  readonly endedAt: Date
  readonly failed: boolean
}

/** For a MID without any exchange yet. */
export const initialBreaker: Breaker = { state: 'closed', since: new Date(0), probes: 0, override: null }

export function healthOf({ state, since, override }: Breaker, now: Date): BreakerState {
  if (override !== null) return override
  if (state === 'closed') return 'closed'
  return now.getTime() < since.getTime() + coolDownMs ? 'open' : 'half-open'
}

/** The breaker after an exchange; the same object when nothing changes. `recent` includes the exchange. */
export function afterExchange(breaker: Breaker, exchange: Exchange, recent: RecentExchanges): Breaker {
  const { endedAt, begunAt, failed } = exchange
  // A request sent before the breaker's last change says nothing about the acquirer's present state.
  if (breaker.override !== null || begunAt < breaker.since) return breaker
  if (breaker.state === 'closed') return failed && isFailing(recent) ? openBreaker(breaker, endedAt) : breaker
  if (healthOf(breaker, begunAt) !== 'half-open') return breaker
  return failed ? openBreaker(breaker, endedAt) : afterGoodProbe(breaker, endedAt)
}

/** Applies the operator's override; null removes it and closes the breaker. */
export const withOverride = (override: BreakerOverride, at: Date): Breaker => ({
  state: override === 'open' ? 'open' : 'closed',
  since: at,
  probes: 0,
  override,
})

const { attempts: attemptsNeeded, failureRate, coolDownMs, probesToClose } = limits.breaker

const isFailing = ({ attempts, failed }: RecentExchanges): boolean =>
  attempts >= attemptsNeeded && failed >= attempts * failureRate

const openBreaker = ({ override }: Breaker, at: Date): Breaker => ({ state: 'open', since: at, probes: 0, override })

function afterGoodProbe(breaker: Breaker, at: Date): Breaker {
  const probes = breaker.probes + 1
  if (probes < probesToClose) return { ...breaker, probes }
  return { state: 'closed', since: at, probes: 0, override: null }
}
