/** What merchants sold, and what the operator and the acquirers charged for it, per MID and currency in a period. Chapter 70 §3. */
import { type Queryable, query, sql } from '../database/pool.ts'

type MerchantPeriod = readonly [merchantId: string, from: Date, before: Date]

interface ChargedSum {
  /** Null for charges that belong to no transaction, such as monthly fees, and for months that were removed. */
  readonly midId: string | null
  readonly currency: string
  readonly salesMinor: bigint
  readonly feesMinor: bigint
}

interface AcquirerFee {
  readonly midId: string | null
  readonly currency: string
  readonly feesMinor: bigint
}

/** Signed: an entry in the other direction takes back. */
const sumMoved = (from: string, to: string): string =>
  `case when e.from_account in (${from}) and e.to_account = ${to} then e.amount_minor
     when e.from_account = ${to} and e.to_account in (${from}) then -e.amount_minor else 0 end`

const byTransactions = sql<ChargedSum, MerchantPeriod>(
  'margin.of-transactions',
  `select t.mid_id as "midId", e.currency, sum(${sumMoved(`'payer', 'held'`, `'settled'`)}) as "salesMinor",
     sum(${sumMoved(`'payable'`, `'fees'`)}) as "feesMinor"
   from ledger_entries e join payments p on p.merchant_id = e.merchant_id and p.id = e.payment_id
     join transactions t on t.merchant_id = e.merchant_id and t.payment_id = e.payment_id and t.id = e.transaction_id
   where e.merchant_id = $1 and e.at >= $2 and e.at < $3 and not p.test
   group by t.mid_id, e.currency`,
)
const byOtherEntries = sql<ChargedSum, MerchantPeriod>(
  'margin.of-other-entries',
  `select null::uuid as "midId", e.currency, sum(${sumMoved(`'payer', 'held'`, `'settled'`)}) as "salesMinor",
     sum(${sumMoved(`'payable'`, `'fees'`)}) as "feesMinor"
   from account_entries e where e.merchant_id = $1 and e.at >= $2 and e.at < $3 group by e.currency`,
)

const feesKept = (of: string): string =>
  `select e.mid_id as "midId", e.currency,
     sum(case when e.to_account = 'acquirer_fees' then e.amount_minor else -e.amount_minor end) as "feesMinor"
   from book_entries e where e.at >= $1 and e.at < $2 and 'acquirer_fees' in (e.from_account, e.to_account) and ${of}
   group by e.mid_id, e.currency`
const keptOfMerchant = sql<AcquirerFee, readonly [from: Date, before: Date, merchantId: string]>(
  'margin.acquirer-fees',
  feesKept('e.merchant_id = $3'),
)
const keptApart = sql<AcquirerFee, readonly [from: Date, before: Date]>(
  'margin.other-acquirer-fees',
  feesKept('e.merchant_id is null'),
)

/** Read one after the other: the ledger is on the merchant's server and the rest on the first (decisions/shards#distribution-by-merchant). */
export const marginStore = (on: Queryable) => ({
  sumCharges: async (...period: MerchantPeriod): Promise<readonly ChargedSum[]> => [
    ...(await query(on, byTransactions, period)),
    ...(await query(on, byOtherEntries, period)),
  ],
  listAcquirerFees: (merchantId: string, from: Date, before: Date) =>
    query(on, keptOfMerchant, [from, before, merchantId]),
  /** Of rows that belong to no transaction of ours, such as an acquirer's monthly fee. */
  listOtherAcquirerFees: (from: Date, before: Date) => query(on, keptApart, [from, before]),
})
