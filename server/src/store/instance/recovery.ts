/** Recovery after a restore: its state, and the pulse, by which a start detects that the database is older than it was. */
import { type Queryable, query, sql } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'

export interface RecoveryRecord {
  /** Set while the instance neither takes payments nor does due work. */
  readonly since: Date | null
  readonly reason: string | null
  /** When the acquirers were last queried during this recovery. */
  readonly reconciledAt: Date | null
  /** What that left to people. Null if it is not known: there was no reconciliation, or one by an earlier release. */
  readonly left: ReconciliationRest | null
  /** When the last recovery ended, by the instance's clock. */
  readonly recoveredAt: Date | null
}

/** What reconciliations could not settle. */
export interface ReconciliationRest {
  /** Names of the MIDs whose acquirer cannot list what it executed, or did not answer. */
  readonly notCompared: readonly string[]
  /** How many executed transactions the database does not have. */
  readonly notInOurRecord: number
}

/** One run over all MIDs. */
interface Reconciliation {
  /** Null if everything was compared that the acquirers list. */
  readonly since: Date | null
  readonly notCompared: readonly string[]
  readonly missing: readonly { readonly mid: string; readonly transactionId: string; readonly at: Date }[]
}

/** Moments are texts of one length, which compare like the moments; the empty text is before all. */
interface Left {
  readonly mids: readonly { readonly mid: string; readonly since: string }[]
  readonly effects: readonly { readonly mid: string; readonly id: string; readonly at: string }[]
}

interface Pulse {
  /** Identifies the instance; a new database has another id. */
  readonly id: string
  readonly beats: bigint
  /** The database server and timeline that the instance last ran on. */
  readonly cluster: string | null
}

interface RecoveryRow extends Omit<RecoveryRecord, 'left'> {
  readonly notCompared: readonly string[] | null
  readonly notInOurRecord: number | null
}

const readRecovery = sql<RecoveryRow, readonly []>(
  'recovery.read',
  `select recovering_since as since, recovery_reason as reason, reconciled_at as "reconciledAt", recovered_at as "recoveredAt",
     case when compared_at = reconciled_at then mids_not_compared end as "notCompared",
     case when compared_at = reconciled_at then effects_not_in_record end as "notInOurRecord"
   from instance`,
)
// The copy of an instance in recovery may be restored, too: what was compared then says nothing about now.
const beginRecovery = sql<Record<never, never>, readonly [string, Date]>(
  'recovery.begin',
  `update instance set recovering_since = coalesce(recovering_since, $2), recovery_reason = coalesce(recovery_reason, $1),
     reconciled_at = null, compared_at = null, mids_not_compared = null, effects_not_in_record = null, reconciliation_left = null`,
)
const forgetReconciliation = sql<Record<never, never>, readonly []>(
  'recovery.forget-reconciliation',
  `update instance set reconciled_at = null, compared_at = null, mids_not_compared = null, effects_not_in_record = null
   where recovering_since is not null`,
)
const readLeft = sql<{ readonly left: Left | null }, readonly []>(
  'recovery.left',
  'select reconciliation_left as left from instance for update',
)
const markReconciled = sql<Record<never, never>, readonly [Date, readonly string[], number, string]>(
  'recovery.reconciled',
  `update instance set reconciled_at = $1, compared_at = $1, mids_not_compared = $2, effects_not_in_record = $3, reconciliation_left = $4
   where recovering_since is not null`,
)
const endRecovery = sql<Record<never, never>, readonly [Date]>(
  'recovery.end',
  `update instance set recovering_since = null, recovery_reason = null, reconciled_at = null, recovered_at = $1,
     compared_at = null, mids_not_compared = null, effects_not_in_record = null, reconciliation_left = null
   where recovering_since is not null`,
)

const newestTransaction = sql<{ newest: string }, readonly []>(
  'recovery.newest-transaction',
  'select pg_current_xact_id()::text as newest',
)
// Callbacks that another server wrote may carry transactions that this one has not reached: the events feed would wait for them, and would
// put later callbacks before them. The number is a parameter, because Citus refuses a volatile function in the condition of an update.
const forgetTransactions = sql<Record<never, never>, readonly [newest: string]>(
  'recovery.forget-transactions',
  `update callbacks set written_in = '0'::xid8 where written_in >= $1::text::xid8`,
)

const readPulse = sql<Pulse, readonly []>('pulse.read', 'select id, beats, cluster from instance_pulse')
const beatOnce = sql<Pulse, readonly []>(
  'pulse.beat',
  'update instance_pulse set beats = beats + 1 returning id, beats, cluster',
)
const keepCluster = sql<Record<never, never>, readonly [string]>(
  'pulse.cluster',
  'update instance_pulse set cluster = $1 where cluster is distinct from $1',
)
// The system identifier changes with a dump and restore, the timeline with a recovery or a promotion.
const nameCluster = sql<{ cluster: string }, readonly []>(
  'pulse.name-cluster',
  `select system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as cluster from pg_control_system()`,
)

const none: RecoveryRecord = { since: null, reason: null, reconciledAt: null, recoveredAt: null, left: null }

export const recoveryStore = (on: Queryable) => ({
  read: async (): Promise<RecoveryRecord> => {
    const [row] = await query(on, readRecovery, [])
    if (!row) return none
    const { notCompared, notInOurRecord, ...record } = row
    const isKnown = notCompared !== null && notInOurRecord !== null
    return { ...record, left: isKnown ? { notCompared, notInOurRecord } : null }
  },
  /** Also in a recovery: its acquirers have to be queried again. */
  begin: async (reason: string, now: Date): Promise<void> => void (await query(on, beginRecovery, [reason, now])),
  /** Before a reconciliation: one that dies leaves no result. What earlier ones left is still added to the next result. */
  forgetReconciliation: async (): Promise<void> => void (await query(on, forgetReconciliation, [])),
  /** Returns what is left now: of this run, and of earlier ones as far as this one did not compare it again. */
  markReconciled: (now: Date, run: Reconciliation): Promise<ReconciliationRest> =>
    inTransaction(on, async (client) => {
      const [row] = await query(client, readLeft, [])
      const left = addLeft(row?.left ?? nothing, run)
      const notCompared = left.mids.map(({ mid }) => mid)
      const notInOurRecord = left.effects.length
      await query(client, markReconciled, [now, notCompared, notInOurRecord, JSON.stringify(left)])
      return { notCompared, notInOurRecord }
    }),
  /** Can be repeated: a recovery that ended has no callbacks of transactions to come. */
  end: async (now: Date): Promise<void> => {
    for (const { newest } of await query(on, newestTransaction, [])) await query(on, forgetTransactions, [newest])
    await query(on, endRecovery, [now])
  },
})

const nothing: Left = { mids: [], effects: [] }

function addLeft(earlier: Left, { since, notCompared, missing }: Reconciliation): Left {
  const from = since?.toISOString() ?? ''
  const found = missing.map(({ mid, transactionId, at }) => ({ mid, id: transactionId, at: at.toISOString() }))
  const isFound = (id: string): boolean => found.some((one) => one.id === id)
  const stays = earlier.mids.filter((one) => one.since < from || notCompared.includes(one.mid))
  const isStaying = (mid: string): boolean => stays.some((one) => one.mid === mid)
  return {
    mids: [
      ...stays.map((one) => (one.since > from ? { ...one, since: from } : one)),
      ...notCompared.filter((mid) => !isStaying(mid)).map((mid) => ({ mid, since: from })),
    ],
    effects: [
      ...earlier.effects.filter(({ mid, id, at }) => !isFound(id) && (at < from || notCompared.includes(mid))),
      ...found,
    ],
  }
}

export const pulseStore = (on: Queryable) => ({
  read: async (): Promise<Pulse | null> => (await query(on, readPulse, []))[0] ?? null,
  beat: async (): Promise<Pulse | null> => (await query(on, beatOnce, []))[0] ?? null,
  keepCluster: async (cluster: string): Promise<void> => void (await query(on, keepCluster, [cluster])),
  /** Null if this role may not read it. */
  readCluster: async (): Promise<string | null> => {
    try {
      return (await query(on, nameCluster, []))[0]?.cluster ?? null
    } catch {
      return null
    }
  },
})
