/**
 * The circuit breaker of a MID. Chapter 50 §4.
 *
 * An acquirer that fails is left alone instead of being sent payments that fail one by one: too many technical failures open the
 * breaker, and no payment goes there until it has cooled down. Then single payments probe; a few that go well close it, one that fails
 * opens it anew. What an issuer declines is an answer, and never counts against the acquirer.
 *
 * Half-open is not stored: an open breaker is half-open once it has cooled down, so that nobody has to be there at that moment.
 *
 * What is deliberately not here: counting (the caller brings what was seen in the window), who may probe (each process admits one at a
 * time), and storing.
 */
import { limits } from '../limits.ts'
import type { Health } from './approval.ts'

/** What an operator decided: `open` keeps payments away, `closed` lets them through whatever fails. Null leaves it to the breaker. */
export type Hand = 'open' | 'closed' | null

export interface Breaker {
  readonly state: 'closed' | 'open'
  readonly since: Date
  /** Probes in a row that went well. */
  readonly probes: number
  readonly hand: Hand
}

/** Exchanges that ended in the window and since the breaker's last change. */
export interface Recent {
  readonly attempts: number
  readonly failed: number
}

export interface Exchange {
  readonly begunAt: Date
  readonly endedAt: Date
  readonly failed: boolean
}

/** Of a MID that was never heard of. */
export const untouched: Breaker = { state: 'closed', since: new Date(0), probes: 0, hand: null }

export function healthOf({ state, since, hand }: Breaker, now: Date): Health {
  if (hand !== null) return hand
  if (state === 'closed') return 'closed'
  return now.getTime() < since.getTime() + coolDownMs ? 'open' : 'half-open'
}

/** What an exchange makes of the breaker: the same value when it changes nothing. `recent` has the exchange in it. */
export function afterExchange(breaker: Breaker, exchange: Exchange, recent: Recent): Breaker {
  const { endedAt, begunAt, failed } = exchange
  // What was sent before the breaker's last change shows how the acquirer was then.
  if (breaker.hand !== null || begunAt < breaker.since) return breaker
  if (breaker.state === 'closed') return failed && isFailing(recent) ? opened(breaker, endedAt) : breaker
  if (healthOf(breaker, begunAt) !== 'half-open') return breaker
  return failed ? opened(breaker, endedAt) : afterGoodProbe(breaker, endedAt)
}

/** An operator's decision; null gives the breaker back to itself, closed. */
export const byHand = (hand: Hand, at: Date): Breaker => ({
  state: hand === 'open' ? 'open' : 'closed',
  since: at,
  probes: 0,
  hand,
})

const { attempts: attemptsNeeded, failureRate, coolDownMs, probesToClose } = limits.breaker

const isFailing = ({ attempts, failed }: Recent): boolean =>
  attempts >= attemptsNeeded && failed >= attempts * failureRate

const opened = ({ hand }: Breaker, at: Date): Breaker => ({ state: 'open', since: at, probes: 0, hand })

function afterGoodProbe(breaker: Breaker, at: Date): Breaker {
  const probes = breaker.probes + 1
  if (probes < probesToClose) return { ...breaker, probes }
  return { state: 'closed', since: at, probes: 0, hand: null }
}
