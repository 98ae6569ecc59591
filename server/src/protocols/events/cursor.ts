/** The cursor of the events feed: opaque to merchants, so that its content can change. */
import { isStoredUuid } from '#domain/uuid.ts'
import type { FeedPosition } from '../../contracts/event-feed.ts'

export interface Cursor {
  /** Changes with every recovery after a restore, because positions of the time before may name other callbacks now. */
  readonly epoch: string
  readonly position: FeedPosition
}

export const writeCursor = ({ epoch, position: { writtenIn, id } }: Cursor): string =>
  Buffer.from(`${epoch}.${writtenIn}.${id}`).toString('base64url')

/** Null if this service did not issue it. */
export function readCursor(text: string): Cursor | null {
  const written = Buffer.from(text, 'base64url').toString('latin1')
  const [, epoch, writtenIn, id] = /^([0-9]{1,16})\.([0-9]{1,19})\.([0-9a-f-]{36})$/.exec(written) ?? []
  if (epoch === undefined || writtenIn === undefined || id === undefined || !isStoredUuid(id)) return null
  return { epoch, position: { writtenIn, id } }
}

export function laterOf(one: FeedPosition, other: FeedPosition): FeedPosition {
  const [left, right] = [BigInt(one.writtenIn), BigInt(other.writtenIn)]
  if (left !== right) return left > right ? one : other
  return one.id > other.id ? one : other
}
