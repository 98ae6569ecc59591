/** Writes the audit log: who did what to what, before and after, each entry chained to the one before it. Chapter 50 §8. */
import type { Clock } from '../../contracts/ports.ts'
import { maskCardNumbers } from '../../observe/mask.ts'
import type { PoolClient, Queryable } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import {
  type AuditFilter,
  type AuditRow,
  appendAudit,
  listAuditPage,
  lockChainEnd,
  readAuditEntries,
} from '../../store/people/audit-log.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import type { Actor } from '../context.ts'
import { type AuditEntry, type ChainVerifier, chainBeginning, chainVerifier, hashOf } from './audit-chain.ts'
import { lineOf } from './audit-export.ts'

export interface AuditNote {
  /** `noun.verb`. */
  readonly action: string
  /** `noun id`. */
  readonly subject: string
  readonly merchantId: string | null
  readonly before?: unknown
  readonly after?: unknown
}

/** Call in the transaction of the change: both happen, or neither. */
export async function note(client: PoolClient, clock: Clock, actor: Actor, details: AuditNote): Promise<void> {
  const end = await lockChainEnd(client)
  const at = clock.now()
  const entry: Omit<AuditEntry, 'hash'> = {
    seq: (end?.seq ?? 0n) + 1n,
    at: at.toISOString(),
    actor: actor.label,
    action: details.action,
    subject: details.subject,
    merchantId: details.merchantId,
    before: textOf(details.before),
    after: textOf(details.after),
    address: actor.address,
    previousHash: end?.hash ?? chainBeginning,
  }
  await appendAudit(client, { ...entry, at, hash: hashOf(entry) })
}

/** For changes whose own transaction has ended. */
export const noteAlone = (on: Queryable, clock: Clock, actor: Actor, details: AuditNote): Promise<void> =>
  inTransaction(on, (client) => note(client, clock, actor, details))

/** Only the fields that differ, so that an entry shows exactly what changed. */
export function difference<T extends object>(
  before: T,
  after: T,
): { readonly before: Partial<T>; readonly after: Partial<T> } {
  const isSame = (name: keyof T) => textOf(before[name]) === textOf(after[name])
  const names = Object.keys(after).filter((name): name is keyof T & string => name in after && !isSame(name as keyof T))
  const pick = (from: T) => Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>
  return { before: pick(before), after: pick(after) }
}

/**
 * Newest first, limited to what the reader may see: entries of the reader's merchants, and with all merchants also those of the platform.
 */
export async function listAuditFor(
  on: Queryable,
  grant: Grant,
  { merchantId, ...filter }: Omit<AuditFilter, 'merchantIds'> & { readonly merchantId?: string | undefined },
  { before, limit }: { readonly before: bigint | null; readonly limit: number },
): Promise<readonly AuditRow[]> {
  if (merchantId !== undefined && !reaches(grant, merchantId)) return []
  const all = grant.merchants === 'all' ? null : [...grant.merchants]
  return listAuditPage(on, { ...filter, merchantIds: merchantId === undefined ? all : [merchantId] }, before, limit)
}

/** `wanted` is a hash recorded earlier that must still be in the chain. */
export async function verifyAudit(on: Queryable, wanted?: string): Promise<ChainVerifier> {
  const verifier = chainVerifier(wanted)
  for await (const row of readAuditEntries(on)) verifier.add(entryOf(row))
  return verifier
}

/** The export itself is an entry, the last one in the file. */
export async function exportAudit(on: Queryable, clock: Clock, actor: Actor): Promise<AsyncIterable<string>> {
  await noteAlone(on, clock, actor, { action: 'audit.export', subject: 'audit log', merchantId: null })
  return exportedLines(on)
}

async function* exportedLines(on: Queryable): AsyncIterable<string> {
  for await (const row of readAuditEntries(on)) yield `${lineOf(entryOf(row))}\n`
}

export const entryOf = ({ at, ...row }: AuditRow): AuditEntry => ({ ...row, at: at.toISOString() })

/** Secrets have a type that prints as `***`; a card number in a text is masked as in the log. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return maskCardNumbers(JSON.stringify(value, jsonValue))
}

function jsonValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map) return Object.fromEntries(value)
  return value instanceof Set ? [...value] : value
}
