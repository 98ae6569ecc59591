/** One page of the events feed: the callbacks behind a cursor, with the headers of a delivery at this moment. */
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Mode } from '#domain/merchant.ts'
import { callbackHeaders, webhookId } from '#domain/signature/callback-headers.ts'
import type { EventFeed, FeedRow } from '../../contracts/event-feed.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { type Cursor, laterOf, writeCursor } from './cursor.ts'

interface PageRequest {
  readonly merchantId: string
  readonly mode: Mode
  readonly after: Cursor | null
  /** So many of the newest callbacks, for a reader that wants no earlier ones; null for the page behind the cursor. */
  readonly last: number | null
  readonly secrets: readonly string[]
  /** The instance's clock decides the age of a callback, the machine's clock signs. */
  readonly now: Date
  readonly signedAt: Date
}

export async function feedPage(feed: EventFeed, request: PageRequest): Promise<object> {
  const { merchantId, mode, after, last } = request
  if (!(await feed.isOffered())) throw new RefusedError(errors.noEventsFeed)
  const epoch = await feed.readEpoch()
  const start = await feed.startAt(merchantId, oldestId(request.now))
  if (start === null) return { events: [], next: after ? writeCursor(after) : null, has_more: false }

  // After a restore an earlier cursor starts over: merchants handle each webhook-id once.
  const position = after?.epoch === epoch ? laterOf(after.position, start) : start
  const rows =
    last === null
      ? await feed.listRowsAfter(merchantId, position, limits.events.page)
      : await feed.listLastRows(merchantId, position, last === 0 ? 1 : limits.events.page)
  const shown = rows.filter((row) => row.mode === mode)
  return {
    events: newest(shown, last ?? shown.length).map((row) => eventOf(row, epoch, request)),
    next: writeCursor({ epoch, position: rows.at(-1)?.position ?? position }),
    has_more: last === null && rows.length === limits.events.page,
  }
}

const newest = (rows: readonly FeedRow[], count: number): readonly FeedRow[] =>
  rows.slice(Math.max(rows.length - count, 0))

function eventOf(row: FeedRow, epoch: string, { secrets, signedAt }: PageRequest): object {
  const { id, paymentId, sequence, state, createdAt, contentType, body } = row
  return {
    id: webhookId(id),
    cursor: writeCursor({ epoch, position: row.position }),
    payment_id: paymentId,
    sequence,
    state,
    created_at: createdAt.toISOString(),
    headers: { 'content-type': contentType, ...callbackHeaders({ id, sequence, body, secrets, at: signedAt }) },
    body,
  }
}

/** Identifiers are time-ordered; the margin covers transactions that wrote theirs in another order. */
function oldestId(now: Date): string {
  const milliseconds = now.getTime() - limits.events.keptMs - limits.events.marginMs
  const hex = milliseconds.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
