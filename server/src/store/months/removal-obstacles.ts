/**
 * Why a month of payments must stay: its payers' data was not erased, something changed within the period, something needs one of its
 * payments, or a live ledger entry is on no closed statement. See decisions/months#removal.
 *
 * The statements run on one server and over the shards of a distributed database alike: tables of the same merchants are joined, and what is
 * on the coordinator is read first. See decisions/shards#rows-first.
 */

import type { Pool, QueryResult } from 'pg'
import { closedStages } from '#domain/dispute/dispute.ts'
import { literals } from '../database/columns.ts'
import { inTransaction } from '../database/transaction.ts'
import { neededPayments } from '../retention/still-needed.ts'
import { partOf } from './month-tables.ts'
import type { Part } from './parts.ts'

// biome-ignore format: a table is read in columns.
export const obstacleTexts = (suffix: string): readonly (readonly [obstacle: string, text: string])[] => {
  const [payments, transactions] = ['payments', 'transactions'].map((table) => partOf(table, suffix)) as [string, string]
  return [
    ['payer data',            `select 1 from ${payments} p where p.erased_at is null`],
    ['recent change',         `select 1 from ${payments} p where p.updated_at >= $1`],
    ...neededPayments(payments).map((text) => ['running', text] as const),
    ['dispute',               `with open as materialized (select merchant_id, payment_id from disputes where stage not in (${literals(closedStages)}))
                               select 1 from open d join ${payments} p on p.merchant_id = d.merchant_id and p.id = d.payment_id`],
    ['watch',                 `select 1 from transaction_watches w join ${payments} p on p.merchant_id = w.merchant_id and p.id = w.payment_id`],
    ['settlement difference', `with open as materialized (select transaction_id from settlement_differences where resolved_at is null)
                               select 1 from open d join ${transactions} t on t.id = d.transaction_id`],
  ]
}

/** The last of each merchant's live ledger entries. */
export const lastEntriesText = (suffix: string): string =>
  `select e.merchant_id as "merchantId", e.currency, max(e.at) as at
   from ${partOf('ledger_entries', suffix)} e join ${partOf('payments', suffix)} p on p.merchant_id = e.merchant_id and p.id = e.payment_id
   where not p.test group by e.merchant_id, e.currency`

/** Null if it may go. */
export async function findObstacle(pool: Pool, { suffix }: Pick<Part, 'suffix'>, before: Date): Promise<string | null> {
  for (const [obstacle, text] of obstacleTexts(suffix)) {
    const { rowCount } = await readLong(pool, `${text} limit 1`, text.includes('$1') ? [before] : [])
    if (rowCount !== 0) return obstacle
  }
  return (await hasOpenEntries(pool, suffix)) ? 'statement' : null
}

interface LastEntry {
  readonly merchantId: string
  readonly currency: string
  readonly at: Date
}

interface ClosedDay {
  readonly merchantId: string
  readonly currency: string
  readonly day: string
}

async function hasOpenEntries(pool: Pool, suffix: string): Promise<boolean> {
  const { rows: last } = await readLong<LastEntry>(pool, lastEntriesText(suffix))
  if (last.length === 0) return false
  const { rows: closed } = await readLong<ClosedDay>(
    pool,
    `select merchant_id as "merchantId", currency, max(last_day)::text as day from statements group by merchant_id, currency`,
  )
  const days = new Map(closed.map(({ merchantId, currency, day }) => [`${merchantId} ${currency}`, day]))
  return last.some(
    ({ merchantId, currency, at }) => at.toISOString().slice(0, 10) > (days.get(`${merchantId} ${currency}`) ?? ''),
  )
}

const readLong = <Row extends object = object>(
  pool: Pool,
  text: string,
  params: unknown[] = [],
): Promise<QueryResult<Row & Record<string, unknown>>> =>
  inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0')
    return client.query<Row & Record<string, unknown>>(text, params)
  })
