/** Bank accounts of merchants, and payout runs with their items. Unique indexes keep a statement from being paid out twice. */
import type { BankAccount } from '#domain/payout/bank-account.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

export interface PayoutAccount extends BankAccount {
  readonly merchantId: string
  readonly currency: string
}

const accountColumns = 'merchant_id as "merchantId", currency, holder, number, bic'
const listAccounts = sql<PayoutAccount, readonly [string | null, string | null]>(
  'payout-account.list',
  `select ${accountColumns} from payout_accounts where ($1::uuid is null or merchant_id = $1) and ($2::text is null or currency = $2)
   order by merchant_id, currency`,
)
/** Until the transaction ends the account is neither changed nor paid to; also one that is not entered yet. */
const lockAccount = sql<Nothing, readonly [string, string]>(
  'payout-account.lock',
  `select pg_advisory_xact_lock(hashtextextended('payout-account ' || $1 || ' ' || $2, 0))`,
)
const putAccount = sql<Nothing, readonly unknown[]>(
  'payout-account.put',
  `insert into payout_accounts (merchant_id, currency, holder, number, bic, changed_by, changed_at) values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (merchant_id, currency) do update set holder = excluded.holder, number = excluded.number, bic = excluded.bic,
     changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
)

export interface PayoutRun extends BankAccount {
  readonly id: string
  readonly currency: string
  readonly state: 'waiting' | 'sent' | 'cancelled'
  readonly executeOn: string
  readonly madeBy: string
  readonly madeAt: Date
  readonly items: number
  readonly paid: number
  readonly totalMinor: bigint
}

const runText = `select r.id, r.currency, r.state, r.execute_on::text as "executeOn", r.holder, r.number, r.bic, r.made_by as "madeBy",
     r.made_at as "madeAt", count(i.id)::int as items, (count(i.id) filter (where i.state = 'paid'))::int as paid,
     coalesce(sum(i.amount_minor), 0) as "totalMinor"
   from payout_runs r left join payout_items i on i.run_id = r.id`
const listRuns = sql<PayoutRun, readonly [string | null, number]>(
  'payout-run.list',
  `${runText} where $1::uuid is null or r.id < $1 group by r.id order by r.id desc limit $2`,
)
const findRun = sql<PayoutRun, readonly [string]>('payout-run.find', `${runText} where r.id = $1 group by r.id`)
const findPeople = sql<{ askedBy: string; approvedBy: string | null }, readonly [string]>(
  'payout-run.people',
  `select asked_by as "askedBy", case when state in ('approved', 'done') then decided_by end as "approvedBy" from approvals
   where kind = 'payout-run' and subject = 'payout-run ' || $1 order by id desc limit 1`,
)
const lockRun = sql<{ state: string }, readonly [string]>(
  'payout-run.lock',
  'select state from payout_runs where id = $1 for update',
)
const insertRun = sql<Nothing, readonly unknown[]>(
  'payout-run.insert',
  `insert into payout_runs (id, currency, state, execute_on, holder, number, bic, made_by, made_at)
   values ($1, $2, 'waiting', $3, $4, $5, $6, $7, $8)`,
)
const sendRun = sql<Nothing, readonly [string, string]>(
  'payout-run.send',
  `with run as (update payout_runs set state = 'sent', file = $2 where id = $1 and state = 'waiting' returning id)
   update payout_items i set state = 'sent' from run where i.run_id = run.id`,
)
const cancelRuns = sql<Nothing, readonly [string | null, Date]>(
  'payout-run.cancel',
  `with run as (
     update payout_runs r set state = 'cancelled'
     where r.state = 'waiting' and (r.id = $1 or exists (
       select 1 from approvals a where a.kind = 'payout-run' and a.subject = 'payout-run ' || r.id
         and (a.state in ('refused', 'withdrawn', 'failed') or a.state = 'waiting' and a.expires_at <= $2)))
     returning id)
   update payout_items i set state = 'cancelled' from run where i.run_id = run.id`,
)
const runFile = sql<{ file: string | null }, readonly [string]>(
  'payout-run.file',
  'select file from payout_runs where id = $1',
)

export interface PayoutItem extends BankAccount {
  readonly merchantId: string
  readonly id: string
  readonly runId: string
  readonly statementId: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly endToEnd: string
  readonly state: 'waiting' | 'sent' | 'paid' | 'cancelled'
  readonly paidOn: string | null
  readonly paidBy: string | null
}

const itemColumns = `merchant_id as "merchantId", id, run_id as "runId", statement_id as "statementId", currency, amount_minor as "amountMinor",
  holder, number, bic, end_to_end as "endToEnd", state, paid_on::text as "paidOn", paid_by as "paidBy"`
const itemsOfRun = sql<PayoutItem, readonly [string]>(
  'payout-item.of-run',
  `select ${itemColumns} from payout_items where run_id = $1 order by merchant_id`,
)
const itemNamed = sql<PayoutItem, readonly [string]>(
  'payout-item.named',
  `select ${itemColumns} from payout_items where end_to_end = $1`,
)
const insertItem = sql<{ id: string }, readonly unknown[]>(
  'payout-item.insert',
  `insert into payout_items (merchant_id, id, run_id, statement_id, currency, amount_minor, holder, number, bic, end_to_end, state)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'waiting') on conflict do nothing returning id`,
)
const payItem = sql<{ id: string }, readonly [string, string, string, string]>(
  'payout-item.pay',
  `update payout_items set state = 'paid', paid_on = $3, paid_by = $4 where merchant_id = $1 and id = $2 and state = 'sent' returning id`,
)
/** Also one that was marked by hand: the bank knows the day. */
const payItemByBank = sql<{ id: string }, readonly [string, string, string, string]>(
  'payout-item.pay-by-bank',
  `update payout_items set state = 'paid', paid_on = $3, paid_by = $4 where merchant_id = $1 and id = $2
     and (state = 'sent' or state = 'paid' and paid_by not like 'bank statement %') returning id`,
)

export const payoutStore = (on: Queryable) => ({
  listAccounts: (merchantId: string | null, currency: string | null) => query(on, listAccounts, [merchantId, currency]),
  putAccount: async (account: PayoutAccount, by: string, at: Date): Promise<void> => {
    const { merchantId, currency, holder, number, bic } = account
    await query(on, putAccount, [merchantId, currency, holder, number, bic, by, at])
  },
  lockAccount: async (merchantId: string, currency: string): Promise<void> => {
    await query(on, lockAccount, [merchantId, currency])
  },
  listRuns: (before: string | null, limit: number) => query(on, listRuns, [before, limit]),
  findRun: async (id: string): Promise<PayoutRun | null> => (await query(on, findRun, [id]))[0] ?? null,
  /** Who asked for it and who approved it; null of a run without a request. */
  readPeople: async (id: string): Promise<{ readonly askedBy: string; readonly approvedBy: string | null } | null> =>
    (await query(on, findPeople, [id]))[0] ?? null,
  /** Whether the run waits; no other transaction decides it until this one ends. */
  lockWaiting: async (id: string): Promise<boolean> => (await query(on, lockRun, [id]))[0]?.state === 'waiting',
  insertRun: async (run: Omit<PayoutRun, 'state' | 'items' | 'paid' | 'totalMinor'>): Promise<void> => {
    const { id, currency, executeOn, holder, number, bic, madeBy, madeAt } = run
    await query(on, insertRun, [id, currency, executeOn, holder, number, bic, madeBy, madeAt])
  },
  send: async (id: string, file: string): Promise<void> => {
    await query(on, sendRun, [id, file])
  },
  /** The run, and every waiting one whose approval was refused, withdrawn or has lapsed: their statements can be paid by another run. */
  cancel: async (id: string | null, now: Date): Promise<void> => {
    await query(on, cancelRuns, [id, now])
  },
  readFile: async (id: string): Promise<string | null> => (await query(on, runFile, [id]))[0]?.file ?? null,
  listItems: (runId: string) => query(on, itemsOfRun, [runId]),
  findItemNamed: async (endToEnd: string): Promise<PayoutItem | null> =>
    (await query(on, itemNamed, [endToEnd]))[0] ?? null,
  /** False if the statement is paid by another run, or the merchant waits for one. */
  insertItem: async (item: Omit<PayoutItem, 'state' | 'paidOn' | 'paidBy'>): Promise<boolean> => {
    const { merchantId, id, runId, statementId, currency, amountMinor, holder, number, bic, endToEnd } = item
    const values = [merchantId, id, runId, statementId, currency, amountMinor, holder, number, bic, endToEnd]
    return (await query(on, insertItem, values)).length === 1
  },
  /** False if it was not sent, or the bank has paid it already. */
  payByBank: async ({ merchantId, id }: PayoutItem, bookedOn: string, fileName: string): Promise<boolean> =>
    (await query(on, payItemByBank, [merchantId, id, bookedOn, `bank statement ${fileName}`])).length === 1,
  /** False if it was not sent, or is paid already. */
  pay: async ({ merchantId, id }: PayoutItem, paidOn: string, by: string): Promise<boolean> =>
    (await query(on, payItem, [merchantId, id, paidOn, by])).length === 1,
})
