/**
 * Optimistic concurrency. A change is decided on a record as it was read, and written only if no other process has changed the record
 * since; otherwise the record is read and the change decided again. The tries are limited, because a record that keeps changing is a fault.
 */
import { limits } from '#domain/limits.ts'

interface CurrentWrite<Read, Written> {
  /** The record as the caller has read it. */
  readonly record: Read
  /** Null without an effect: another process has changed the record. */
  write(record: Read): Promise<Written | null>
  /** Reads the record again. Null for a change that is wanted only on the record as the caller has read it. */
  readonly read: (() => Promise<Read>) | null
}

/** Null if the record changed before every try. */
export async function writeCurrent<Read, Written>(change: CurrentWrite<Read, Written>): Promise<Written | null> {
  let { record } = change
  for (let tries = 1; ; tries += 1) {
    const written = await change.write(record)
    if (written !== null || change.read === null || tries === limits.currentWrite.tries) return written
    record = await change.read()
  }
}
