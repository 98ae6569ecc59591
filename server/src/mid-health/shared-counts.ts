/**
 * Successes and failures, counted by key and interval, by several processes together.
 *
 * What this process counts waits until it is written (`take`), is in transit until it is read back (`read`), and counts all the time: a sum
 * never waits for the database and contains nothing twice.
 */
interface Count {
  readonly good: number
  readonly bad: number
}

export interface CountRow extends Count {
  readonly key: string
  /** The start of the interval, in milliseconds. */
  readonly interval: number
}

export class SharedCounts {
  #shared: CountsByInterval = new Map()
  #inTransit: CountsByInterval = new Map()
  #waiting: CountsByInterval = new Map()
  /** Sums of the shared counts, which change only when they are read. */
  readonly #sums = new Map<string, Count>()

  add(row: CountRow): void {
    addTo(this.#waiting, row)
  }

  /** From the interval that begins at `from`. */
  sum(key: string, from: number): Count {
    const parts = [this.#sharedSum(key, from), sumOf(this.#inTransit, key, from), sumOf(this.#waiting, key, from)]
    return parts.reduce(plus)
  }

  /** The counts to write; they stay in transit until `read` or `giveBack`. */
  take(): readonly CountRow[] {
    for (const row of rowsOf(this.#waiting)) addTo(this.#inTransit, row)
    this.#waiting = new Map()
    return rowsOf(this.#inTransit)
  }

  /** They could not be written. If they were after all, they count twice, which a rate tolerates. */
  giveBack(): void {
    for (const row of rowsOf(this.#inTransit)) addTo(this.#waiting, row)
    this.#inTransit = new Map()
  }

  /** What all processes have written from an interval on, including our own. Intervals before `forget` are dropped. */
  read(rows: readonly CountRow[], from: number, forget: number): void {
    for (const intervals of this.#shared.values()) {
      for (const interval of intervals.keys()) if (interval >= from || interval < forget) intervals.delete(interval)
    }
    for (const row of rows) addTo(this.#shared, row)
    for (const [key, intervals] of this.#shared) if (intervals.size === 0) this.#shared.delete(key)
    this.#inTransit = new Map()
    this.#sums.clear()
  }

  #sharedSum(key: string, from: number): Count {
    const name = `${key} ${from}`
    const known = this.#sums.get(name)
    if (known) return known
    const sum = sumOf(this.#shared, key, from)
    this.#sums.set(name, sum)
    return sum
  }
}

type CountsByInterval = Map<string, Map<number, Count>>

const none: Count = { good: 0, bad: 0 }

const plus = (a: Count, b: Count): Count => ({ good: a.good + b.good, bad: a.bad + b.bad })

function addTo(counts: CountsByInterval, { key, interval, good, bad }: CountRow): void {
  const intervals = counts.get(key) ?? new Map<number, Count>()
  intervals.set(interval, plus(intervals.get(interval) ?? none, { good, bad }))
  counts.set(key, intervals)
}

function sumOf(counts: CountsByInterval, key: string, from: number): Count {
  let [good, bad] = [0, 0]
  for (const [interval, count] of counts.get(key) ?? []) {
    if (interval < from) continue
    good += count.good
    bad += count.bad
  }
  return { good, bad }
}

const rowsOf = (counts: CountsByInterval): readonly CountRow[] =>
  [...counts].flatMap(([key, intervals]) => [...intervals].map(([interval, count]) => ({ key, interval, ...count })))
