/**
 * Groups writes that arrive while another write is in progress into one next write.
 *
 * A statement, with its flush to disk, costs the database about the same for one row as for a dozen. No item waits for a group to fill, unless
 * it says that it may: a single item is written at once, and under load groups grow by themselves. A write that takes long, because one of
 * its rows is locked, say, does not hold the next ones back.
 */
interface Groups<Item, Result> {
  readonly runAlone: (item: Item) => Promise<Result>
  /** One statement for two items or more; returns the result of each. If it fails, each item is written alone. */
  readonly runTogether: (items: readonly Item[]) => Promise<(item: Item) => Result>
  /** Items with the same value are never in one group. */
  readonly apart: (item: Item) => string
  readonly most: number
  /** Whether a failed group may be written again item by item; without it, after any failure. */
  readonly mayRepeat?: (error: unknown) => boolean
  /** How long an item may wait for others that are about to arrive; without it, not at all. One that may not wait takes all with it. */
  readonly patienceMs?: (item: Item) => number
}

/** After this time a write counts as slow, and the next group begins beside it. */
const slowMs = 50
/** The maximum number of writes beside each other; the slow ones must leave connections to others. */
const mostBeside = 4

export function inGroups<Item, Result>(groups: Groups<Item, Result>): (item: Item) => Promise<Result> {
  const { apart, most, patienceMs = () => 0 } = groups
  let waiting: WaitingItem<Item, Result>[] = []
  let patience: NodeJS.Timeout | undefined
  let running = 0
  let slow = 0

  const next = (): readonly WaitingItem<Item, Result>[] => {
    const group = new Map<string, WaitingItem<Item, Result>>()
    const others: WaitingItem<Item, Result>[] = []
    for (const one of waiting) {
      const key = apart(one.item)
      if (group.size < most && !group.has(key)) group.set(key, one)
      else others.push(one)
    }
    waiting = others
    return [...group.values()]
  }

  const write = async (group: readonly WaitingItem<Item, Result>[]): Promise<void> => {
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      slow += 1
      begin()
    }, slowMs)
    running += 1
    await writeGroup(group, groups)
    clearTimeout(timer)
    running -= 1
    if (isSlow) slow -= 1
    begin()
  }

  const begin = (): void => {
    if (waiting.length === 0 || running !== slow || running >= mostBeside) return
    clearTimeout(patience)
    const until = Math.min(...waiting.map(({ until }) => until))
    const leftMs = waiting.length < most ? until - performance.now() : 0
    if (leftMs > 0) patience = setTimeout(begin, Math.ceil(leftMs))
    else void write(next())
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject, until: performance.now() + patienceMs(item) })
      begin()
    })
}

interface WaitingItem<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
  /** By the monotonic clock. */
  readonly until: number
}

/** Never throws: failures go to the waiting callers. */
async function writeGroup<Item, Result>(
  group: readonly WaitingItem<Item, Result>[],
  { runAlone, runTogether, mayRepeat = () => true }: Groups<Item, Result>,
): Promise<void> {
  const writeAlone = ({ item, resolve, reject }: WaitingItem<Item, Result>) => runAlone(item).then(resolve, reject)
  if (group.length === 1) return void (await Promise.all(group.map(writeAlone)))
  try {
    const resultOf = await runTogether(group.map(({ item }) => item))
    for (const { item, resolve } of group) resolve(resultOf(item))
  } catch (error) {
    if (mayRepeat(error)) await Promise.all(group.map(writeAlone))
    else for (const { reject } of group) reject(error)
  }
}
