/** Payments and their transactions on PostgreSQL: one statement for the intent, one for the outcome. */

import { freeingStatuses } from '#domain/payment/payment.ts'
import type { Payments } from '../../contracts/ports.ts'
import { literals } from '../database/columns.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { claimsAreFilled } from '../months/claim-fill.ts'
import { begin } from './intents/beginnings.ts'
import { opener } from './intents/openings.ts'
import { enter, settler } from './outcomes/outcomes.ts'
import {
  type PaymentRow,
  paymentColumns,
  paymentFrom,
  type TransactionRow,
  transactionColumns,
  transactionFrom,
} from './payment-rows.ts'
import { readerAtMid } from './payments-at-mid.ts'

const findSealed = sql<{ sealed: Uint8Array }, readonly [string, string, string]>(
  'payment.sealed-data',
  'select sealed from payment_secrets where merchant_id = $1 and payment_id = $2 and purpose = $3',
)

const findUses = sql<{ wallet: string; hash: string }, readonly [readonly string[], readonly string[]]>(
  'wallet-token.used-before',
  `select used.wallet, encode(used.token_hash, 'hex') as hash
   from unnest($1::text[], $2::text[]) as asked (wallet, hash)
   join wallet_token_uses used on used.wallet = asked.wallet and used.token_hash = decode(asked.hash, 'hex')`,
)

const findPayment = sql<PaymentRow, readonly [string, string]>(
  'payment.find',
  `select ${paymentColumns()} from payments where merchant_id = $1 and id = $2`,
)

const newestPayment = sql<PaymentRow, readonly [string, string, boolean, readonly string[]]>(
  'payment.newest-of-order',
  `select ${paymentColumns()} from payments where merchant_id = $1 and order_id = $2 and test = $3 and protocol = any($4)
   order by id desc limit 1`,
)

const paymentsOfOrder = sql<PaymentRow, readonly [string, string, boolean, readonly string[], number]>(
  'payment.of-order',
  `select ${paymentColumns()} from payments where merchant_id = $1 and order_id = $2 and test = $3 and protocol = any($4)
   order by id desc limit $5`,
)

/** The order's index finds the few payments of an order; the brand is then checked on those. */
const newestBrandPayment = sql<PaymentRow, readonly [string, string, boolean]>(
  'payment.newest-with-brand',
  `select ${paymentColumns()} from payments where merchant_id = $1 and order_id = $2 and test = $3 and facts ? 'brand'
   order by id desc limit 1`,
)

const newestUndeclinedOfOrder = sql<PaymentRow, readonly [string, string, boolean]>(
  'payment.standing-of-order',
  `select ${paymentColumns()} from payments where merchant_id = $1 and order_id = $2 and test = $3
     and (status not in (${literals(freeingStatuses)}) or cascading = 'continues')
   order by id desc limit 1`,
)

const listTransactions = sql<TransactionRow, readonly [string, string]>(
  'transaction.list',
  `select ${transactionColumns()} from transactions where merchant_id = $1 and payment_id = $2 order by created_at, id`,
)

const keyedTransaction = sql<TransactionRow, readonly [string, string]>(
  'transaction.by-use',
  `select ${transactionColumns('t')} from key_uses held
     join transactions t on t.merchant_id = $1 and t.payment_id = held.payment_id and t.id = held.transaction_id
   where held.merchant_id = $1 and held.use_id = $2`,
)

/** For uses from before their claims, which only the first part has; its unique index finds them. */
const unclaimedTransaction = sql<TransactionRow, readonly [string, string]>(
  'transaction.by-unclaimed-use',
  `select ${transactionColumns()} from transactions where merchant_id = $1 and idempotency_use = $2`,
)

/** Found by the index on the id alone: an acquirer knows our payment but not our merchant, and a search by merchant would take a probe for each. */
const paymentAtMid = sql<PaymentRow, readonly [string, string]>(
  'payment.at-mid',
  `select ${paymentColumns('payments')} from payments where payments.id = $2 and payments.mid_id = $1`,
)

/** Those of the payment's first step are shown with the payment. */
const addTransactionFacts = sql<Record<never, never>, readonly [string, string, string, string]>(
  'transaction.add-facts',
  `with added as (
     update transactions set facts = facts || $4::jsonb where merchant_id = $1 and payment_id = $2 and id = $3 returning id
   )
   update payments
   set facts = jsonb_set(facts, '{acquirer}', coalesce(facts -> 'acquirer', '{}') || $4::jsonb), version = version + 1
   from added where payments.merchant_id = $1 and payments.id = $2 and payments.first_transaction = added.id`,
)

const triesOfCard = sql<{ at: Date }, readonly [string, string]>(
  'card.tries',
  'select unnest(tries) as at from card_tries where merchant_id = $1 and card_id = $2',
)

const newestAttempt = sql<PaymentRow, readonly [string, string]>(
  'payment.newest-of-cascade',
  `select ${paymentColumns()} from payments where merchant_id = $1 and id = $2
   union all select ${paymentColumns()} from payments where merchant_id = $1 and cascade_id = $2
   order by attempt desc limit 1`,
)

export function paymentStore(pool: Pool): Payments {
  return {
    open: opener(pool),
    begin: (beginning) => begin(pool, beginning),
    settle: settler(pool),
    enter: (outcome) => enter(pool, outcome),
    readSealedData: async (merchantId, paymentId, purpose) =>
      readFirst(await query(pool, findSealed, [merchantId, paymentId, purpose]), ({ sealed }) => sealed),
    listUsedBefore: async (uses) => {
      if (uses.length === 0) return []
      const rows = await query(pool, findUses, [uses.map(({ wallet }) => wallet), uses.map(({ hash }) => hash)])
      return uses
        .filter((use) => rows.some((row) => row.wallet === use.wallet && row.hash === use.hash))
        .map(({ check }) => check)
    },
    find: async (merchantId, id) => readFirst(await query(pool, findPayment, [merchantId, id]), paymentFrom),
    findNewestOfOrder: async (merchantId, orderId, mode, protocols) =>
      readFirst(await query(pool, newestPayment, [merchantId, orderId, mode === 'test', protocols]), paymentFrom),
    listOfOrder: async (merchantId, orderId, mode, { protocols, atMost }) =>
      (await query(pool, paymentsOfOrder, [merchantId, orderId, mode === 'test', protocols, atMost])).map(paymentFrom),
    findNewestWithBrand: async (merchantId, orderId, mode) =>
      readFirst(await query(pool, newestBrandPayment, [merchantId, orderId, mode === 'test']), paymentFrom),
    findNewestUndeclined: async (merchantId, orderId, mode) =>
      readFirst(await query(pool, newestUndeclinedOfOrder, [merchantId, orderId, mode === 'test']), paymentFrom),
    listTransactions: async (merchantId, paymentId) =>
      (await query(pool, listTransactions, [merchantId, paymentId])).map(transactionFrom),
    findByUse: async (merchantId, useId) => {
      const [claimed] = await query(pool, keyedTransaction, [merchantId, useId])
      if (claimed) return transactionFrom(claimed)
      if (await claimsAreFilled(pool)) return null
      return readFirst(await query(pool, unclaimedTransaction, [merchantId, useId]), transactionFrom)
    },
    addFacts: async ({ merchantId, paymentId, id }, facts) => {
      await query(pool, addTransactionFacts, [merchantId, paymentId, id, JSON.stringify(facts)])
    },
    findAtMid: async (midId, id) => readFirst(await query(pool, paymentAtMid, [midId, id]), paymentFrom),
    readAtMid: readerAtMid(pool),
    listTriesOfCard: async (merchantId, cardId) =>
      (await query(pool, triesOfCard, [merchantId, cardId])).map(({ at }) => at),
    findNewestOfCascade: async (merchantId, firstId) =>
      readFirst(await query(pool, newestAttempt, [merchantId, firstId]), paymentFrom),
  }
}

function readFirst<Row, Value>(rows: readonly Row[], read: (row: Row) => Value): Value | null {
  const [row] = rows
  return row === undefined ? null : read(row)
}
