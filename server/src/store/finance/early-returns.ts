/**
 * Rows of settlement files that returned the money of a chargeback before our ledger did. See decisions/corrections#posted-as-missing and
 * decisions/corrections#return-after-a-posting.
 */
import { type Nothing, type PoolClient, query, sql } from '../database/pool.ts'

interface Returned {
  /** Of the chargeback. */
  readonly transactionId: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly at: Date
}

/** Positions of entries of a difference; those of its own posting are before it. */
const returnPosition = 10

interface EarlyReturn {
  readonly differenceId: string
  /** Its difference was posted: nothing is owed for the row. */
  readonly isPosted: boolean
}

const earlyRows = `from settlement_rows r join settlement_differences d on d.mid_id = r.mid_id and d.kind = 'missing-here'
     and coalesce(d.transaction_id::text, '') = r.transaction_id::text and coalesce(d.ref, '') = r.ref
   where r.transaction_id = $1::uuid and r.kind = 'chargeback-reversal'`

const lockReturns = sql<{ id: string }, readonly [string]>(
  'settlement.lock-early-returns',
  `select d.id ${earlyRows} order by d.id for update of d`,
)
const listReturns = sql<EarlyReturn, readonly [string]>(
  'settlement.early-returns',
  `select d.id as "differenceId", exists (select 1 from book_entries e where e.source = 'difference ' || d.id and e.position = 0) as "isPosted"
   ${earlyRows} order by r.booked_on, r.mid_id, r.ref`,
)

/**
 * The difference of the row that agrees with the ledger ends. Of several rows the others were paid without need: each is a difference *Settled twice*.
 * Where none agrees, the first stays, and what differs can be posted. One that people resolved by a note comes before all.
 */
const settleReturns = sql<Nothing, readonly [string, string, bigint, Date]>(
  'settlement.settle-early-returns',
  `with early as (
     select d.id, r.mid_id, r.ref, agrees.whole, row_number() over (order by d.resolved_at is null, agrees.whole desc, r.booked_on, r.mid_id, r.ref) as place
     from settlement_rows r join settlement_differences d on d.mid_id = r.mid_id and d.kind = 'missing-here'
         and coalesce(d.transaction_id::text, '') = r.transaction_id::text and coalesce(d.ref, '') = r.ref
       cross join lateral (select coalesce(r.processing_currency, r.currency) = $2 and coalesce(r.processing_minor, r.gross_minor) = $3::numeric as whole) agrees
     where r.transaction_id = $1::uuid and r.kind = 'chargeback-reversal'
       and not exists (select 1 from book_entries e where e.source = 'difference ' || d.id and e.position = 0)
   )
   update settlement_differences d set kind = case when early.place = 1 then d.kind else 'doubled' end,
     resolved_at = case when early.place = 1 then $4::timestamptz end,
     note = case when early.place = 1 then 'The money was returned here later. The acquirer had settled it in row ' || early.ref || '.' end
   from early where d.id = early.id and d.resolved_at is null and (early.place > 1 or early.whole)`,
)

/** What the posting removed was the row alone, and now our ledger has the return, too. */
const postReturn = sql<Nothing, readonly [string, string, bigint, Date]>(
  'settlement.post-early-return',
  `with difference as (
     update settlement_differences set note = rtrim(note, '.') || '. The money was returned here later, which was posted, too.'
     where id = $1 returning id, mid_id, merchant_id, day
   )
   insert into book_entries (source, position, mid_id, merchant_id, from_account, to_account, currency, amount_minor, on_day, at)
   select 'difference ' || id, ${returnPosition}, mid_id, merchant_id, 'acquirer', 'differences', $2, $3, day, $4 from difference`,
)

/** Returns of ours that no row has settled. A return that was undone is not expected any more. */
const endMissing = sql<Nothing, readonly [string, string, Date]>(
  'settlement.end-missing-returns',
  `update settlement_differences set resolved_at = $3, note = 'The return was undone here: the acquirer reported the dispute as lost.'
   where mid_id = $2 and kind = 'reversal-missing' and coalesce(transaction_id::text, '') = $1 and resolved_at is null`,
)

/** What people posted for the missing return removed it, and our ledger has undone it as well. */
const postUndone = sql<Nothing, readonly [string, string, string, bigint, Date]>(
  'settlement.post-undone-return',
  `with difference as (
     update settlement_differences d set note = rtrim(note, '.') || '. The return was undone here later, which was posted, too.'
     where d.mid_id = $2 and d.kind = 'reversal-missing' and coalesce(d.transaction_id::text, '') = $1
       and exists (select 1 from book_entries e where e.source = 'difference ' || d.id and e.position = 0)
     returning d.id, d.mid_id, d.merchant_id, d.day
   )
   insert into book_entries (source, position, mid_id, merchant_id, from_account, to_account, currency, amount_minor, on_day, at)
   select 'difference ' || id, ${returnPosition}, mid_id, merchant_id, 'differences', 'acquirer', $3, $4, day, $5 from difference
   on conflict do nothing`,
)

/** Call in the transaction that undoes a return. Of what people posted for it the opposite is posted. */
export async function endMissingReturns(
  client: PoolClient,
  { transactionId, midId, currency, amountMinor, at }: Returned & { readonly midId: string },
): Promise<void> {
  await query(client, postUndone, [transactionId, midId, currency, amountMinor, at])
  await query(client, endMissing, [transactionId, midId, at])
}

/** Call in the transaction that returns the money. It is settled by one row; if two people have posted all of them, it is posted after the first. */
export async function settleEarlyReturns(
  client: PoolClient,
  { transactionId, currency, amountMinor, at }: Returned,
): Promise<void> {
  // A person who resolves one of them now waits, and reads the ledger afterwards. What was posted before is seen by the next statement only.
  if ((await query(client, lockReturns, [transactionId])).length === 0) return
  const early = await query(client, listReturns, [transactionId])
  const [first] = early
  if (first === undefined) return
  if (early.every(({ isPosted }) => isPosted))
    await query(client, postReturn, [first.differenceId, currency, amountMinor, at])
  else await query(client, settleReturns, [transactionId, currency, amountMinor, at])
}
