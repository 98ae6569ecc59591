/** Transactions of differences: what they moved in the ledger, as an acquirer settles it, whether they are open, and their types. */

import { openStates } from '#domain/payment/payment.ts'
import { literals } from '../database/columns.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

interface LedgerTransaction {
  readonly merchantId: string
  readonly paymentId: string
  readonly transactionId: string
  /** Of a chargeback: the return of its money, which is a movement of its own. */
  readonly isReturn: boolean
}

interface SettledMoney {
  /** Negative if it took money from the merchant. */
  readonly minor: bigint
  readonly currency: string
}

/**
 * The entry returns the money of its chargeback, and was not undone since (decisions/disputes#decided-by-people). At most one of each
 * chargeback does.
 */
export const isReturn = (entry: string): string =>
  `(${entry}.from_account = 'charged_back' and not exists (
     select 1 from ledger_entries undone where undone.merchant_id = ${entry}.merchant_id and undone.payment_id = ${entry}.payment_id
       and undone.transaction_id = ${entry}.transaction_id and undone.position > ${entry}.position and undone.to_account = 'charged_back'))`

const settledMoney = sql<SettledMoney, readonly [string, string, string, boolean]>(
  'settlement.ledger-money',
  `select coalesce(sum(case when e.to_account = 'settled' then e.amount_minor when e.from_account = 'settled' then -e.amount_minor end), 0) as minor, p.currency
   from ledger_entries e join payments p on p.merchant_id = e.merchant_id and p.id = e.payment_id
   where e.merchant_id = $1 and e.payment_id = $2 and e.transaction_id = $3 and not p.test
     and ('charged_back' in (e.from_account, e.to_account) and e.position > 1) = $4
   group by p.currency`,
)

/** Null if it failed, and of a test payment, which no acquirer settles. */
export const readSettledMoney = async (
  on: Queryable,
  { merchantId, paymentId, transactionId, isReturn }: LedgerTransaction,
): Promise<SettledMoney | null> =>
  (await query(on, settledMoney, [merchantId, paymentId, transactionId, isReturn]))[0] ?? null

const openTransaction = sql<{ id: string }, readonly [string, string, string]>(
  'settlement.open-transaction',
  `select id from transactions where merchant_id = $1 and payment_id = $2 and id = $3 and state in (${literals(openStates)})`,
)

/** It has no outcome yet. */
export const isTransactionOpen = async (
  on: Queryable,
  merchantId: string,
  paymentId: string,
  transactionId: string,
): Promise<boolean> => (await query(on, openTransaction, [merchantId, paymentId, transactionId])).length > 0

interface NamedTransaction {
  readonly merchantId: string
  readonly paymentId: string
  readonly transactionId: string
}

const typesOf = sql<{ id: string; type: string }, readonly [readonly string[], readonly string[], readonly string[]]>(
  'settlement.types-of-transactions',
  `select t.id, t.type from unnest($1::uuid[], $2::uuid[], $3::uuid[]) given (merchant_id, payment_id, id)
   join transactions t on t.merchant_id = given.merchant_id and t.payment_id = given.payment_id and t.id = given.id`,
)

/** By the transaction. A payment may have been removed with its month. */
export async function readMovementTypes(
  on: Queryable,
  of: readonly NamedTransaction[],
): Promise<ReadonlyMap<string, string>> {
  if (of.length === 0) return new Map()
  const keys = [
    of.map(({ merchantId }) => merchantId),
    of.map(({ paymentId }) => paymentId),
    of.map(({ transactionId }) => transactionId),
  ] as const
  return new Map((await query(on, typesOf, keys)).map(({ id, type }) => [id, type]))
}
