/** The events feed: every callback of the last 30 days in the order of writing, for a receiver that was down or sees a gap. */
import { utf8 } from './bytes.ts'
import { type Callback, type Receiver, verifyCallback } from './callback.ts'
import { nowSeconds } from './clock.ts'
import { CallbackError } from './errors.ts'
import { exchange, type TransportOptions } from './transport.ts'
import { signWebhook } from './webhook-signature.ts'

export interface FeedEvent extends Callback {
  readonly id: string
  readonly sequence: number
  /** Store it once the event is handled, and continue behind it. */
  readonly cursor: string
  /** As a delivery at this moment would have them, to hand the callback on. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface FeedOptions extends TransportOptions {
  readonly baseUrl: string
  readonly key: string
  readonly receiver: Receiver
}

export class EventFeed {
  readonly #options: FeedOptions

  constructor(options: FeedOptions) {
    this.#options = options
  }

  /** Reads to the end of the feed, page by page; without a cursor from 30 days ago. Handle each `id` once. */
  async *since(cursor?: string): AsyncGenerator<FeedEvent, void, undefined> {
    let after = cursor
    for (;;) {
      const page = readPage(await this.#page(after === undefined ? '' : `?after=${encodeURIComponent(after)}`))
      // All at once, because the signatures of a page are as old as the page.
      yield* await Promise.all(page.events.map((event) => this.#verify(event)))
      after = page.next ?? after
      if (!page.hasMore) return
    }
  }

  /** The newest callbacks, at most 500, and the cursor behind them; with 0 only the cursor, to begin with what comes. */
  async last(count: number): Promise<{ readonly events: readonly FeedEvent[]; readonly cursor: string | undefined }> {
    const { events, next } = readPage(await this.#page(`?last=${count}`))
    return { events: await Promise.all(events.map((event) => this.#verify(event))), cursor: next }
  }

  /**
   * The callbacks to handle now, in order: those of the payment that did not arrive, then this one. `lastSequence` is the number of the
   * payment's last callback that you have handled, 0 if none. Throws if the gap cannot be closed yet: answer 503, and it is delivered again.
   */
  async withMissing(callback: Callback, lastSequence: number, cursor?: string): Promise<readonly Callback[]> {
    const { sequence } = callback
    if (sequence === undefined || sequence <= lastSequence + 1) return [callback]
    const found = new Map<number, Callback>()
    for await (const event of this.since(cursor)) {
      const isMissing = event.sequence > lastSequence && event.sequence < sequence
      if (isMissing && paymentOf(event) === paymentOf(callback)) found.set(event.sequence, event)
    }
    if (found.size < sequence - lastSequence - 1)
      throw new CallbackError('Earlier callbacks of the payment are missing.')
    return [...[...found].toSorted(([a], [b]) => a - b).map(([, event]) => event), callback]
  }

  async #page(query: string): Promise<unknown> {
    const { baseUrl, key, receiver } = this.#options
    const [secret] = receiver.secrets ?? []
    if (secret === undefined) throw new TypeError('The events feed needs webhookSecrets.')
    const timestamp = String((receiver.now ?? nowSeconds)())
    const signature = await signWebhook(secret, utf8(`${key}.${timestamp}.GET /events${query}`))
    const headers = {
      accept: 'application/json',
      'webhook-key': key,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    }
    return exchange({ url: `${baseUrl}/events${query}`, method: 'GET', headers }, this.#options)
  }

  async #verify({ cursor, headers, body }: RawEvent): Promise<FeedEvent> {
    const { id, sequence, fields } = await verifyCallback({ headers, body }, this.#options.receiver)
    if (id === undefined || sequence === undefined) throw new CallbackError('The event has no webhook-id or sequence.')
    return { id, sequence, fields, cursor, headers, body }
  }
}

const paymentOf = ({ fields }: Callback): unknown => fields['trans_id'] ?? fields['id']

interface RawEvent {
  readonly cursor: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Page {
  readonly events: readonly RawEvent[]
  readonly next: string | undefined
  readonly hasMore: boolean
}

function readPage(answer: unknown): Page {
  const { events, next, has_more } = membersOf(answer)
  return {
    events: Array.isArray(events) ? events.map((event) => rawEvent(membersOf(event))) : [],
    next: typeof next === 'string' ? next : undefined,
    hasMore: has_more === true,
  }
}

const rawEvent = ({ cursor, headers, body }: Readonly<Record<string, unknown>>): RawEvent => ({
  cursor: String(cursor),
  headers: Object.fromEntries(Object.entries(membersOf(headers)).map(([name, value]) => [name, String(value)])),
  body: String(body),
})

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
