/** Rows of the outbox as the payment code writes them, for tests of the delivery. */
import { randomUUID } from 'node:crypto'
import { limits } from '#domain/limits.ts'
import type { Pool, Queryable } from '#server/store/database/pool.ts'

export interface PaymentFixture {
  readonly merchantId: string
  readonly paymentId: string
}

export async function insertPayment(
  pool: Queryable,
  fixture: { merchantId?: string; protocol?: string } = {},
): Promise<PaymentFixture> {
  const { merchantId = randomUUID(), protocol = 'S2S_CARD' } = fixture
  const paymentId = randomUUID()
  await pool.query(
    `insert into payments (merchant_id, id, protocol, action, kind, status, test, holds, order_id, order_description,
       amount_minor, amount_decimals, currency, first_transaction, created_at, updated_at)
     values ($1, $2, $3, 'SALE', 'sale', 'SETTLED', false, false, 'ORDER-1', 'An order', 1000, 2, 'EUR', $4, $5, $5)`,
    [merchantId, paymentId, protocol, randomUUID(), madeAt],
  )
  return { merchantId, paymentId }
}

export interface CallbackFixture {
  readonly url: string
  readonly sequence?: number
  readonly body?: string
  readonly retrySeconds?: readonly number[]
  readonly at?: Date
}

/** Due at once; returns the callback's id. */
export async function insertCallback(
  pool: Queryable,
  payment: PaymentFixture,
  fixture: CallbackFixture,
): Promise<string> {
  const { url, sequence = 1, retrySeconds = limits.callback.retrySeconds, at = madeAt } = fixture
  const { body = `trans_id=${payment.paymentId}&number=${sequence}` } = fixture
  const id = randomUUID()
  await pool.query(
    `insert into callbacks (merchant_id, payment_id, sequence, id, transaction_id, url, content_type, body, state, retry_seconds,
       next_at, created_at)
     values ($1, $2, $3, $4, $5, $6, 'application/x-www-form-urlencoded', $7, 'due', $8, $9, $9)`,
    [payment.merchantId, payment.paymentId, sequence, id, randomUUID(), url, body, retrySeconds, at],
  )
  return id
}

interface CallbackRowState {
  readonly state: string
  readonly attempts: number
  readonly next_at: Date | null
  readonly lease_until: Date | null
  readonly ended_at: Date | null
}

export async function callbackState(pool: Pool, id: string): Promise<CallbackRowState> {
  const { rows } = await pool.query<CallbackRowState>(
    'select state, attempts, next_at, lease_until, ended_at from callbacks where id = $1',
    [id],
  )
  const [row] = rows
  if (!row) throw new Error(`There is no callback ${id}.`)
  return row
}

/** The time at which the rows above are created. */
export const madeAt = new Date('2026-03-10T11:51:53.000Z')
