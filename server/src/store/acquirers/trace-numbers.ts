/**
 * Trace numbers that all processes of the instance have reserved.
 *
 * Every request to a host reserves its number first. Those that are wanted while another reservation is in progress share the next statement.
 */
import type { TraceNumbers } from '../../contracts/trace-numbers.ts'
import { inGroups } from '../database/in-groups.ts'
import { type Pool, query, sql } from '../database/pool.ts'

// The update changes nothing; it has the statement return the row of a transaction that reserved the number before.
// In the order of their keys, so that two processes that want the same numbers wait for each other in one direction.
const reserve = sql<{ key: string }, readonly [keys: readonly string[], transactionIds: readonly string[]]>(
  'trace-number.reserve',
  `insert into trace_numbers as held (key, transaction_id)
   select key, transaction_id from unnest($1::text[], $2::uuid[]) as wanted (key, transaction_id) order by key
   on conflict (key) do update set key = excluded.key where held.transaction_id = excluded.transaction_id
   returning key`,
)

interface Wanted {
  readonly key: string
  readonly transactionId: string
}

const mostTogether = 32

export function traceNumberStore(pool: Pool): TraceNumbers {
  const reserveAll = async (wanted: readonly Wanted[]): Promise<(one: Wanted) => boolean> => {
    const rows = await query(pool, reserve, [
      wanted.map(({ key }) => key),
      wanted.map(({ transactionId }) => transactionId),
    ])
    const reserved = new Set(rows.map(({ key }) => key))
    return ({ key }) => reserved.has(key)
  }
  const reserveInGroup = inGroups<Wanted, boolean>({
    runAlone: async (one) => (await reserveAll([one]))(one),
    runTogether: reserveAll,
    // A statement can give a number to one transaction only.
    apart: ({ key }) => key,
    most: mostTogether,
  })
  return { reserve: (key, transactionId) => reserveInGroup({ key, transactionId }) }
}
