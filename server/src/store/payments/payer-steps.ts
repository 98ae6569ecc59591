/** Payer steps: where payers were sent. They are found by the payment's id alone, and each can be used once. */
import type { PayerSteps } from '../../contracts/ports.ts'
import type { JsonObject, PayerStep } from '../../contracts/records.ts'
import { claim, claimRows } from '../database/buckets.ts'
import { columnsOf } from '../database/columns.ts'
import { databaseNow, type Holder, isFreeIf, lease } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'

interface Row {
  merchant_id: string
  payment_id: string
  transaction_id: string
  kind: '3DS' | 'REDIRECT'
  url: string
  method: 'GET' | 'POST'
  params: Record<string, string>
  mpi: JsonObject
  fields: Record<string, string> | null
  state: 'waiting' | 'returned' | 'expired'
  stored_until: Date | null
  expires_at: Date
  created_at: Date
}

interface StoredRow extends Row {
  given_out: number
}

// biome-ignore format: a list of names.
export const stepColumns = columnsOf<Row>()([
  'merchant_id', 'payment_id', 'transaction_id', 'kind', 'url', 'method', 'params', 'mpi', 'fields', 'state',
  'stored_until', 'expires_at', 'created_at',
])

/** The previous release marks a form that it handed out only by the time. */
const handedOut = (of: string): string => `greatest(${of}.given_out, (${of}.given_out_at is not null)::integer)`
const storedColumns = (of: string): string => `${stepColumns(of)}, ${handedOut(of)} as given_out`

const newestStep = sql<StoredRow, readonly [string, string]>(
  'payer-step.newest',
  `select ${storedColumns('payer_steps')} from payer_steps where merchant_id = $1 and payment_id = $2
   order by created_at desc, transaction_id desc limit 1`,
)

/** A one-time address contains the payment's id alone. */
const newestById = sql<StoredRow, readonly [string]>(
  'payer-step.newest-by-id',
  `select ${storedColumns('payer_steps')} from payer_steps where payment_id = $1 order by created_at desc, transaction_id desc limit 1`,
)

/**
 * Of two returns only one gets the row; it also ends the REDIRECT transaction that status queries list. From then on the process that ended
 * the step holds the lease on the payment; when the lease ends, the reconciler queries the acquirer.
 */
const endStep = sql<
  { transaction_id: string },
  readonly [string, string, string, 'returned' | 'expired', Date, number, Holder, string]
>(
  'payer-step.end',
  `with ended as (
     update payer_steps set state = $4, ended_at = $5, lease_until = null, fields = $8
     where merchant_id = $1 and payment_id = $2 and transaction_id = $3 and state = 'waiting'
     returning transaction_id
   ), listed as (
     update transactions set state = case $4 when 'returned' then 'success' else 'fail' end, ended_at = $5
     from ended where merchant_id = $1 and payment_id = $2 and type = 'REDIRECT' and state = 'waiting'
   ), asked as (
     update transactions set ask_at = ${databaseNow}, ${lease('$6', '$7')}
     from ended where merchant_id = $1 and payment_id = $2 and id = $3 and state = 'waiting'
   )
   select transaction_id from ended`,
)

const moveStep = sql<Record<never, never>, readonly [string, string, string, string, string, string, string]>(
  'payer-step.move',
  `update payer_steps set url = $4, method = $5, params = $6, mpi = $7
   where merchant_id = $1 and payment_id = $2 and transaction_id = $3 and state = 'waiting'`,
)

/** An address works once, and not after a later one was used. The first is short-lived; the others last as long as the step. */
const giveOut = sql<StoredRow, readonly [string, Date, number, string]>(
  'payer-step.give-out',
  `update payer_steps set given_out_at = $2, given_out = $3 + 1
   where merchant_id = $4 and payment_id = $1 and state = 'waiting' and ${handedOut('payer_steps')} <= $3
     and case when $3 = 0 then stored_until >= $2 else stored_until is not null and expires_at > $2 end
   returning ${storedColumns('payer_steps')}`,
)

const claimExpired = claim<StoredRow, readonly [Date, number, number, Holder]>('payer-step.claim-expired', {
  width: 4,
  due: "payer_steps where state = 'waiting' and expires_at <= $1",
  text: ({ inBucket, isGone }) => `with due as (
     select merchant_id, payment_id, transaction_id from payer_steps
     where state = 'waiting' and expires_at <= $1 and ${isFreeIf(isGone('leased_by'))}${inBucket()}
     order by expires_at limit $2
     for update skip locked
   )
   update payer_steps step set ${lease('$3', '$4')}
   from due
   where step.merchant_id = due.merchant_id and step.payment_id = due.payment_id and step.transaction_id = due.transaction_id${inBucket('step')}
   returning ${storedColumns('step')}`,
})

export function payerStepStore(pool: Pool, holder: Holder = null): PayerSteps {
  return {
    findNewest: async ({ merchantId, id }) => {
      const [row] = await query(pool, newestStep, [merchantId, id])
      return row ? stepFrom(row) : null
    },
    findNewestById: async (paymentId) => {
      const [row] = await query(pool, newestById, [paymentId])
      return row ? stepFrom(row) : null
    },
    end: async ({ merchantId, paymentId, transactionId, fields }, state, at, leaseSeconds) => {
      const key = [merchantId, paymentId, transactionId] as const
      const ended = await query(pool, endStep, [...key, state, at, leaseSeconds, holder, JSON.stringify(fields)])
      return ended.length === 1
    },
    move: async ({ merchantId, paymentId, transactionId }, { url, method, params, mpi }) => {
      const to = [url, method, JSON.stringify(params), JSON.stringify(mpi)] as const
      await query(pool, moveStep, [merchantId, paymentId, transactionId, ...to])
    },
    giveOut: async ({ merchantId, id }, issue, now) => {
      const [row] = await query(pool, giveOut, [id, now, issue, merchantId])
      return row ? stepFrom(row) : null
    },
    claimExpired: async (now, limit, leaseSeconds) =>
      (await claimRows(pool, claimExpired, { now, limit }, (most) => [now, most, leaseSeconds, holder])).map(stepFrom),
  }
}

/** With the columns' names, for an insert by `jsonb_populate_record`. */
export const stepRow = (step: PayerStep) => ({
  merchant_id: step.merchantId,
  payment_id: step.paymentId,
  transaction_id: step.transactionId,
  kind: step.kind,
  url: step.url,
  method: step.method,
  params: step.params,
  mpi: step.mpi,
  fields: step.fields,
  state: step.state,
  stored_until: step.storedUntil,
  expires_at: step.expiresAt,
  created_at: step.createdAt,
})

const stepFrom = (row: StoredRow): PayerStep => ({
  merchantId: row.merchant_id,
  paymentId: row.payment_id,
  transactionId: row.transaction_id,
  kind: row.kind,
  url: row.url,
  method: row.method,
  params: row.params,
  mpi: row.mpi,
  fields: row.fields ?? {},
  listedAs: null,
  state: row.state,
  storedUntil: row.stored_until,
  givenOut: row.given_out,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})
