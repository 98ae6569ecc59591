/**
 * A stand-in's durable record: a journal with one line per request.
 *
 * What a request stored, executed, answered and is to report stands in the same line, so that a crash keeps all of it or nothing. The state in
 * memory changes only by `apply`, which a restart calls again for every line: before and after it the stand-in knows the same.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Journal } from '../../kit/journal.ts'
import { ensureSalt } from '../../kit/salt.ts'

export type RequestedKind = 'sale' | 'authorize' | 'capture' | 'refund' | 'reverse' | 'void' | 'credit'

/** The payer's bank took the money of a payment, and gave it back; filed under the transaction of the charge. */
type DisputeKind = 'chargeback' | 'chargeback-returned'

/** Something that was decided: executed, or declined. */
export interface Effect {
  readonly account: string
  /** The merchant's id of the transaction, as far as the stand-in was told. */
  readonly transactionId: string
  readonly kind: RequestedKind | DisputeKind
  /** Minor units. */
  readonly amount: string
  readonly currency: string
  readonly state: 'executed' | 'declined'
  /** The stand-in's own. */
  readonly reference: string
}

/** What a request under an idempotency key was answered. */
interface StoredReply {
  /** Unique among all accounts. */
  readonly key: string
  /** Tells whether a later request under the same key is the same. */
  readonly fingerprint: string
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A report to the merchant that is sent until it is accepted. */
export interface Notice {
  readonly id: string
  readonly account: string
  /** Not signed yet: a signature may carry the time of sending. */
  readonly content: unknown
}

/** `Item` is what the stand-in itself remembers. */
export interface Line<Item> {
  readonly items?: readonly Item[]
  readonly effects?: readonly Effect[]
  readonly reply?: StoredReply
  readonly notices?: readonly Notice[]
  /** The id of a notice that was accepted. */
  readonly accepted?: string
  /** The key of a request that met a fault on purpose. */
  readonly faulted?: string
}

export class Books<Item> {
  readonly #apply: (item: Item) => void
  readonly #effects: Effect[] = []
  readonly #replies = new Map<string, StoredReply>()
  readonly #notices = new Map<string, Notice>()
  readonly #openNotices = new Map<string, Notice>()
  readonly #faulted = new Set<string>()
  #journal: Journal<Line<Item>> | undefined

  /** For fingerprints of requests, which hold card numbers. */
  readonly salt: string

  private constructor(apply: (item: Item) => void, salt: string) {
    this.#apply = apply
    this.salt = salt
  }

  /** `apply` changes the stand-in's own state by one item. */
  static async open<Item>(folder: string, apply: (item: Item) => void): Promise<Books<Item>> {
    await mkdir(folder, { recursive: true })
    const books = new Books<Item>(apply, await ensureSalt(folder))
    books.#journal = await Journal.open<Line<Item>>(join(folder, 'journal'), (line) => books.#enter(line))
    return books
  }

  /** Oldest first. */
  get effects(): readonly Effect[] {
    return this.#effects
  }

  /** Oldest first, accepted ones included. */
  get notices(): readonly Notice[] {
    return [...this.#notices.values()]
  }

  get openNotices(): Iterable<Notice> {
    return this.#openNotices.values()
  }

  /** A request meets a fault once, also across a restart. */
  hasMetFault(key: string): boolean {
    return this.#faulted.has(key)
  }

  replyTo(key: string): StoredReply | undefined {
    return this.#replies.get(key)
  }

  write(line: Line<Item>): void {
    this.#enter(line)
    this.#journal?.append(line)
  }

  /** Resolves when everything written so far is on disk. A request is answered only then. */
  async sync(): Promise<void> {
    await this.#journal?.sync()
  }

  async close(): Promise<void> {
    await this.#journal?.close()
  }

  #enter({ items = [], effects = [], reply, notices = [], accepted, faulted }: Line<Item>): void {
    for (const item of items) this.#apply(item)
    this.#effects.push(...effects)
    if (reply) this.#replies.set(reply.key, reply)
    for (const notice of notices) {
      this.#notices.set(notice.id, notice)
      this.#openNotices.set(notice.id, notice)
    }
    if (accepted !== undefined) this.#openNotices.delete(accepted)
    if (faulted !== undefined) this.#faulted.add(faulted)
  }
}
