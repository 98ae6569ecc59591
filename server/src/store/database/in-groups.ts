/**
 * Groups writes that arrive while another write is in progress into one next write.
 *
 * A statement, with its flush to disk, costs the database about the same for one row as for a dozen. No item waits for a group to fill: a
 * single item is written at once, and under load groups grow by themselves.
 */
interface Groups<Item> {
  /** One statement for all items. If it fails, each item is written alone, so that an invalid one does not harm the others. */
  readonly write: (items: readonly Item[]) => Promise<unknown>
  /** Items with the same value are never in one group. */
  readonly apart: (item: Item) => string
  readonly most: number
}

export function inGroups<Item>({ write, apart, most }: Groups<Item>): (item: Item) => Promise<void> {
  let waiting: WaitingItem<Item>[] = []
  let underWay = false

  const next = (): readonly WaitingItem<Item>[] => {
    const group = new Map<string, WaitingItem<Item>>()
    const others: WaitingItem<Item>[] = []
    for (const one of waiting) {
      const key = apart(one.item)
      if (group.size < most && !group.has(key)) group.set(key, one)
      else others.push(one)
    }
    waiting = others
    return [...group.values()]
  }

  const run = async (): Promise<void> => {
    if (underWay) return
    underWay = true
    while (waiting.length > 0) await writeGroup(next(), write)
    underWay = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      void run()
    })
}

interface WaitingItem<Item> {
  readonly item: Item
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Never throws: failures go to the waiting callers. */
async function writeGroup<Item>(group: readonly WaitingItem<Item>[], write: Groups<Item>['write']): Promise<void> {
  try {
    await write(group.map(({ item }) => item))
    for (const { resolve } of group) resolve()
  } catch (error) {
    const [first, ...others] = group
    if (others.length === 0) first?.reject(error)
    else for (const one of group) await writeGroup([one], write)
  }
}
