/** Rows of settlement files that returned the money of a chargeback before our ledger did. Decision 0334. */
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

interface Returned {
  /** Of the chargeback. */
  readonly transactionId: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly at: Date
}

/**
 * The difference of the row that agrees with the ledger ends. Of several rows the others were paid without need: each is a difference *Settled twice*.
 * Where none agrees, the first stays, and what differs can be posted.
 */
const settleReturns = sql<Nothing, readonly [string, string, bigint, Date]>(
  'settlement.settle-early-returns',
  `with early as (
     select d.id, r.mid_id, r.ref, agrees.whole, row_number() over (order by agrees.whole desc, r.booked_on, r.mid_id, r.ref) as place
     from settlement_rows r join settlement_differences d on d.mid_id = r.mid_id and d.kind = 'missing-here'
         and coalesce(d.transaction_id::text, '') = r.transaction_id::text and coalesce(d.ref, '') = r.ref and d.resolved_at is null
       cross join lateral (select coalesce(r.processing_currency, r.currency) = $2 and coalesce(r.processing_minor, r.gross_minor) = $3::numeric as whole) agrees
     where r.transaction_id = $1::uuid and r.kind = 'chargeback-reversal'
   )
   update settlement_differences d set kind = case when early.place = 1 then d.kind else 'doubled' end,
     resolved_at = case when early.place = 1 then $4::timestamptz end,
     note = case when early.place = 1 then 'The money was returned here later. The acquirer had settled it in row ' || early.ref || '.' end
   from early where d.id = early.id and (early.place > 1 or early.whole)`,
)

export const settleEarlyReturns = async (
  on: Queryable,
  { transactionId, currency, amountMinor, at }: Returned,
): Promise<void> => {
  await query(on, settleReturns, [transactionId, currency, amountMinor, at])
}
