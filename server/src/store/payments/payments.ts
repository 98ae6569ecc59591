/** Payments and their transactions on PostgreSQL: one statement for the intent, one for the outcome. */
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { Payments } from '../../contracts/ports.ts'
import type { Beginning } from '../../contracts/records.ts'
import { isDistributed } from '../database/buckets.ts'
import { refusedBy } from '../database/constraint.ts'
import { json } from '../database/insertion.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { beginCounters } from './limits/limit-counters.ts'
import {
  clashOf,
  countingOnlyText,
  countingParams,
  countingText,
  countingWidth,
  tryingParams,
  tryingText,
} from './limits/limit-uses.ts'
import { opener } from './openings.ts'
import {
  fromNow,
  type PaymentRow,
  paymentColumns,
  paymentFrom,
  type TransactionRow,
  transactionColumns,
  transactionFrom,
} from './payment-rows.ts'
import { readerAtMid } from './payments-at-mid.ts'
import { enter, settler } from './settlements/settlements.ts'

type Params = readonly unknown[]

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

/** A deferred command is removed when the command begins, whether the service or a person issued it. */
const beginText = (change: string, open: string, more = '') =>
  `with changed as (
     update payments set version = version + 1, open_transaction = $4, updated_at = $5${change}
     where merchant_id = $1 and id = $2 and version = $3 and open_transaction ${open}
     returning version
   ), begun as (
     insert into transactions (merchant_id, payment_id, id, type, state, amount_minor, mid_id, parameters, creditvoid_id,
       idempotency_use, sent_by, in_flight_until, ask_at, created_at)
     select $1, $2, $4, $6, 'sent', $7, $8, $9, $10, $11, $12, ${fromNow('$13')}, ${fromNow('$13')}, $5 from changed
   ), given as (
     delete from deferred_commands using changed where merchant_id = $1 and payment_id = $2 and command = $6
   )${more}
   select version from changed`

const beginFollowUp = sql<{ version: number }, Params>('transaction.begin', beginText('', 'is null'))

/**
 * The acquirer knows the payment by this charge from now on, and it may be a different acquirer than before. A preceding authentication
 * ends in the same statement; otherwise the payment would for a moment have no open transaction.
 */
const beginCharge = (name: string, more: string) =>
  sql<{ version: number }, Params>(
    name,
    beginText(
      `, first_transaction = $4, mid_id = $8, mapping_id = $14, holds = $15, routing = $16, alone_in_order = $17,
       facts = $18`,
      'is not distinct from $19::uuid',
      `, proved as (
     update transactions set state = 'success', ended_at = $5, ask_at = null, lease_until = null
     from changed where merchant_id = $1 and payment_id = $2 and id = $19::uuid
   )${more}`,
    ),
  )

const inRoom = 'changed, (select count(*) from counted) as room'

/** A charge that counts towards limits is written only if they have room. */
const chargesWith = (suffix: string, counting: typeof countingText) => ({
  plain: beginCharge('transaction.begin-charge', ''),
  limits: beginCharge(`transaction.begin-charge-limits${suffix}`, `, ${counting(20, 'changed')}`),
  try: beginCharge('transaction.begin-charge-try', `, ${tryingText(20, 'changed')}`),
  both: beginCharge(
    `transaction.begin-charge-limits-try${suffix}`,
    `, ${counting(20, 'changed')}, ${tryingText(20 + countingWidth, inRoom)}`,
  ),
})

const beginCharges = chargesWith('', countingText)
/** For a distributed database, which creates counters by a statement of their own. */
const beginChargesCounted = chargesWith('-counted', countingOnlyText)

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
     and (status <> 'DECLINED' or cascading = 'continues')
   order by id desc limit 1`,
)

const listTransactions = sql<TransactionRow, readonly [string, string]>(
  'transaction.list',
  `select ${transactionColumns()} from transactions where merchant_id = $1 and payment_id = $2 order by created_at, id`,
)

const keyedTransaction = sql<TransactionRow, readonly [string, string]>(
  'transaction.by-use',
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
    begin: (beginning) =>
      unlessClash(async () => {
        const { limits = [], payment } = beginning
        const counts = limits.length > 0 && (await isDistributed(pool))
        if (counts) await beginCounters(pool, limits, payment.midId)
        const rows = await query(pool, ...begin(beginning, counts ? beginChargesCounted : beginCharges))
        return rows.length === 1 ? 'begun' : 'stale'
      }),
    settle: settler(pool),
    enter: (settlement) => enter(pool, settlement),
    readSealedData: async (merchantId, paymentId, purpose) =>
      readFirst(await query(pool, findSealed, [merchantId, paymentId, purpose]), ({ sealed }) => sealed),
    usedBefore: async (uses) => {
      if (uses.length === 0) return []
      const rows = await query(pool, findUses, [uses.map(({ wallet }) => wallet), uses.map(({ hash }) => hash)])
      return uses
        .filter((use) => rows.some((row) => row.wallet === use.wallet && row.hash === use.hash))
        .map(({ check }) => check)
    },
    find: async (merchantId, id) => readFirst(await query(pool, findPayment, [merchantId, id]), paymentFrom),
    newestOfOrder: async (merchantId, orderId, mode, protocols) =>
      readFirst(await query(pool, newestPayment, [merchantId, orderId, mode === 'test', protocols]), paymentFrom),
    ofOrder: async (merchantId, orderId, mode, { protocols, atMost }) =>
      (await query(pool, paymentsOfOrder, [merchantId, orderId, mode === 'test', protocols, atMost])).map(paymentFrom),
    newestWithBrand: async (merchantId, orderId, mode) =>
      readFirst(await query(pool, newestBrandPayment, [merchantId, orderId, mode === 'test']), paymentFrom),
    newestUndeclined: async (merchantId, orderId, mode) =>
      readFirst(await query(pool, newestUndeclinedOfOrder, [merchantId, orderId, mode === 'test']), paymentFrom),
    transactions: async (merchantId, paymentId) =>
      (await query(pool, listTransactions, [merchantId, paymentId])).map(transactionFrom),
    byUse: async (merchantId, useId) =>
      readFirst(await query(pool, keyedTransaction, [merchantId, useId]), transactionFrom),
    addFacts: async ({ merchantId, paymentId, id }, facts) => {
      await query(pool, addTransactionFacts, [merchantId, paymentId, id, JSON.stringify(facts)])
    },
    findAtMid: async (midId, id) => readFirst(await query(pool, paymentAtMid, [midId, id]), paymentFrom),
    readAtMid: readerAtMid(pool),
    triesOfCard: async (merchantId, cardId) =>
      (await query(pool, triesOfCard, [merchantId, cardId])).map(({ at }) => at),
    newestOfCascade: async (merchantId, firstId) =>
      readFirst(await query(pool, newestAttempt, [merchantId, firstId]), paymentFrom),
  }
}

function readFirst<Row, Value>(rows: readonly Row[], read: (row: Row) => Value): Value | null {
  const [row] = rows
  return row === undefined ? null : read(row)
}

/** The unique index lets only one of two requests with the same idempotency key write its intent. */
async function unlessClash<T>(
  write: () => Promise<T>,
): Promise<T | 'idempotency-clash' | NonNullable<ReturnType<typeof clashOf>>> {
  try {
    return await write()
  } catch (error) {
    if (refusedBy(error) === 'transactions_idempotency') return 'idempotency-clash'
    const clash = clashOf(error)
    if (clash === null) throw error
    return clash
  }
}

function begin(beginning: Beginning, charges: typeof beginCharges): readonly [typeof beginFollowUp, Params] {
  const params = beginningParams(beginning)
  if (!firstStepTypes.includes(beginning.transaction.type)) return [beginFollowUp, params]
  const { payment, transaction, limits = [], try: given } = beginning
  const which = limits.length > 0 ? (given ? 'both' : 'limits') : given ? 'try' : 'plain'
  return [
    charges[which],
    [
      ...params,
      ...chargeParams(beginning),
      ...(limits.length > 0 ? countingParams(limits, transaction.amountMinor, payment.midId) : []),
      ...(given ? tryingParams(given, transaction.createdAt) : []),
    ],
  ]
}

// biome-ignore format: the numbers are the statement's parameters.
function beginningParams({ payment, transaction, sending }: Beginning): Params {
  return [
    /*  1 */ payment.merchantId, payment.id, payment.version,
    /*  4 */ transaction.id, transaction.createdAt, transaction.type, transaction.amountMinor, transaction.midId,
    /*  9 */ json(transaction.parameters), transaction.creditvoidId, transaction.useId, sending.sentBy, sending.inFlightMs,
  ]
}

// biome-ignore format: the numbers are the statement's parameters.
function chargeParams({ payment, authentication }: Beginning): Params {
  return [
    /* 14 */ payment.mappingId, payment.holds, json(payment.routing), payment.aloneInOrder, json(payment.facts),
    /* 19 */ authentication ?? null,
  ]
}
