/**
 * What the acquirer should have settled and has not, as differences. Chapter 60 §5, decisions/shards#rows-first,
 * decisions/settlement#missing-transactions, decisions/imports#rests-between-portions and decisions/settlement#returned-chargebacks.
 */

import { settledTypes } from '#domain/payment/payment.ts'
import type { DayRange } from '#domain/settlement/unchecked-days.ts'
import { dayMs } from '#domain/time.ts'
import { isDistributed } from '../database/buckets.ts'
import { literals } from '../database/columns.ts'
import { type PoolClient, type Queryable, query, sql } from '../database/pool.ts'
import type { Pace } from './import-pace.ts'
import { isReturn } from './ledger-money.ts'

/**
 * Transactions that an acquirer pays or charges: of live payments that were not voided on their day. For a transfer it owes nothing
 * (decisions/settlement#transfers).
 */
export const settledByAcquirer = `t.state = 'success' and t.amount_minor > 0 and not p.test and p.status not in ('VOID', 'DECLINED')
  and (t.type in (${literals(settledTypes(true))}) or t.type in (${literals(settledTypes('captured at once'))}) and not p.holds
    or t.type in (${literals(settledTypes('refund'))}) and p.captured_minor > 0)`

/** In a distributed database each server has a time zone of its own. */
const endedOn = `(t.ended_at at time zone 'UTC')::date`
export const beginOf = (day: string): string => `(${day})::timestamp at time zone 'UTC'`

const listMerchants = sql<{ id: string }, readonly []>('settlement.merchants', 'select id from merchants')

export const listAllMerchants = async (on: Queryable): Promise<readonly string[]> =>
  (await query(on, listMerchants, [])).map(({ id }) => id)

const within = (column: string): string => `${column} >= $5::timestamptz and ${column} < $6::timestamptz`

// By the time of the ledger, which has an index by merchant and time; every transaction that an acquirer settles has entries of the time when it ended.
// A chargeback whose money came back has moved twice: as a transaction, and by a later entry. A return that was undone is none.
const ours = `select t.mid_id, coalesce((moved.returned_at at time zone 'UTC')::date, ${endedOn}) as day, p.currency,
     coalesce(moved.returned_minor, t.amount_minor) as amount_minor, t.merchant_id, t.payment_id, t.id, moved.returned_at is not null as is_return
   from (
       select distinct e.merchant_id, e.payment_id, e.transaction_id, case when e.from_account = 'charged_back' then e.at end as returned_at,
         case when e.from_account = 'charged_back' then e.amount_minor end as returned_minor
       from ledger_entries e where e.merchant_id = any($4::uuid[]) and ${within('e.at')} and (e.from_account <> 'charged_back' or ${isReturn('e')})
     ) moved
     join transactions t on t.merchant_id = moved.merchant_id and t.payment_id = moved.payment_id and t.id = moved.transaction_id
     join payments p on p.merchant_id = t.merchant_id and p.id = t.payment_id
   where t.mid_id = $1 and (moved.returned_at is not null or ${within('t.ended_at')}) and ${settledByAcquirer}`

// The MIDs are compared as a value, because an index by the MID would be read whole for each transaction.
const insertFrom = (source: string): string =>
  `insert into settlement_differences (id, mid_id, day, kind, currency, ours_minor, theirs_minor, merchant_id, payment_id, transaction_id, ref,
     file_id, found_at)
   select gen_random_uuid(), ours.mid_id, ours.day, case when ours.is_return then 'reversal-missing' else 'missing-there' end, ours.currency, ours.amount_minor, null, ours.merchant_id, ours.payment_id,
     ours.id, null, $2, $3
   from ${source} where not exists (select 1 from settlement_rows r where r.transaction_id = ours.id and (r.mid_id = ours.mid_id) is true
     and (r.kind = 'chargeback-reversal') = ours.is_return)
   on conflict do nothing`

type Search = readonly [midId: string, fileId: string, at: Date, merchants: readonly string[], from: Date, until: Date]

const insertAll = sql<Record<never, never>, Search>('settlement.find-missing', insertFrom(`(${ours}) ours`))
/** The shards return an intermediate result, which the coordinator compares with the rows of the files. */
const insertOfDays = sql<Record<never, never>, Search>(
  'settlement.find-missing-of-days',
  `with ours as materialized (${ours}) ${insertFrom('ours')}`,
)

/** As much as runs for a moment where a day has a million payments. */
const searchedAtOnce = dayMs / 4
/** Over shards each statement asks every server. An intermediate result has a limited size; a week of one MID is far below it. */
const searchedOverShards = 7 * dayMs
/** A row with a wrong year makes a file cover centuries: their periods become longer, not more. */
const mostSearches = 1000

interface ImportedFile {
  readonly midId: string
  readonly fileId: string
  readonly at: Date
}

export async function findMissing(
  client: PoolClient,
  { midId, fileId, at }: ImportedFile,
  ranges: readonly DayRange[],
  pace: Pace,
): Promise<void> {
  if (ranges.length === 0) return
  const merchants = await listAllMerchants(client)
  const isInShards = await isDistributed(client)
  const [search, length] = isInShards
    ? ([insertOfDays, searchedOverShards] as const)
    : ([insertAll, searchedAtOnce] as const)
  for (const { from, until } of ranges.flatMap((range) => periodsOf(range, length, at))) {
    await query(client, search, [midId, fileId, at, merchants, from, until])
    await pace.pause()
  }
}

interface Period {
  readonly from: Date
  readonly until: Date
}

/** Up to the day after the import: none of our transactions ends later. */
function periodsOf({ first, last }: DayRange, shortest: number, at: Date): readonly Period[] {
  const begin = Date.parse(first)
  const end = Math.min(Date.parse(last), at.getTime()) + dayMs
  const length = Math.max(shortest, Math.ceil((end - begin) / mostSearches))
  return Array.from({ length: Math.max(0, Math.ceil((end - begin) / length)) }, (_, index) => {
    const from = begin + index * length
    return { from: new Date(from), until: new Date(Math.min(from + length, end)) }
  })
}
