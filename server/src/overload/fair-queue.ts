/**
 * Waiting requests by merchant. Merchants take turns, so that one with a thousand waiting requests delays another by one request and not by
 * a thousand.
 *
 * Within a merchant, requests that continue something (a capture, a status query, a payer who presses Pay) come before new payments. Every
 * fourth turn goes to new payments, so that neither kind can block the other.
 */
export interface Waiting {
  readonly merchant: string
  readonly continues: boolean
  /** When it began to wait, in milliseconds. */
  readonly since: number
}

interface Line<Item> {
  readonly begins: Item[]
  readonly continues: Item[]
  /** Turns in a row that went to continuing requests. */
  preferred: number
}

const preferredInRow = 3

export class FairQueue<Item extends Waiting> {
  // A Map keeps the order of insertion: after its turn a merchant is inserted again at the end.
  readonly #lines = new Map<string, Line<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many merchants have waiting requests. */
  get merchants(): number {
    return this.#lines.size
  }

  sizeOf(merchant: string): number {
    const line = this.#lines.get(merchant)
    return line ? line.begins.length + line.continues.length : 0
  }

  has(merchant: string): boolean {
    return this.#lines.has(merchant)
  }

  add(item: Item): void {
    const line = this.#lines.get(item.merchant) ?? { begins: [], continues: [], preferred: 0 }
    this.#lines.set(item.merchant, line)
    if (item.continues) line.continues.push(item)
    else line.begins.push(item)
    this.#size += 1
  }

  next(): Item | null {
    for (const [merchant, line] of this.#lines) {
      this.#lines.delete(merchant)
      const item = nextOf(line)
      if (line.begins.length + line.continues.length > 0) this.#lines.set(merchant, line)
      if (item === undefined) continue
      this.#size -= 1
      return item
    }
    return null
  }

  /** Removes everything that has waited since before `moment`. Each line is in order of arrival. */
  takeOlder(moment: number): readonly Item[] {
    const older: Item[] = []
    for (const [merchant, { begins, continues }] of this.#lines) {
      for (const items of [begins, continues]) older.push(...items.splice(0, countOlder(items, moment)))
      if (begins.length + continues.length === 0) this.#lines.delete(merchant)
    }
    this.#size -= older.length
    return older
  }
}

function nextOf<Item>(line: Line<Item>): Item | undefined {
  const isOthersTurn = line.preferred >= preferredInRow && line.begins.length > 0
  if (line.continues.length > 0 && !isOthersTurn) {
    line.preferred += 1
    return line.continues.shift()
  }
  line.preferred = 0
  return line.begins.shift()
}

function countOlder(items: readonly Waiting[], moment: number): number {
  const first = items.findIndex(({ since }) => since >= moment)
  return first === -1 ? items.length : first
}
