/** What transactions moved in the ledger within a period, by the time of the movement and not of the payment. See decisions/exports#movements. */
import { firstId } from '#domain/uuid.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { paymentColumns } from '../payments/payment-rows.ts'
import { type FoundPayment, foundColumns } from '../payments/search/found-payment.ts'
import { Conditions, type PaymentFilter } from '../payments/search/payment-conditions.ts'

/** The entries that one transaction made at one time. */
export interface Movement {
  readonly at: Date
  readonly paymentId: string
  readonly transactionId: string
  /** The money of a chargeback that came back: a later entry of the same transaction. */
  readonly isReturn: boolean
  /** Of a return; zero otherwise. */
  readonly returnedMinor: bigint
  /** What was added to the account; less than zero if it was taken. */
  readonly heldMinor: bigint
  readonly settledMinor: bigint
  readonly feeMinor: bigint
  readonly reserveMinor: bigint
  /** Where the next page begins. A `Date` has fewer decimals than the database. */
  readonly place: string
}

interface Period {
  readonly from: Date
  /** Not included. */
  readonly to: Date
}

const change = (account: string): string =>
  `coalesce(sum(case when e.to_account = '${account}' then e.amount_minor when e.from_account = '${account}' then -e.amount_minor end), 0)`

/** Sorted by time first, as the index is, so that each page reads its own entries only. */
const movementsOf = sql<Movement, readonly unknown[]>(
  'ledger.movements',
  `select e.at, e.payment_id as "paymentId", e.transaction_id as "transactionId", e.from_account = 'charged_back' as "isReturn",
     coalesce(sum(e.amount_minor) filter (where e.from_account = 'charged_back'), 0) as "returnedMinor",
     ${change('held')} as "heldMinor", ${change('settled')} as "settledMinor", ${change('fees')} as "feeMinor", ${change('reserve')} as "reserveMinor",
     e.at::text as place
   from ledger_entries e
   where e.merchant_id = $1 and e.at >= $2 and e.at < $3 and e.at >= $4::timestamptz
     and (e.at, e.payment_id, e.transaction_id, e.from_account = 'charged_back') > ($4::timestamptz, $5::uuid, $6::uuid, $7::boolean)
   group by e.at, e.payment_id, e.transaction_id, e.from_account = 'charged_back'
   order by e.at, e.payment_id, e.transaction_id, e.from_account = 'charged_back' limit $8`,
)

/** Oldest first, after the movement `after`. */
export function listMovementsAfter(
  on: Queryable,
  merchantId: string,
  { from, to }: Period,
  { after, limit }: { readonly after: Movement | undefined; readonly limit: number },
): Promise<readonly Movement[]> {
  const place = [
    after?.place ?? from,
    after?.paymentId ?? firstId,
    after?.transactionId ?? firstId,
    after?.isReturn ?? false,
  ]
  return query(on, movementsOf, [merchantId, from, to, ...place, limit])
}

/** Selects the payments that match the filter. They are read by their ids first, whatever the filter is. */
export async function findPaymentsAmong(
  on: Queryable,
  merchantId: string,
  ids: readonly string[],
  filter: PaymentFilter,
): Promise<ReadonlyMap<string, FoundPayment>> {
  if (ids.length === 0) return new Map()
  const where = new Conditions()
  const moved = `p.merchant_id = ${where.place(merchantId)} and p.id = any(${where.place(ids)}::uuid[])`
  where.addFilter(filter, 'any')
  const text = `select ${foundColumns} from (select ${paymentColumns()} from payments p where ${moved} offset 0) p where ${where.text}`
  const { rows } = await on.query<FoundPayment>(text, where.values)
  return new Map(rows.map((payment) => [payment.id, payment]))
}

const allMerchants = sql<{ id: string }, readonly []>('merchant.ids', 'select id from merchants order by id')

export const listMerchantIds = async (on: Queryable): Promise<readonly string[]> =>
  (await query(on, allMerchants, [])).map(({ id }) => id)
