/** Recovery after a restore: its state, and the pulse, by which a start detects that the database is older than it was. */
import { type Queryable, query, sql } from '../database/pool.ts'

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

/** What a reconciliation cannot settle. */
interface ReconciliationRest {
  /** Names of the MIDs whose acquirer cannot list what it executed, or did not answer. */
  readonly notCompared: readonly string[]
  /** How many executed transactions the database does not have. */
  readonly notInOurRecord: number
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
     reconciled_at = null, compared_at = null, mids_not_compared = null, effects_not_in_record = null`,
)
const forgetReconciliation = sql<Record<never, never>, readonly []>(
  'recovery.forget-reconciliation',
  `update instance set reconciled_at = null, compared_at = null, mids_not_compared = null, effects_not_in_record = null
   where recovering_since is not null`,
)
const markReconciled = sql<Record<never, never>, readonly [Date, readonly string[], number]>(
  'recovery.reconciled',
  `update instance set reconciled_at = $1, compared_at = $1, mids_not_compared = $2, effects_not_in_record = $3
   where recovering_since is not null`,
)
const endRecovery = sql<Record<never, never>, readonly [Date]>(
  'recovery.end',
  `update instance set recovering_since = null, recovery_reason = null, reconciled_at = null, recovered_at = $1,
     compared_at = null, mids_not_compared = null, effects_not_in_record = null
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
  /** Before a reconciliation: one that dies leaves no result of an earlier one. */
  forgetReconciliation: async (): Promise<void> => void (await query(on, forgetReconciliation, [])),
  markReconciled: async (now: Date, { notCompared, notInOurRecord }: ReconciliationRest): Promise<void> =>
    void (await query(on, markReconciled, [now, notCompared, notInOurRecord])),
  /** Can be repeated: a recovery that ended has no callbacks of transactions to come. */
  end: async (now: Date): Promise<void> => {
    for (const { newest } of await query(on, newestTransaction, [])) await query(on, forgetTransactions, [newest])
    await query(on, endRecovery, [now])
  },
})

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
