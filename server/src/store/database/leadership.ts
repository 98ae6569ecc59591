/**
 * In a cluster with fail-over only the leader may serve a gateway. A proxy leads connections to it, and may be late or wrong: a standby
 * refuses every write, and a former leader accepts writes that are lost when it follows its successor.
 *
 * Each promotion begins a new timeline, so a server with an older timeline than one already seen is a former leader.
 */
import { DatabaseError, type PoolClient } from 'pg'

interface Position {
  readonly is_standby: boolean
  /** Hexadecimal; null on a standby. */
  readonly timeline: string | null
}

const position = `
  select pg_is_in_recovery() as is_standby,
    case when pg_is_in_recovery() then null else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`

export class Leadership {
  #newestTimeline = 0

  /** Rejects if the server is not the leader. */
  async require(client: Pick<PoolClient, 'query'>): Promise<void> {
    const found = await readPosition(client)
    if (found === null) return
    if (found.is_standby) throw new Error('The database server is a standby. Connections must lead to the leader.')
    const timeline = Number.parseInt(found.timeline ?? '0', 16)
    if (timeline < this.#newestTimeline) {
      throw new Error(
        `The database server is a former leader: its timeline is ${timeline}, and ${this.#newestTimeline} has begun. ` +
          'Connections must lead to the leader.',
      )
    }
    this.#newestTimeline = timeline
  }
}

/** Null if the server does not tell, as some hosted databases. */
async function readPosition(client: Pick<PoolClient, 'query'>): Promise<Position | null> {
  try {
    const { rows } = await client.query<Position>(position)
    return rows[0] ?? null
  } catch (error) {
    if (error instanceof DatabaseError) return null
    throw error
  }
}
