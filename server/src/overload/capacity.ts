/**
 * How many requests are processed at the same time, and how many are finished per second. Both are measured and not configured, because a
 * machine, its database and its neighbours change.
 *
 * Requests that wait for an acquirer are not counted: they take none of our time, and a slow acquirer is no reason to refuse requests for
 * another. By Little's law the mean time inside is the mean number inside divided by the rate at which they end. While requests queue, a
 * time inside above the target means that more concurrency only slows each one down, so the limit is lowered; well below the target it is
 * raised again.
 */
import { limits } from '#domain/limits.ts'

const { windowMs, insideHighMs, insideLowMs, leastConcurrent, firstGuessPerSecond } = limits.overload

export class Capacity {
  readonly #most: number
  #limit: number
  #perSecond: number = firstGuessPerSecond
  #inside = 0
  /** The summed milliseconds that requests spent inside during this window. */
  #spentMs = 0
  #ended = 0
  #changedAt: number
  #windowFrom: number
  #queuedThroughout = false

  constructor(most: number, now: number) {
    this.#most = most
    this.#limit = most
    this.#changedAt = now
    this.#windowFrom = now
  }

  get limit(): number {
    return this.#limit
  }

  get perSecond(): number {
    return this.#perSecond
  }

  get inside(): number {
    return this.#inside
  }

  get hasRoom(): boolean {
    return this.#inside < this.#limit
  }

  /** One more inside (1) or one fewer (-1). */
  change(by: 1 | -1, now: number): void {
    this.#spentMs += this.#inside * (now - this.#changedAt)
    this.#changedAt = now
    this.#inside += by
  }

  end(): void {
    this.#ended += 1
  }

  /**
   * Ends the window if its time is over. The limit adapts only if requests were queued throughout: otherwise the window shows the demand and
   * not the capacity.
   */
  closeWindow(isQueueing: boolean, now: number): void {
    if (!isQueueing) this.#queuedThroughout = false
    const passedMs = now - this.#windowFrom
    if (passedMs < windowMs) return
    if (this.#queuedThroughout) this.#learn(passedMs, now)
    this.#spentMs = 0
    this.#ended = 0
    this.#changedAt = now
    this.#windowFrom = now
    this.#queuedThroughout = isQueueing
  }

  #learn(passedMs: number, now: number): void {
    const spentMs = this.#spentMs + this.#inside * (now - this.#changedAt)
    this.#perSecond = Math.max(1, 0.6 * this.#perSecond + 0.4 * (this.#ended / passedMs) * 1000)
    const insideMs = this.#ended === 0 ? Number.POSITIVE_INFINITY : spentMs / this.#ended
    if (insideMs > insideHighMs) {
      // In proportion, so that a sudden crowd is not inside for seconds before the limit fits; at most to half, because one window may be an exception.
      const share = Math.min(0.8, Math.max(0.5, insideHighMs / insideMs))
      this.#limit = Math.max(leastConcurrent, Math.floor(this.#limit * share))
    }
    if (insideMs < insideLowMs) this.#limit = Math.min(this.#most, this.#limit + Math.ceil(this.#limit / 10))
  }
}
