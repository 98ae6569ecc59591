/**
 * The hash chain of the audit log: every entry's hash covers the entry and the hash before it. An export can be verified without the
 * database, and a hash recorded earlier proves that nothing before it has changed since.
 */
import { hash } from 'node:crypto'
import type { AuditRow } from '../../store/people/audit-log.ts'

export interface AuditEntry extends Omit<AuditRow, 'at'> {
  /** ISO, to the millisecond. */
  readonly at: string
}

/** The hash before the first entry. */
export const chainBeginning = '0'.repeat(64)

export function hashOf(entry: Omit<AuditEntry, 'hash'>): string {
  const { seq, at, actor, action, subject, merchantId, before, after, address, previousHash } = entry
  // A JSON list of texts has exactly one form, and no two entries share it.
  const text = JSON.stringify([
    String(seq),
    at,
    actor,
    action,
    subject,
    merchantId,
    before,
    after,
    address,
    previousHash,
  ])
  return hash('sha256', text, 'hex')
}

interface ChainFault {
  readonly seq: bigint
  readonly text: string
}

export interface ChainVerifier {
  /** Entries in order. */
  add(entry: AuditEntry): void
  readonly count: number
  readonly faults: readonly ChainFault[]
  /** The hash of the last entry, which one may record and look for in a later chain. */
  readonly head: string
  /** Whether an entry with this hash was among them. */
  has(hash: string): boolean
}

/** Continues after a fault, so that all are found. `wanted` is a hash recorded earlier. */
export function chainVerifier(wanted: string = chainBeginning): ChainVerifier {
  const faults: ChainFault[] = []
  let head = chainBeginning
  let last = 0n
  let count = 0
  let seen = wanted === chainBeginning
  return {
    add: (entry) => {
      const { seq } = entry
      const fault = (text: string) => faults.push({ seq, text })
      if (seq !== last + 1n) fault(`Entry ${seq} follows entry ${last}: entries are missing or were inserted.`)
      if (entry.previousHash !== head) fault(`Entry ${seq} does not contain the hash of the previous entry.`)
      if (hashOf(entry) !== entry.hash) fault(`Entry ${seq} was changed after it was written.`)
      head = entry.hash
      last = seq
      count += 1
      seen ||= entry.hash === wanted
    },
    get count() {
      return count
    },
    get faults() {
      return faults
    },
    get head() {
      return head
    },
    has: (hash) => (hash === wanted ? seen : hash === head),
  }
}
