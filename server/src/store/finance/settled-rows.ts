/**
 * A row of a settlement file for which our record had no transaction, and the chargeback that was recorded from it. See
 * decisions/disputes#chargebacks-of-files and decisions/corrections#entries-of-a-linked-row.
 */
import { type Queryable, query, sql } from '../database/pool.ts'
import { listPosted } from './settlement-candidates.ts'

interface SettledRow {
  readonly kind: string
  readonly paymentId: string | null
  readonly reference: string | null
  readonly currency: string
  readonly grossMinor: bigint
  /** Of a row that the acquirer converted: the payment's. */
  readonly processingCurrency: string | null
  readonly processingMinor: bigint | null
  readonly bookedOn: string
}

interface LinkedRow {
  readonly midId: string
  readonly ref: string
  readonly merchantId: string
  readonly paymentId: string
  readonly transactionId: string
}

const findRow = sql<SettledRow, readonly [string, string]>(
  'settlement.find-row',
  `select kind, named_payment as "paymentId", reference, currency, gross_minor as "grossMinor", processing_currency as "processingCurrency",
     processing_minor as "processingMinor", booked_on::text as "bookedOn"
   from settlement_rows where mid_id = $1 and ref = $2`,
)

const settledByOthers = sql<{ id: string }, readonly [readonly string[], string, string]>(
  'settlement.settled-by-others',
  `select given.id from unnest($1::uuid[]) given (id)
   cross join lateral (select 1 from settlement_rows r where r.transaction_id = given.id and r.kind = 'chargeback' and (r.mid_id <> $2::uuid or r.ref <> $3::text) limit 1) settled`,
)

// As for an import, which waits here for its end.
const tryLock = sql<{ locked: boolean }, readonly [string]>(
  'settlement.try-lock',
  `select pg_try_advisory_xact_lock(hashtextextended('settlement ' || $1, 0)) as locked`,
)

/** Positions of entries that move the postings of a row to a merchant; a row itself has fewer. */
const [bookedBack, bookedAgain] = [10, 20]

/**
 * The row has its transaction as if it had been known at the import, also where the transaction counted as not settled meanwhile. So has the row that
 * returns its money, if a file had both.
 *
 * The merchant gets the row's postings by further entries, because none is ever changed: each is booked back without a merchant, and again with it.
 */
const linkRow = sql<{ ref: string }, readonly [string, string, string, string, string, Date]>(
  'settlement.link-row',
  `with returning_row as (
     select r.ref from settlement_differences d join settlement_rows r on r.mid_id = d.mid_id and r.ref = d.ref
       join settlement_rows taken on taken.mid_id = $1 and taken.ref = $2
     where d.mid_id = $1 and d.kind = 'missing-here' and d.resolved_at is null and d.payment_id = $4 and d.transaction_id is null
       and r.kind = 'chargeback-reversal' and r.gross_minor = -taken.gross_minor and r.currency = taken.currency
     order by r.booked_on, r.ref limit 1
   ), linked as (
     update settlement_rows set merchant_id = $3, payment_id = $4, transaction_id = $5
     where mid_id = $1 and (ref = $2 or ref in (select ref from returning_row)) and transaction_id is null returning file_id, ref
   ), counted as (
     update settlement_files set matched = matched + (select count(*) from linked where linked.file_id = id) where id in (select file_id from linked)
   ), named as (
     update settlement_differences set merchant_id = $3, payment_id = $4, transaction_id = $5
     where mid_id = $1 and ref in (select ref from linked) and kind = 'missing-here'
   ), moved as (
     insert into book_entries (source, position, mid_id, merchant_id, from_account, to_account, currency, amount_minor, on_day, at)
     select e.source, e.position + moving.step, e.mid_id, moving.merchant_id, case when moving.step = ${bookedBack} then e.to_account else e.from_account end,
       case when moving.step = ${bookedBack} then e.from_account else e.to_account end, e.currency, e.amount_minor, e.on_day, $6
     from linked join book_entries e on e.source = 'settlement ' || $1::text || ' ' || linked.ref and e.merchant_id is null
       cross join (values (${bookedBack}, null::uuid), (${bookedAgain}, $3::uuid)) moving (step, merchant_id)
   ), arrived as (
     update settlement_differences set resolved_at = $6, note = 'The acquirer settled it in row ' || $2::text || '.'
     where mid_id = $1 and kind = 'missing-there' and transaction_id = $5 and resolved_at is null
   )
   select ref from linked where ref = $2`,
)

export const settledRows = (on: Queryable) => ({
  find: async (midId: string, ref: string): Promise<SettledRow | null> =>
    (await query(on, findRow, [midId, ref]))[0] ?? null,
  /** Those of the chargebacks that another row has settled. */
  listSettledByOthers: async (ids: readonly string[], midId: string, ref: string): Promise<ReadonlySet<string>> =>
    new Set((await query(on, settledByOthers, [ids, midId, ref])).map(({ id }) => id)),
  /** Those of the chargebacks that two people posted as not settled. */
  listPosted: async (ids: readonly string[], midId: string): Promise<ReadonlySet<string>> => {
    const posted = await listPosted(
      on,
      midId,
      ids.map((transactionId) => ({ transactionId, kind: 'chargeback' })),
    )
    return new Set(posted.map(({ transactionId }) => transactionId))
  },
  /** Until the end of the transaction no import of the MID begins. False while one is running. */
  tryLock: async (midId: string): Promise<boolean> => (await query(on, tryLock, [midId]))[0]?.locked === true,
  /** False if the row has a transaction. */
  link: async ({ midId, ref, merchantId, paymentId, transactionId }: LinkedRow, at: Date): Promise<boolean> =>
    (await query(on, linkRow, [midId, ref, merchantId, paymentId, transactionId, at])).length === 1,
})
