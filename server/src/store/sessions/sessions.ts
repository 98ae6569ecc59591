/** Checkout sessions on PostgreSQL. Their outcome is read from their payments; see `openings.ts` for how an attempt is written. */
import type { Sessions } from '../../contracts/session-ports.ts'
import type { SessionKind, SessionOperation, SessionRecord, SessionRequest } from '../../contracts/session-records.ts'
import { columnsOf } from '../database/columns.ts'
import { insertion, json } from '../database/insertion.ts'
import { type Nothing, type Pool, query, sql } from '../database/pool.ts'
import { type PaymentRow, paymentColumns, paymentFrom } from '../payments/payment-rows.ts'

interface SessionRow {
  merchant_id: string
  id: string
  version: number
  kind: SessionKind
  operation: SessionOperation
  test: boolean
  request: SessionRequest
  first_payment: string
  attempts: number
  fields_sealed: Buffer | null
  collection: string | null
  collection_complete: boolean
  expires_at: Date
  created_at: Date
}

// biome-ignore format: a list of names.
const sessionColumns = columnsOf<SessionRow>()([
  'merchant_id', 'id', 'version', 'kind', 'operation', 'test', 'request', 'first_payment', 'attempts',
  'fields_sealed', 'collection', 'collection_complete', 'expires_at', 'created_at',
])

// biome-ignore format: a table is read in columns.
const sessionInsertion = insertion<SessionRecord>('sessions', [
  ['merchant_id',   (session) => session.merchantId],
  ['id',            (session) => session.id],
  ['kind',          (session) => session.kind],
  ['operation',     (session) => session.operation],
  ['test',          (session) => session.mode === 'test'],
  ['order_id',      (session) => session.request.order.number],
  ['request',       (session) => json(session.request)],
  ['first_payment', (session) => session.firstPayment],
  ['expires_at',    (session) => session.expiresAt],
  ['created_at',    (session) => session.createdAt],
  ['updated_at',    (session) => session.createdAt],
])

const addSession = sql<Nothing, readonly unknown[]>('session.add', sessionInsertion.text(1))

const findSession = sql<SessionRow, readonly [string]>(
  'session.find',
  `select ${sessionColumns()} from sessions where id = $1`,
)

const paymentsOfSession = sql<PaymentRow, readonly [string, string]>(
  'session.payments',
  `select ${paymentColumns()} from payments where merchant_id = $1 and session_id = $2 order by id desc`,
)

const changeSession = sql<{ attempts: number }, readonly [string, string, number, string | null, string, Date]>(
  'session.change',
  `update sessions set version = version + 1, request = $4, order_id = $5, updated_at = $6
   where merchant_id = $1 and id = $2 and version = $3 and attempts = 0
   returning attempts`,
)

// Neither the version nor the time of the change: the merchant and the payer have changed nothing. The process that holds the row writes an attempt, which
// counts as an opening, too.
const noteOpening = sql<Nothing, readonly [string, string, Date]>(
  'session.note-opening',
  `with found as (
     select id from sessions where merchant_id = $1 and id = $2 and opened_at is null for update skip locked
   )
   update sessions s set opened_at = $3 from found where s.merchant_id = $1 and s.id = found.id`,
)

// The version is not raised: a payer's input must not make the merchant's update stale.
const beginCollection = sql<Nothing, readonly [string, string, string | null, Date]>(
  'session.begin-collection',
  `with begun as (
     update sessions set fields_sealed = null, collection = $3, collection_complete = false, updated_at = $4
     where merchant_id = $1 and id = $2
     returning id
   )
   delete from session_codes using begun where session_codes.merchant_id = $1 and session_id = begun.id`,
)

type FieldsParams = readonly [string, string, string | null, boolean, Date, Uint8Array | null, Uint8Array | null]

// A code alone leaves number and expiry as they are, and does not depend on them.
const storeFields = `update sessions set fields_sealed = coalesce($7::bytea, fields_sealed), collection_complete = $4, updated_at = $5
     where merchant_id = $1 and id = $2 and collection is not distinct from $3
     and ($7::bytea is null or fields_sealed is not distinct from $6)
     returning id`

const keepFields = sql<{ id: string }, FieldsParams>('session.keep-fields', storeFields)

// The update locks the session's row, so that no other collection begins between the comparison and the code.
const keepCode = sql<{ id: string }, readonly [...FieldsParams, Uint8Array, Date]>(
  'session.keep-code',
  `with session as (
     ${storeFields}
   ), code as (
     insert into session_codes (merchant_id, session_id, sealed, expires_at, collection)
     select $1, id, $8, $9, $3 from session
     on conflict (merchant_id, session_id) do update
     set sealed = excluded.sealed, expires_at = excluded.expires_at, collection = excluded.collection
   )
   select id from session`,
)

const takeCode = sql<{ sealed: Buffer; expires_at: Date }, readonly [string, string, string | null]>(
  'session.take-code',
  `delete from session_codes where merchant_id = $1 and session_id = $2 and collection is not distinct from $3
   returning sealed, expires_at`,
)

const forgetCodes = sql<{ session_id: string }, readonly [Date]>(
  'session.forget-codes',
  'delete from session_codes where expires_at <= $1 returning session_id',
)

export function sessionStore(pool: Pool): Sessions {
  return {
    add: async (session) => {
      await query(pool, addSession, sessionInsertion.values(session))
    },
    find,
    listPayments: async ({ merchantId, id }) =>
      (await query(pool, paymentsOfSession, [merchantId, id])).map(paymentFrom),
    change: async ({ merchantId, id, version }, request, at) => {
      const params = [merchantId, id, version, json(request), request.order.number, at] as const
      if ((await query(pool, changeSession, params)).length === 1) return 'changed'
      return ((await find(id))?.attempts ?? 0) > 0 ? 'begun' : 'stale'
    },
    noteOpening: async ({ merchantId, id }, at) => {
      await query(pool, noteOpening, [merchantId, id, at])
    },
    beginCollection: async ({ merchantId, id }, collection, at) => {
      await query(pool, beginCollection, [merchantId, id, collection, at])
    },
    collect: async (
      { merchantId, id, collection, fieldsSealed: before },
      { fieldsSealed = null, code, isLast },
      at,
    ) => {
      const params: FieldsParams = [merchantId, id, collection, isLast, at, before, fieldsSealed]
      const stored = code
        ? await query(pool, keepCode, [...params, code.sealed, code.until])
        : await query(pool, keepFields, params)
      return stored.length === 1
    },
    takeCode: async ({ merchantId, id, collection }, now) => {
      const [row] = await query(pool, takeCode, [merchantId, id, collection])
      return row && row.expires_at > now ? row.sealed : null
    },
    forgetCodes: async (now) => (await query(pool, forgetCodes, [now])).length,
  }

  async function find(id: string): Promise<SessionRecord | null> {
    const [row] = await query(pool, findSession, [id])
    return row ? sessionFrom(row) : null
  }
}

function sessionFrom(row: SessionRow): SessionRecord {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    version: row.version,
    kind: row.kind,
    operation: row.operation,
    mode: row.test ? 'test' : 'live',
    request: row.request,
    firstPayment: row.first_payment,
    attempts: row.attempts,
    fieldsSealed: row.fields_sealed,
    collection: row.collection,
    isCollectionComplete: row.collection_complete,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }
}
