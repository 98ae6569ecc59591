/**
 * Events that the acquirer starts by itself, in a heap ordered by time, so that the next one is found quickly among many.
 *
 * Events are never cancelled here: the caller that takes one checks whether it still applies.
 */
export interface DueEvent<Event> {
  readonly at: number
  readonly event: Event
}

export class EventQueue<Event> {
  readonly #heap: DueEvent<Event>[] = []

  add(at: number, event: Event): void {
    const heap = this.#heap
    const added = { at, event }
    let index = heap.length
    for (;;) {
      const above = (index - 1) >> 1
      const parent = index > 0 ? heap[above] : undefined
      if (!parent || parent.at <= at) break
      heap[index] = parent
      index = above
    }
    heap[index] = added
  }

  /** Removes and returns all due events, oldest first. */
  take(now: number): readonly DueEvent<Event>[] {
    const due: DueEvent<Event>[] = []
    for (let next = this.#heap[0]; next && next.at <= now; next = this.#heap[0]) {
      due.push(next)
      this.#dropFirst()
    }
    return due
  }

  #dropFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const [one, other] = [heap[left], heap[left + 1]]
      const smaller = one && other && other.at < one.at ? other : one
      if (!smaller || last.at <= smaller.at) break
      heap[index] = smaller
      index = smaller === one ? left : left + 1
    }
    heap[index] = last
  }
}
