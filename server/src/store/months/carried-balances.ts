/**
 * Carries the balances of a month of payments forward before it is dropped: the sums of its live ledger entries per merchant, day, currency and pair of
 * accounts become entries of the merchants' accounts, so that every sum over whole days stays what it was. See decisions/statements#removed-months.
 *
 * The ledger is on the merchants' servers and the accounts on the first, so that the sums are read merchant by merchant and written afterwards.
 */
import type { PoolClient } from 'pg'
import { partOf } from './month-tables.ts'

const liveEntries = (suffix: string): string =>
  `${partOf('ledger_entries', suffix)} e join ${partOf('payments', suffix)} p on p.merchant_id = e.merchant_id and p.id = e.payment_id`

export const merchantsText = (suffix: string): string =>
  `select distinct e.merchant_id as "merchantId" from ${liveEntries(suffix)} where not p.test`

export const sumsText = (suffix: string): string =>
  `select (e.at at time zone 'UTC')::date::text as day, e.currency, e.from_account as "from", e.to_account as "to",
     sum(e.amount_minor)::text as "amountMinor"
   from ${liveEntries(suffix)} where e.merchant_id = $1 and p.merchant_id = $1 and not p.test group by 1, 2, 3, 4 order by 1, 2, 3, 4`

interface CarriedSum {
  readonly day: string
  readonly currency: string
  readonly from: string
  readonly to: string
  readonly amountMinor: string
}

/** Without `on conflict`: a sum that was written before would be a month that is removed twice. */
const insertText = `insert into account_entries (merchant_id, source, position, from_account, to_account, currency, amount_minor, at)
   select $1, 'month ' || $2 || ' ' || day, row_number() over (partition by day order by currency, from_account, to_account) - 1,
     from_account, to_account, currency, amount_minor, day::timestamp at time zone 'UTC'
   from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::numeric[]) as carried (day, currency, from_account, to_account, amount_minor)`

/** In the transaction that drops the month, whose parts are detached, so that nothing is added to them any more. */
export async function carryBalances(client: PoolClient, suffix: string): Promise<void> {
  const { rows: merchants } = await client.query<{ merchantId: string }>(merchantsText(suffix))
  for (const { merchantId } of merchants) {
    const { rows } = await client.query<CarriedSum>(sumsText(suffix), [merchantId])
    const column = (name: keyof CarriedSum): readonly string[] => rows.map((one) => one[name])
    const columns = [column('day'), column('currency'), column('from'), column('to'), column('amountMinor')]
    await client.query(insertText, [merchantId, suffix, ...columns])
  }
}
