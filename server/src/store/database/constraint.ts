/**
 * The constraint that refused a write. An error that comes from another server of a distributed database names it only in its message, with
 * the number of the shard behind it.
 */
import { DatabaseError } from 'pg'

const shardNumber = /_\d{4,}$/

export function refusedBy(error: unknown): string | null {
  if (!(error instanceof DatabaseError)) return null
  const name = error.constraint ?? /constraint "([^"]+)"/.exec(error.message)?.[1] ?? null
  return name === null ? null : name.replace(shardNumber, '')
}
