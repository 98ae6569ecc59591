/**
 * Checks that the money of many payments adds up: totals within their bounds, and ledger entries that match the totals. Chapter 50 §8.
 *
 * All payments of the range are read; the caller keeps the range small enough for a page.
 */
import type { Queryable } from '../database/pool.ts'
import type { PaymentRange } from './newest-payments.ts'
import { Conditions, type Timing } from './payment-conditions.ts'

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
const movesMoney = `t.state = 'success' and t.amount_minor > 0 and t.type not in ('CALC', '3DS', 'REDIRECT')
  and not (t.type = 'REVERSAL' and p.status = 'DECLINED')`

const faultText = (check: MoneyFault['check'], text: string, from: string, where: string): string =>
  `(select '${check}' as check, p.merchant_id as "merchantId", p.id as "paymentId", ${text} as text from ${from} where ${where} limit ${offendersShown})`

// The entries are summed before payments without any are added: Citus joins rows of a table expression with a distributed table on the inside only.
const balances = `entries as materialized (
  select e.merchant_id, e.payment_id, coalesce(sum(e.amount_minor) filter (where e.to_account = 'settled'), 0)
      - coalesce(sum(e.amount_minor) filter (where e.from_account = 'settled'), 0) as settled,
    coalesce(sum(e.amount_minor) filter (where e.to_account = 'held'), 0)
      - coalesce(sum(e.amount_minor) filter (where e.from_account = 'held'), 0) as held
  from chosen p join ledger_entries e on e.merchant_id = p.merchant_id and e.payment_id = p.id group by e.merchant_id, e.payment_id
), balances as (
  select p.id, coalesce(entries.settled, 0) as settled, coalesce(entries.held, 0) as held
  from chosen p left join entries on entries.merchant_id = p.merchant_id and entries.payment_id = p.id
)`

const heldOf = "case when p.status = 'PENDING' then p.authorised_minor else 0 end"

// biome-ignore format: a table is read in columns.
const faults = [
  faultText('captured',     "'captured ' || p.captured_minor || ' of ' || p.authorised_minor || ' authorised'",  'chosen p', 'p.captured_minor > p.authorised_minor'),
  faultText('refunded',     "'refunded ' || p.refunded_minor || ' of ' || p.captured_minor || ' captured'",      'chosen p', 'p.refunded_minor > p.captured_minor'),
  faultText('postings',     `'postings: ' || b.settled || ' settled, ' || b.held || ' held; totals: ' || ${settledOf} || ' settled, ' || ${heldOf} || ' held'`,
                                                                                                           'chosen p join balances b on b.id = p.id', `b.settled <> ${settledOf} or b.held <> ${heldOf}`),
  faultText('transactions', "'transaction ' || t.id || ' (' || t.type || ', ' || t.state || ') and its postings disagree'",
                                                                                                           'chosen p join transactions t on t.merchant_id = p.merchant_id and t.payment_id = p.id',
        `(${movesMoney}) <> exists (select 1 from ledger_entries e where e.merchant_id = t.merchant_id and e.payment_id = t.payment_id and e.transaction_id = t.id)`),
].join(' union all ')

export async function moneyFaults(
  on: Queryable,
  range: PaymentRange,
): Promise<{ readonly lookedAt: CheckedCounts; readonly faults: readonly MoneyFault[] }> {
  const at = new Conditions()
  const merchants = range.merchantIds === null ? null : at.place(range.merchantIds)
  const chosen = `chosen as materialized (${chosenText(at, range, merchants, 'at once')} union all ${chosenText(at, range, merchants, 'late')})`
  const counted = `with ${chosen} select counted.payments, steps.transactions from (select count(*)::int as payments from chosen) counted,
    (select count(*)::int as transactions from chosen p join transactions t on t.merchant_id = p.merchant_id and t.payment_id = p.id) steps`
  const [counts, faultText] = await Promise.all([
    on.query<CheckedCounts>(counted, at.values),
    on.query<MoneyFault>(`with ${chosen}, ${balances} ${faults}`, at.values),
  ])
  return { lookedAt: counts.rows[0] ?? { payments: 0, transactions: 0 }, faults: faultText.rows }
}

function chosenText(
  at: Conditions,
  { from, to, test }: PaymentRange,
  merchants: string | null,
  timing: Timing,
): string {
  const where = at.apart().addFilter({ from, to, test: test ?? undefined }, timing)
  if (merchants !== null) where.add(`p.merchant_id = any(${merchants}::uuid[])`)
  return `select p.merchant_id, p.id, p.kind, p.status, p.authorised_minor, p.captured_minor, p.refunded_minor, p.charged_back_minor
    from payments p where ${where.text}`
}
