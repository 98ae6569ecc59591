/**
 * Checks that the money of many payments adds up: totals within their bounds, and ledger entries that match the totals. Chapter 50 §8.
 *
 * All payments of the range are read; the caller keeps the range small enough for a page.
 */

import { unpostedTypes } from '#domain/payment/payment.ts'
import { type InBucket, isDistributed, oneServer } from '../database/buckets.ts'
import { literals } from '../database/columns.ts'
import { latePaymentIdsFrom, paymentIdsBefore } from '../database/id-bounds.ts'
import type { Queryable } from '../database/pool.ts'
import type { PaymentRange } from './newest-payments.ts'
import { Conditions, type Timing } from './search/payment-conditions.ts'

interface CheckedCounts {
  readonly payments: number
  readonly transactions: number
}

export interface MoneyFault {
  readonly check: 'captured' | 'refunded' | 'postings' | 'transactions'
  readonly merchantId: string
  readonly paymentId: string
  readonly text: string
}

const offendersShown = 50

/** A payout is taken from money settled before; a transfer does not pass through the merchant's balance. */
const settledOf = `case p.kind when 'transfer' then 0
    when 'credit' then p.refunded_minor - p.captured_minor
    else p.captured_minor - p.refunded_minor - p.charged_back_minor end`

/**
 * Transactions that must have a ledger entry once they succeed. A capture's second entry releases the rest of the hold. The charge that a
 * REVERSAL of a declined payment undoes was never posted, so neither is the REVERSAL (chapter 10 §6.2, "Late success").
 */
const movesMoney = `t.state = 'success' and t.amount_minor > 0 and t.type not in (${literals(unpostedTypes)})
  and not (t.type = 'REVERSAL' and p.status = 'DECLINED')`

const faultText = (check: MoneyFault['check'], text: string, from: string, where: string): string =>
  `(select '${check}' as check, p.merchant_id as "merchantId", p.id as "paymentId", ${text} as text from ${from} where ${where} limit ${offendersShown})`

/** The payments' own range for the rows of their transactions and entries: they are in parts by month, all of which would be read without it. */
type Within = (alias: string) => string

const heldOf = "case when p.status = 'PENDING' then p.authorised_minor else 0 end"

const movedTo = (account: string): string =>
  `case when e.to_account = '${account}' then e.amount_minor else 0 end - case when e.from_account = '${account}' then e.amount_minor else 0 end`

/**
 * What the entries of each payment sum up to, beside its totals. Both are added up in one list and not joined: PostgreSQL does not know how many
 * rows a table expression has, and would compare every payment with every other.
 */
const balancesText = (within: Within): string => `entries as materialized (
  select e.merchant_id, e.payment_id, ${movedTo('settled')} as settled, ${movedTo('held')} as held
  from chosen p join ledger_entries e on e.merchant_id = p.merchant_id and e.payment_id = p.id and ${within('e')}
), balances as (
  select listed.merchant_id, listed.id, sum(listed.settled) as settled, sum(listed.held) as held,
    sum(listed.total_settled) as total_settled, sum(listed.total_held) as total_held
  from (
    select p.merchant_id, p.id, 0 as settled, 0 as held, ${settledOf} as total_settled, ${heldOf} as total_held from chosen p
    union all select entries.merchant_id, entries.payment_id, entries.settled, entries.held, 0, 0 from entries
  ) listed group by listed.merchant_id, listed.id
)`

// biome-ignore format: a table is read in columns.
const faultsText = (within: Within): string => [
  faultText('captured',     "'captured ' || p.captured_minor || ' of ' || p.authorised_minor || ' authorised'",  'chosen p', 'p.captured_minor > p.authorised_minor'),
  faultText('refunded',     "'refunded ' || p.refunded_minor || ' of ' || p.captured_minor || ' captured'",      'chosen p', 'p.refunded_minor > p.captured_minor'),
  faultText('postings',     "'postings: ' || p.settled || ' settled, ' || p.held || ' held; totals: ' || p.total_settled || ' settled, ' || p.total_held || ' held'",
                                                                                                           'balances p', 'p.settled <> p.total_settled or p.held <> p.total_held'),
  faultText('transactions', "'transaction ' || t.id || ' (' || t.type || ', ' || t.state || ') and its postings disagree'",
                                                                                                           `chosen p join transactions t on t.merchant_id = p.merchant_id and t.payment_id = p.id and ${within('t')}`,
        `(${movesMoney}) <> exists (select 1 from ledger_entries e where e.merchant_id = t.merchant_id and e.payment_id = t.payment_id and e.transaction_id = t.id and ${within('e')})`),
].join(' union all ')

export async function findMoneyFaults(
  on: Queryable,
  range: PaymentRange,
): Promise<{ readonly lookedAt: CheckedCounts; readonly faults: readonly MoneyFault[] }> {
  const at = new Conditions()
  const merchants = range.merchantIds === null ? null : at.place(range.merchantIds)
  const chosen = `chosen as materialized (${chosenText(at, range, merchants, 'at once')} union all ${chosenText(at, range, merchants, 'late')})`
  const [first, end] = [at.place(latePaymentIdsFrom(range.from)), at.place(paymentIdsBefore(range.to))]
  // Citus derives no condition of one table from that of another.
  const merchantsOf: InBucket =
    merchants !== null && (await isDistributed(on))
      ? (alias) => ` and ${alias}.merchant_id = any(${merchants}::uuid[])`
      : oneServer.inBucket
  const within: Within = (alias) =>
    `${alias}.payment_id >= ${first} and ${alias}.payment_id < ${end}${merchantsOf(alias)}`
  const counted = `with ${chosen} select counted.payments, steps.transactions from (select count(*)::int as payments from chosen) counted,
    (select count(*)::int as transactions from chosen p join transactions t on t.merchant_id = p.merchant_id and t.payment_id = p.id and ${within('t')}) steps`
  const [counts, faultText] = await Promise.all([
    on.query<CheckedCounts>(counted, at.values),
    on.query<MoneyFault>(`with ${chosen}, ${balancesText(within)} ${faultsText(within)}`, at.values),
  ])
  return { lookedAt: counts.rows[0] ?? { payments: 0, transactions: 0 }, faults: faultText.rows }
}

function chosenText(
  at: Conditions,
  { from, to, mode }: PaymentRange,
  merchants: string | null,
  timing: Timing,
): string {
  const where = at.apart().addFilter({ from, to, test: mode === null ? undefined : mode === 'test' }, timing)
  if (merchants !== null) where.add(`p.merchant_id = any(${merchants}::uuid[])`)
  return `select p.merchant_id, p.id, p.kind, p.status, p.authorised_minor, p.captured_minor, p.refunded_minor, p.charged_back_minor
    from payments p where ${where.text}`
}
