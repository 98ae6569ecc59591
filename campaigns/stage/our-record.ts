/** The gateway's record, read directly from its tables. */
import type { Pool } from '#server/store/database/pool.ts'

export interface PaymentRow {
  readonly id: string
  readonly order_id: string
  readonly kind: string
  readonly status: string
  readonly authorised_minor: bigint
  readonly captured_minor: bigint
  readonly refunded_minor: bigint
  readonly callbacks_made: number
  /** Made by a plan, under the order of the payment that started it. */
  readonly planned: boolean
  /** Its number in a cascade, from 1. */
  readonly attempt: number
  /** Another attempt followed it, so its end is not called back. */
  readonly continued: boolean
}

export interface TransactionRow {
  readonly id: string
  readonly payment_id: string
  readonly type: string
  readonly state: string
  readonly amount_minor: bigint
  /** The name of the MID over which it went. */
  readonly mid: string
}

interface PostingRow {
  readonly payment_id: string
  readonly transaction_id: string
  readonly from_account: string
  readonly to_account: string
  readonly amount_minor: bigint
}

interface CallbackRow {
  readonly payment_id: string
  readonly transaction_id: string
  readonly sequence: number
  readonly state: string
  readonly body: string
}

export interface OurRecord {
  readonly payments: readonly PaymentRow[]
  readonly transactions: readonly TransactionRow[]
  readonly postings: readonly PostingRow[]
  readonly callbacks: readonly CallbackRow[]
}

export async function ourRecord(pool: Pool): Promise<OurRecord> {
  const [payments, transactions, postings, callbacks] = await Promise.all([
    pool.query<PaymentRow>(
      `select id, order_id, kind, status, authorised_minor, captured_minor, refunded_minor, callbacks_made,
         plan_date is not null as planned, attempt, cascading is not distinct from 'continued' as continued
       from payments order by id`,
    ),
    pool.query<TransactionRow>(
      `select t.id, payment_id, type, state, amount_minor, coalesce(mids.name, 'no MID') as mid
       from transactions t left join mids on mids.id = t.mid_id order by t.created_at, t.id`,
    ),
    pool.query<PostingRow>(
      'select payment_id, transaction_id, from_account, to_account, amount_minor from ledger_entries order by at, position',
    ),
    pool.query<CallbackRow>(
      'select payment_id, transaction_id, sequence, state, body from callbacks order by payment_id, sequence',
    ),
  ])
  return {
    payments: payments.rows,
    transactions: transactions.rows,
    postings: postings.rows,
    callbacks: callbacks.rows,
  }
}

interface UnfinishedWork {
  /** Transactions with an unknown outcome, and cascades between two attempts. */
  readonly open: number
  /** Callbacks not yet delivered. */
  readonly due: number
}

export async function countUnfinished(pool: Pool): Promise<UnfinishedWork> {
  const { rows } = await pool.query<{ open: number; due: number }>(
    `select (select count(*)::int from transactions where state in ('sent', 'waiting', 'undefined'))
              + (select count(*)::int from open_cascades) as open,
            (select count(*)::int from callbacks where state = 'due') as due`,
  )
  return rows[0] ?? { open: 0, due: 0 }
}
