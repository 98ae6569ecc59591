/**
 * Where the panel's searches, figures and exports read: the replica of DATABASE_READ_URL, or the primary. Decisions never read here, because a
 * replica may lack the last change.
 *
 * A replica is used while it answers, is a standby of this database and is at most a minute behind. What it could not do is done by the primary,
 * so a person never sees an error that only the replica has.
 */
import { DatabaseError } from 'pg'
import { limits } from '#domain/limits.ts'
import { type Pool, query, sql } from '../database/pool.ts'

/** Why a replica is not used. */
export type ReplicaFault = 'unreachable' | 'behind' | 'other database' | 'no standby'

export type DataSource =
  | { readonly source: 'replica'; readonly secondsBehind: number }
  | { readonly source: 'primary'; readonly fault: ReplicaFault | null }

export interface ReadSource {
  read<T>(work: (on: Pool) => Promise<T>): Promise<T>
  readState(): Promise<DataSource>
}

interface ReadSourceParts {
  readonly primary: Pool
  /** Null if none is configured. */
  readonly replica: Pool | null
  readonly reportChange: (state: DataSource) => void
  /** How far the replica may be behind. */
  readonly behindSeconds?: number
}

export function readSource(parts: ReadSourceParts): ReadSource {
  const { primary, replica, reportChange, behindSeconds = limits.replica.behindSeconds } = parts
  if (replica === null)
    return { read: (work) => work(primary), readState: async () => ({ source: 'primary', fault: null }) }
  let known: { readonly state: DataSource; readonly until: number } | null = null
  let looking: Promise<DataSource> | null = null

  const learn = (state: DataSource): DataSource => {
    const before = known?.state
    known = { state, until: performance.now() + limits.replica.lookAgainMs }
    if (before === undefined || faultOf(before) !== faultOf(state)) reportChange(state)
    return state
  }
  const look = (): Promise<DataSource> => {
    looking ??= compare(primary, replica, behindSeconds)
      .then(learn)
      .finally(() => {
        looking = null
      })
    return looking
  }
  const readState = async (): Promise<DataSource> => {
    if (known && performance.now() < known.until) return known.state
    // A request does not wait for a replica that did not answer the last time.
    if (known?.state.source === 'primary') {
      void look().catch(() => undefined)
      return known.state
    }
    return await look()
  }
  return {
    readState,
    read: async (work) => {
      if ((await readState()).source === 'primary') return await work(primary)
      try {
        return await work(replica)
      } catch (error) {
        if (!isOfReplica(error)) throw error
        if (!(error instanceof DatabaseError)) learn({ source: 'primary', fault: 'unreachable' })
        return await work(primary)
      }
    },
  }
}

const faultOf = (state: DataSource): ReplicaFault | null => (state.source === 'primary' ? state.fault : null)

const position = sql<{ system: string; at: Date; lsn: string }>(
  'replica.primary-position',
  `select (select system_identifier::text from pg_control_system()) as system, clock_timestamp() as at,
     pg_current_wal_lsn()::text as lsn`,
)

interface Replayed {
  system: string
  standby: boolean
  /** Null on a server that is no standby. */
  lsn: string | null
  at: Date | null
}

const replayed = sql<Replayed>(
  'replica.replayed',
  `select (select system_identifier::text from pg_control_system()) as system, pg_is_in_recovery() as standby,
     pg_last_wal_replay_lsn()::text as lsn, pg_last_xact_replay_timestamp() as at`,
)

/** All times are the primary's. */
async function compare(primary: Pool, replica: Pool, mostSeconds: number): Promise<DataSource> {
  const [now] = await query(primary, position, [])
  if (!now) throw new Error('The primary did not report its position.')
  const answer = await withinLimit(query(replica, replayed, []))
  const [there] = answer ?? []
  if (!there) return { source: 'primary', fault: 'unreachable' }
  if (there.system !== now.system) return { source: 'primary', fault: 'other database' }
  if (!there.standby || there.lsn === null) return { source: 'primary', fault: 'no standby' }
  const isCurrent = bytesOf(there.lsn) >= bytesOf(now.lsn)
  const secondsBehind = isCurrent ? 0 : Math.max(0, (now.at.getTime() - Number(there.at ?? 0)) / 1000)
  return secondsBehind > mostSeconds ? { source: 'primary', fault: 'behind' } : { source: 'replica', secondsBehind }
}

/** A position in the log is written as two hexadecimal halves, such as 16/B374D848. */
function bytesOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** Null if it failed or took too long. */
function withinLimit<T>(answer: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(null), limits.replica.answerMs)
    answer.then(
      (value) => {
        clearTimeout(late)
        resolve(value)
      },
      () => {
        clearTimeout(late)
        resolve(null)
      },
    )
  })
}

/**
 * The primary would not have failed: the connection broke, the standby ends or has no connection left, cancelled the statement because it has to
 * replay a change, or has not replayed a migration yet.
 */
const ofReplica = /^(?:08|53|57P0|40001$|25006$|42P01$|42703$)/

const isOfReplica = (error: unknown): boolean => !(error instanceof DatabaseError) || ofReplica.test(error.code ?? '')
