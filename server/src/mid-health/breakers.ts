/** Circuit breakers as this process sees them: the shared state, and what it has seen itself since. */
import { limits } from '#domain/limits.ts'
import type { BreakerState } from '#domain/routing/breaker.ts'
import {
  afterExchange,
  type Breaker,
  type Exchange,
  healthOf,
  initialBreaker,
  type RecentExchanges,
} from '#domain/routing/breaker.ts'
import type { BreakerRow, ExchangeRow } from '../store/configuration/mid-health.ts'
import { SharedCounts } from './shared-counts.ts'

/** Short compared with the window, because an interval counts as a whole. */
const intervalMs = 5_000

/** How an exchange changes the stored breaker, which another process may have changed since. */
export interface BreakerChange {
  readonly midId: string
  readonly apply: (breaker: Breaker) => Breaker
  /** The counts of the window at that moment. */
  readonly recent: RecentExchanges
}

export class Breakers {
  readonly #breakers = new Map<string, Breaker>()
  readonly #exchanges = new SharedCounts()
  readonly #probedAt = new Map<string, Date>()
  #changes: BreakerChange[] = []

  health(midId: string, now: Date): BreakerState {
    return healthOf(this.#of(midId), now)
  }

  admits(midId: string, now: Date): boolean {
    const health = this.health(midId, now)
    if (health !== 'half-open') return health === 'closed'
    const probedAt = this.#probedAt.get(midId)
    return probedAt === undefined || now.getTime() - probedAt.getTime() >= limits.breaker.probeEveryMs
  }

  probe(midId: string, now: Date): void {
    if (this.health(midId, now) === 'half-open') this.#probedAt.set(midId, now)
  }

  /** Returns whether it changed the breaker. */
  recordExchange(midId: string, exchange: Exchange): boolean {
    const { endedAt, failed } = exchange
    this.#exchanges.add({ key: midId, interval: intervalOf(endedAt), good: failed ? 0 : 1, bad: failed ? 1 : 0 })
    const before = this.#of(midId)
    const recent = this.#recent(midId, endedAt)
    const apply = (breaker: Breaker): Breaker => afterExchange(breaker, exchange, recent)
    const after = apply(before)
    if (after === before) return false
    this.#breakers.set(midId, after)
    // A successful probe makes room for the next.
    this.#probedAt.delete(midId)
    this.#changes.push({ midId, apply, recent })
    return true
  }

  #recent(midId: string, now: Date): RecentExchanges {
    // The interval of the last change counts as a whole: before a breaker closes it contains little else than successful probes.
    const from = Math.max(intervalOf(now) - limits.breaker.windowMs, intervalOf(this.#of(midId).since))
    const { good, bad } = this.#exchanges.sum(midId, from)
    return { attempts: good + bad, failed: bad }
  }

  takeExchanges(): readonly ExchangeRow[] {
    return this.#exchanges.take().map(({ key, interval, good, bad }) => ({
      midId: key,
      interval: new Date(interval),
      answered: good,
      failed: bad,
    }))
  }

  takeChanges(): readonly BreakerChange[] {
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  giveBack(changes: readonly BreakerChange[]): void {
    this.#exchanges.giveBack()
    this.#changes.unshift(...changes)
  }

  read(exchanges: readonly ExchangeRow[], from: Date, breakers: readonly BreakerRow[]): void {
    const rows = exchanges.map(({ midId, interval, answered, failed }) => ({
      key: midId,
      interval: interval.getTime(),
      good: answered,
      bad: failed,
    }))
    this.#exchanges.read(rows, from.getTime(), from.getTime())
    // Changes of this process that are not written yet stay in force.
    const changing = new Set(this.#changes.map(({ midId }) => midId))
    for (const { midId, breaker } of breakers) if (!changing.has(midId)) this.#breakers.set(midId, breaker)
  }

  #of(midId: string): Breaker {
    return this.#breakers.get(midId) ?? initialBreaker
  }
}

const intervalOf = (at: Date): number => Math.floor(at.getTime() / intervalMs) * intervalMs
