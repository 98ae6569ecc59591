/** The transactions that rows of a settlement file may belong to, and which of them another row or a posting has settled. */
import type { SettlementKind } from '#domain/settlement/settlement-kind.ts'
import type { SettledTransaction } from '#domain/settlement/settlement-match.ts'
import { type PoolClient, type Queryable, query, sql } from '../database/pool.ts'
import { transactionReferences } from '../payments/search/payment-conditions.ts'
import { isReturn } from './ledger-money.ts'

export interface SettlementCandidate extends SettledTransaction {
  /** Null before the payment was routed. */
  readonly paymentMidId: string | null
}

// The reversal of a charge that succeeded late moved no booked money, because the charge was never booked: decisions/settlement#never-booked.
const columns = `p.merchant_id as "merchantId", p.id as "paymentId", p.mid_id as "paymentMidId", p.currency, t.id, t.mid_id as "midId", t.type,
  t.state, t.reference, case when t.type = 'REVERSAL' and p.status = 'DECLINED' then 0 else t.amount_minor end as "amountMinor", t.ended_at as "endedAt"`

const ofPayments = sql<SettlementCandidate, readonly [readonly string[]]>(
  'settlement.candidates-of-payments',
  `select ${columns} from unnest($1::uuid[]) named (id) join payments p on p.id = named.id
     join transactions t on t.merchant_id = p.merchant_id and t.payment_id = p.id`,
)

// The first condition is that of the index `transactions_references`, which is asked for one reference at a time: for a thousand it takes a
// hundred times as long. The others leave the one reference that counts.
const byReference = sql<SettlementCandidate, readonly [string, readonly string[]]>(
  'settlement.candidates-by-reference',
  `select ${columns} from unnest($2::text[]) named (reference) join transactions t
       on ${transactionReferences} @> array[named.reference] and t.reference is not null and t.reference = named.reference and t.mid_id = $1
     join payments p on p.merchant_id = t.merchant_id and p.id = t.payment_id`,
)

interface ReturnedMoney {
  readonly transactionId: string
  readonly amountMinor: bigint
  readonly endedAt: Date
}

const returnsOf = sql<ReturnedMoney, readonly [readonly string[], readonly string[], readonly string[]]>(
  'settlement.returned-chargebacks',
  `select e.transaction_id as "transactionId", e.amount_minor as "amountMinor", e.at as "endedAt"
   from unnest($1::uuid[], $2::uuid[], $3::uuid[]) given (merchant_id, payment_id, id) join ledger_entries e
     on e.merchant_id = given.merchant_id and e.payment_id = given.payment_id and e.transaction_id = given.id
   where ${isReturn('e')}`,
)

interface SettledKind {
  readonly transactionId: string
  readonly kind: SettlementKind
}

// Not by the MID, which the transaction has anyway: its index would be read whole for each of them. The limit keeps the planner, which knows an empty table
// before the first file, from comparing every row with every transaction.
const settledBefore = sql<SettledKind, readonly [readonly string[], readonly string[]]>(
  'settlement.settled-before',
  `select given.id as "transactionId", given.kind from unnest($1::uuid[], $2::text[]) given (id, kind)
   cross join lateral (select 1 from settlement_rows r where r.transaction_id = given.id and r.kind = given.kind limit 1) settled`,
)

// By the index that keeps differences from being entered twice: its order makes it better than the others also for a planner that knows an empty table.
const postedBefore = sql<SettledKind, readonly [readonly string[], readonly string[], string]>(
  'settlement.posted-before',
  `select given.id as "transactionId", given.kind from unnest($1::uuid[], $2::text[]) given (id, kind)
   cross join lateral (
     select 1 from settlement_differences d join book_entries e on e.source = 'difference ' || d.id and e.position = 0
     where d.mid_id = $3 and d.kind = case when given.kind = 'chargeback-reversal' then 'reversal-missing' else 'missing-there' end
       and coalesce(d.transaction_id::text, '') = given.id::text
     order by coalesce(d.ref, '') limit 1
   ) posted`,
)

/** Lists those whose posting removed what was missing (decisions/corrections#posted-as-missing). */
export const listPosted = (on: Queryable, midId: string, of: readonly SettledKind[]): Promise<readonly SettledKind[]> =>
  query(on, postedBefore, [of.map((one) => one.transactionId), of.map(({ kind }) => kind), midId])

/** Resolved differences of a MID among which a posting is looked for; with more of them there is no need to know. */
const searchedForPosting = 1000

// Most of them were resolved by a later row or with a note, so that looking for each transaction would find nothing.
const anyPosted = sql<{ isPosted: boolean }, readonly [string]>(
  'settlement.any-posted',
  `with resolved as materialized (
     select id from settlement_differences where mid_id = $1 and kind in ('missing-there', 'reversal-missing') and resolved_at is not null
     limit ${searchedForPosting}
   ) select (select count(*) from resolved) = ${searchedForPosting} or exists (
     select 1 from resolved cross join lateral (
       select 1 from book_entries e where e.source = 'difference ' || resolved.id and e.position = 0 limit 1
     ) posted
   ) as "isPosted"`,
)

/**
 * For one import, which has the lock of its MID: nothing that is missing is posted meanwhile, so that whether anything was posted is asked
 * once. See decisions/imports#question-about-postings.
 */
export function settlementCandidates(client: PoolClient, midId: string) {
  let isPosted: Promise<boolean> | null = null
  return candidatesOf(client, midId, () => {
    isPosted ??= query(client, anyPosted, [midId]).then(([found]) => found?.isPosted === true)
    return isPosted
  })
}

export type SettlementCandidates = ReturnType<typeof settlementCandidates>

const candidatesOf = (client: PoolClient, midId: string, findPosting: () => Promise<boolean>) => ({
  listOfPayments: (paymentIds: readonly string[]): Promise<readonly SettlementCandidate[]> =>
    paymentIds.length === 0 ? Promise.resolve([]) : query(client, ofPayments, [paymentIds]),
  listByReference: (references: readonly string[]): Promise<readonly SettlementCandidate[]> =>
    references.length === 0 ? Promise.resolve([]) : query(client, byReference, [midId, references]),
  /** With what our ledger returned of chargebacks. Only for portions that have a row of such a return. */
  withReturns: async (of: readonly SettlementCandidate[]): Promise<readonly SettlementCandidate[]> => {
    const chargebacks = of.filter(({ type }) => type === 'CHARGEBACK')
    if (chargebacks.length === 0) return of
    const keys = [
      chargebacks.map(({ merchantId }) => merchantId),
      chargebacks.map(({ paymentId }) => paymentId),
      chargebacks.map(({ id }) => id),
    ] as const
    const found = await query(client, returnsOf, keys)
    const returns = new Map(found.map(({ transactionId, ...returned }) => [transactionId, returned]))
    return of.map((one) => {
      const returned = returns.get(one.id)
      return returned === undefined ? one : { ...one, returned }
    })
  },
  /** By a row, or by a posting that removed what was missing (decisions/corrections#posted-as-missing). */
  listSettledBefore: async (of: readonly SettledKind[]): Promise<readonly SettledKind[]> => {
    if (of.length === 0) return []
    const keys = [of.map((one) => one.transactionId), of.map(({ kind }) => kind)] as const
    const byRows = await query(client, settledBefore, keys)
    return (await findPosting()) ? [...byRows, ...(await listPosted(client, midId, of))] : byRows
  },
})
