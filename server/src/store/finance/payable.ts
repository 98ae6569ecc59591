/** What merchants could be paid per currency: their newest statements, where the money would go, and which run has it already. */
import type { BankAccount } from '#domain/payout/bank-account.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface PayableRow {
  readonly merchantId: string
  readonly currency: string
  /** The newest statement; null if none was closed in this currency. */
  readonly statementId: string | null
  readonly lastDay: string | null
  readonly closingMinor: bigint | null
  /** What was paid out after the last day of the newest statement, by a run of an earlier one; its closing balance still contains it. */
  readonly paidSinceMinor: bigint
  /** Null, like `number`, if no bank account was entered. */
  readonly holder: string | null
  readonly number: string | null
  readonly bic: string | null
  /** The run that pays the newest statement, or one that waits for approval with an earlier one. */
  readonly runId: string | null
  readonly runState: 'waiting' | 'sent' | 'paid' | null
}

const listPayable = sql<PayableRow, readonly [string | null]>(
  'payable.list',
  `with newest as (
     select distinct on (merchant_id, currency) merchant_id, currency, id, last_day, closing_minor from statements
     where $1::text is null or currency = $1 order by merchant_id, currency, first_day desc
   ), entered as (
     select merchant_id, currency, holder, number, bic from payout_accounts where $1::text is null or currency = $1
   )
   select merchant_id as "merchantId", currency, n.id as "statementId", n.last_day::text as "lastDay", n.closing_minor as "closingMinor",
     paid.since as "paidSinceMinor", a.holder, a.number, a.bic, run.id as "runId", run.state as "runState"
   from newest n full join entered a using (merchant_id, currency) left join lateral (
     select i.run_id as id, i.state from payout_items i
     where i.merchant_id = coalesce(n.merchant_id, a.merchant_id) and i.currency = coalesce(n.currency, a.currency)
       and (i.state = 'waiting' or i.statement_id = n.id and i.state <> 'cancelled')
     order by i.state = 'waiting' desc limit 1) run on true
   cross join lateral (
     select coalesce(sum(case when e.to_account = 'paid_out' then e.amount_minor else -e.amount_minor end), 0) as since
     from account_entries e where e.merchant_id = n.merchant_id and e.currency = n.currency and 'paid_out' in (e.from_account, e.to_account)
       and e.at >= (n.last_day + 1)::timestamp at time zone 'UTC') paid
   order by merchant_id, currency`,
)

const lastPayers = sql<BankAccount & { currency: string }, readonly []>(
  'payable.last-payers',
  `select distinct on (currency) currency, holder, number, bic from payout_runs where state <> 'cancelled' order by currency, id desc`,
)

/** Lists the rows of one currency, or of all. */
export const listPayableRows = (on: Queryable, currency: string | null): Promise<readonly PayableRow[]> =>
  query(on, listPayable, [currency])

/** The operator's account of the newest run of each currency that was not refused. */
export async function readLastPayerAccounts(on: Queryable): Promise<ReadonlyMap<string, BankAccount>> {
  const rows = await query(on, lastPayers, [])
  return new Map(rows.map(({ currency, holder, number, bic }) => [currency, { holder, number, bic }]))
}
