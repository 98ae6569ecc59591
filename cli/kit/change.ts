/**
 * How a command changes the instance: in one transaction with its entries of the audit log. Chapter 50 §8.
 *
 * A change that wrote something without an audit entry is rolled back, and in tests the database is read-only outside of changes. So a
 * command that forgets its audit entry does not work.
 */
import type { ProcessContext } from '#server/assembly/process-context.ts'
import { type AuditNote, note, noteAlone } from '#server/panel/audit/audit.ts'
import type { Actor, AdminContext } from '#server/panel/context.ts'
import { machineTime } from '#server/process/clock.ts'
import type { Pool, PoolClient } from '#server/store/database/pool.ts'
import { inTransaction } from '#server/store/database/transaction.ts'

/** The instance during a change. */
export interface ChangeContext extends Omit<ProcessContext, 'pool'>, AdminContext {
  readonly clock: ProcessContext['clock']
  readonly pool: PoolClient
  readonly actor: Actor
  /** The name that is stored with records as their author. */
  readonly by: string
  /** Adds an entry to the audit log. */
  readonly note: (entry: AuditNote) => void
}

export interface Changing {
  /** Commits everything, audit entries included, or nothing. */
  change<T>(work: (change: ChangeContext) => Promise<T>): Promise<T>
  /** For work that takes too long for one transaction: the entry is written first and says what is about to happen. */
  changeInSteps<T>(entry: AuditNote, work: (pool: Pool) => Promise<T>): Promise<T>
}

export const createChanging = (base: ProcessContext, actor: Actor): Changing => ({
  change: (work) =>
    inTransaction(base.pool, async (client) => {
      const last = await readLastEntry(client)
      const entries: AuditNote[] = []
      const change = {
        ...base,
        pool: client,
        machine: machineTime(base.clock),
        actor,
        by: actor.label,
        note: (entry: AuditNote) => void entries.push(entry),
      }
      const result = await work(change)
      for (const entry of entries) await note(client, base.clock, actor, entry)
      if ((await hasWritten(client)) && !(await hasEntry(client, last)))
        throw new Error(
          'The command changed the instance without an audit log entry; nothing was changed. This is a bug.',
        )
      return result
    }),
  changeInSteps: async (entry, work) => {
    await noteAlone(base.pool, base.clock, actor, entry)
    return work(base.pool)
  },
})

/** For commands that are not declared as changing. */
export const notChanging: Changing = { change: refuseChange, changeInSteps: refuseChange }

function refuseChange(): never {
  throw new Error('A command that changes the instance has to say so by `changes: true`.')
}

/** PostgreSQL assigns a transaction number at the first write. */
async function hasWritten(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ written: boolean }>(
    'select pg_current_xact_id_if_assigned() is not null as written',
  )
  return rows[0]?.written === true
}

async function readLastEntry(client: PoolClient): Promise<bigint> {
  const { rows } = await client.query<{ seq: bigint }>('select coalesce(max(seq), 0) as seq from audit_log')
  return rows[0]?.seq ?? 0n
}

/**
 * An entry of this transaction or of one of its savepoints: entries of other processes are visible only once committed, so a visible row
 * whose transaction is in progress is our own. The transaction number in a row lacks its upper half, which the current transaction's number
 * has.
 */
async function hasEntry(client: PoolClient, after: bigint): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from audit_log, lateral (select pg_current_xact_id()::text::numeric as now) of
     where seq > $1
       and pg_xact_status((div(of.now, 4294967296) * 4294967296 + audit_log.xmin::text::numeric)::text::xid8) = 'in progress'
     limit 1`,
    [after],
  )
  return rows.length > 0
}
