/**
 * Writes that come while another is under way go together as the next one.
 *
 * A statement costs the database about the same for one row as for a dozen, and so does the flush behind it. Nobody waits for a
 * group to fill: who comes alone goes alone and at once, and under load groups grow by themselves.
 */
interface Groups<Item> {
  /** One statement for all. When it fails, each is written alone, so that one that cannot be written harms no other. */
  readonly write: (items: readonly Item[]) => Promise<unknown>
  /** Items that agree in this never go together. */
  readonly apart: (item: Item) => string
  readonly most: number
}

export function inGroups<Item>({ write, apart, most }: Groups<Item>): (item: Item) => Promise<void> {
  let waiting: Waiting<Item>[] = []
  let underWay = false

  const next = (): readonly Waiting<Item>[] => {
    const group = new Map<string, Waiting<Item>>()
    const others: Waiting<Item>[] = []
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
    while (waiting.length > 0) await written(next(), write)
    underWay = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      void run()
    })
}

interface Waiting<Item> {
  readonly item: Item
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Never throws: whoever waits is told. */
async function written<Item>(group: readonly Waiting<Item>[], write: Groups<Item>['write']): Promise<void> {
  try {
    await write(group.map(({ item }) => item))
    for (const { resolve } of group) resolve()
  } catch (error) {
    const [first, ...others] = group
    if (others.length === 0) first?.reject(error)
    else for (const one of group) await written([one], write)
  }
}
