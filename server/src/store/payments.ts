/** Payments and their transactions on PostgreSQL: one statement for the intent, one for the outcome. */
import { DatabaseError } from 'pg'
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { Payments } from '../ports.ts'
import type { Beginning, Opening, Settlement } from '../records.ts'
import { json } from './insertion.ts'
import { stepRow } from './payer-steps.ts'
import {
  cardInsertion,
  type PaymentRow,
  paymentFrom,
  paymentInsertion,
  type TransactionRow,
  transactionFrom,
  transactionInsertion,
} from './payment-rows.ts'
import { type Pool, query, type Statement, sql } from './pool.ts'

type Params = readonly unknown[]
type Nothing = Record<never, never>

const afterPayment = 1 + paymentInsertion.width
const afterTransaction = afterPayment + transactionInsertion.width

const openPayment = sql<Nothing, Params>(
  'payment.open',
  `with payment as (${paymentInsertion.text(1)})
   ${transactionInsertion.text(afterPayment)}`,
)

/** The card's id is its fingerprint, so that a card seen before is simply there already. */
const openCardPayment = sql<Nothing, Params>(
  'payment.open-with-card',
  `with payment as (${paymentInsertion.text(1)}),
     card as (${cardInsertion.text(afterTransaction)} on conflict do nothing)
   ${transactionInsertion.text(afterPayment)}`,
)

const beginTransaction = sql<{ version: number }, Params>(
  'transaction.begin',
  `with changed as (
     update payments set version = version + 1, open_transaction = $4, updated_at = $5,
       first_transaction = case when $6 = any($14::text[]) then $4 else first_transaction end
     where merchant_id = $1 and id = $2 and version = $3 and open_transaction is null
     returning version
   ), begun as (
     insert into transactions (merchant_id, payment_id, id, type, state, amount_minor, mid_id, parameters, creditvoid_id,
       idempotency_use, sent_by, ask_at, created_at)
     select $1, $2, $4, $6, 'sent', $7, $8, $9, $10, $11, $12, $13, $5 from changed
   )
   select version from changed`,
)

const settleText = (extra = '') =>
  `with changed as (
     update payments set version = version + 1, status = $4, authorised_minor = $5, captured_minor = $6, refunded_minor = $7,
       charged_back_minor = $8, financial_day = $9, decline_reason = $10, decline_class = $11, reference = $12, facts = $13,
       open_transaction = $14, callbacks_made = callbacks_made + (case when $24::uuid is null then 0 else 1 end), updated_at = $15
     where merchant_id = $1 and id = $2 and version = $3
     returning version, callbacks_made
   ), ended as (
     update transactions set state = $17, reference = $18, facts = $19, decline_reason = $20, decline_class = $21, ask_at = $22,
       ended_at = $23, lease_until = null
     from changed where merchant_id = $1 and payment_id = $2 and id = $16
   ), entries as (
     insert into ledger_entries (merchant_id, payment_id, transaction_id, position, from_account, to_account, currency, amount_minor, at)
     select $1, $2, $16, entry.position, entry.from_account, entry.to_account, $29, entry.amount, $15
     from changed, unnest($30::text[], $31::text[], $32::bigint[]) with ordinality as entry (from_account, to_account, amount, position)
   ), token as (
     insert into card_tokens (merchant_id, token, card_id, test, credentials, first_name, last_name, created_at)
     select $1, $33, $34, $35, $36, $37, $38, $15 from changed where $33::text is not null
     on conflict (merchant_id, token) do update set credentials = card_tokens.credentials || excluded.credentials
       where excluded.credentials <> '{}'
   ), callback as (
     insert into callbacks (merchant_id, payment_id, sequence, id, transaction_id, url, content_type, body, state, retry_seconds,
       next_at, created_at)
     select $1, $2, changed.callbacks_made, $24, $16, $25, $26, $27, 'due', $28, $15, $15 from changed where $24::uuid is not null
   )${extra}
   select version from changed`

type Settled = { version: number }

const settleTransaction = sql<Settled, Params>('transaction.settle', settleText())

/** The payer is sent away: where to, and a row for the step itself, which look-ups list. */
const settleWithStep = sql<Settled, Params>(
  'transaction.settle-with-step',
  settleText(`, step as (
     insert into payer_steps select given.* from changed, jsonb_populate_record(null::payer_steps, $39) as given
   ), listed as (
     insert into transactions (merchant_id, payment_id, id, type, state, amount_minor, mid_id, created_at)
     select $1, $2, $40, 'REDIRECT', 'waiting', $41, $42, $15 from changed where $40::uuid is not null
   )`),
)

/** The first payment of a chain succeeded. */
const settleWithChain = sql<Settled, Params>(
  'transaction.settle-with-chain',
  settleText(`, chain as (
     insert into chains (merchant_id, id, first_payment, kind, network_transaction_id, created_at)
     select $1, $39, $2, $40, $41, $15 from changed
     on conflict do nothing
   )`),
)

const findPayment = sql<PaymentRow, readonly [string, string]>(
  'payment.find',
  'select * from payments where merchant_id = $1 and id = $2',
)

const newestPayment = sql<PaymentRow, readonly [string, string, boolean]>(
  'payment.newest-of-order',
  'select * from payments where merchant_id = $1 and order_id = $2 and test = $3 order by id desc limit 1',
)

const listTransactions = sql<TransactionRow, readonly [string, string]>(
  'transaction.list',
  'select * from transactions where merchant_id = $1 and payment_id = $2 order by created_at, id',
)

const keyedTransaction = sql<TransactionRow, readonly [string, string]>(
  'transaction.by-use',
  'select * from transactions where merchant_id = $1 and idempotency_use = $2',
)

export function paymentStore(pool: Pool): Payments {
  return {
    open: (opening) =>
      guarded(async () => {
        await query(pool, opening.card ? openCardPayment : openPayment, openingParams(opening))
        return 'opened' as const
      }),
    begin: (beginning) =>
      guarded(async () => {
        const rows = await query(pool, beginTransaction, beginningParams(beginning))
        return rows.length === 1 ? 'begun' : 'stale'
      }),
    settle: async (settlement) => {
      const rows = await query(pool, ...settling(settlement))
      return rows.length === 1 ? 'settled' : 'stale'
    },
    find: async (merchantId, id) => only(await query(pool, findPayment, [merchantId, id]), paymentFrom),
    newestOfOrder: async (merchantId, orderId, side) =>
      only(await query(pool, newestPayment, [merchantId, orderId, side === 'test']), paymentFrom),
    transactions: async (merchantId, paymentId) =>
      (await query(pool, listTransactions, [merchantId, paymentId])).map(transactionFrom),
    byUse: async (merchantId, useId) => only(await query(pool, keyedTransaction, [merchantId, useId]), transactionFrom),
  }
}

function only<Row, Value>(rows: readonly Row[], read: (row: Row) => Value): Value | null {
  const [row] = rows
  return row === undefined ? null : read(row)
}

/** Two requests with one idempotency key: the index lets only one write its intent. */
async function guarded<T>(write: () => Promise<T>): Promise<T | 'idempotency-clash'> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === 'transactions_idempotency') return 'idempotency-clash'
    throw error
  }
}

function openingParams({ payment, card, transaction, sentBy, askAt }: Opening): Params {
  return [
    ...paymentInsertion.values(payment),
    ...transactionInsertion.values({ ...transaction, sentBy, askAt }),
    ...(card ? cardInsertion.values({ ...card, createdAt: payment.createdAt }) : []),
  ]
}

function settling(settlement: Settlement): readonly [Statement<Settled, Params>, Params] {
  const { step, chain, transaction } = settlement
  const params = settlementParams(settlement)
  if (step) {
    const listed = step.kind === 'REDIRECT' ? step.listedAs : null
    return [settleWithStep, [...params, json(stepRow(step)), listed, transaction.amountMinor, transaction.midId]]
  }
  if (chain) return [settleWithChain, [...params, chain.id, chain.kind, chain.networkTransactionId]]
  return [settleTransaction, params]
}

// biome-ignore format: the numbers are the statement's parameters.
function beginningParams({ payment, transaction, sentBy, askAt }: Beginning): Params {
  return [
    /*  1 */ payment.merchantId, payment.id, payment.version,
    /*  4 */ transaction.id, transaction.createdAt, transaction.type, transaction.amountMinor, transaction.midId,
    /*  9 */ json(transaction.parameters), transaction.creditvoidId, transaction.useId, sentBy, askAt,
    /* 14 */ firstStepTypes,
  ]
}

// biome-ignore format: the numbers are the statement's parameters.
function settlementParams({ before, after, transaction, askAt, entries, callback, token, at }: Settlement): Params {
  return [
    /*  1 */ before.merchantId, before.id, before.version,
    /*  4 */ after.status, after.authorisedMinor, after.capturedMinor, after.refundedMinor, after.chargedBackMinor,
    /*  9 */ after.financialDay, after.declineReason, after.declineClass, after.reference, json(after.facts), after.openTransaction, at,
    /* 16 */ transaction.id, transaction.state, transaction.reference, json(transaction.facts), transaction.declineReason,
    /* 21 */ transaction.declineClass, askAt, transaction.endedAt,
    /* 24 */ callback?.id ?? null, callback?.url ?? null, callback?.contentType ?? null, callback?.body ?? null, callback?.retrySeconds ?? null,
    /* 29 */ after.currency, entries.map((entry) => entry.from), entries.map((entry) => entry.to), entries.map((entry) => entry.amountMinor),
    /* 33 */ token?.token ?? null, token?.cardId ?? null, token?.test ?? null, json(token?.credentials ?? {}), token?.firstName ?? null, token?.lastName ?? null,
  ]
}
