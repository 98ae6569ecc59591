/** Trace numbers that all processes of the instance have reserved. */
import type { TraceNumbers } from '../../contracts/trace-numbers.ts'
import { type Pool, query, sql } from '../database/pool.ts'

// The update changes nothing; it has the statement return the row of a transaction that reserved the number before.
const reserve = sql<{ one: 1 }, readonly [string, string]>(
  'trace-number.reserve',
  `insert into trace_numbers as held (key, transaction_id) values ($1, $2)
   on conflict (key) do update set key = excluded.key where held.transaction_id = excluded.transaction_id
   returning 1 as one`,
)

export const traceNumberStore = (pool: Pool): TraceNumbers => ({
  reserve: async (key, transactionId) => (await query(pool, reserve, [key, transactionId])).length > 0,
})
