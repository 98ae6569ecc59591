/**
 * The newest refused requests of each merchant. See decisions/requests#refused-requests.
 *
 * A sender who knows a merchant's key can have requests refused. A process therefore collects refusals for a moment and writes them together,
 * a few of each merchant at most, then removes each merchant's oldest. The rest is dropped. Nothing depends on these rows, so a failed write
 * is dropped as well, and the request does not wait for it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#domain/limits.ts'
import type { Mode, Protocol } from '#domain/merchant.ts'
import type { CheckStep } from '#domain/request-checks.ts'
import type { Ids, Log } from '../../contracts/ports.ts'
import type { RefusedRequest, RefusedRequestLog, RequestRefusal } from '../../contracts/refused-requests.ts'
import { columnsOf } from '../database/columns.ts'
import { type Pool, type Queryable, query, sql } from '../database/pool.ts'

interface Columns {
  merchant_id: string
  id: string
  request_id: string
  side: Mode
  protocol: Protocol | null
  action: string | null
  order_id: string | null
  payment_id: string | null
  step: CheckStep
  at: Date
  refusal: RequestRefusal
}

// biome-ignore format: a list of names.
const refusedColumns = columnsOf<Columns>()([
  'merchant_id', 'id', 'request_id', 'side', 'protocol', 'action', 'order_id', 'payment_id', 'step', 'at', 'refusal',
])

const addRefused = sql<Record<never, never>, readonly [string]>(
  'refused-request.add',
  `insert into refused_requests (${refusedColumns()})
   select ${refusedColumns()} from jsonb_populate_recordset(null::refused_requests, $1::jsonb)`,
)

// Rows that another process is removing are skipped, so that two processes never wait for each other.
const removeOldest = sql<Record<never, never>, readonly [readonly string[], number]>(
  'refused-request.remove-oldest',
  `delete from refused_requests held using (
     select oldest.merchant_id, oldest.id from unnest($1::uuid[]) as merchant (id) cross join lateral (
       select merchant_id, id from refused_requests where merchant_id = merchant.id order by id desc offset $2
       for update skip locked
     ) as oldest
   ) as old where held.merchant_id = old.merchant_id and held.id = old.id`,
)

interface RunningLog extends RefusedRequestLog {
  /** Resolves once everything that was added is written or dropped. */
  flush(): Promise<void>
}

export function refusedRequestLog(pool: Pool, { ids, log }: { readonly ids: Ids; readonly log: Log }): RunningLog {
  const { collectMs, perBatch, ofMerchantPerBatch, ofMerchant } = limits.refusedRequests
  let waiting: Columns[] = []
  let writing: Promise<void> | null = null
  let hurry = new AbortController()

  const writeWaiting = async (): Promise<void> => {
    await sleep(collectMs, undefined, { ref: false, signal: hurry.signal }).catch(() => undefined)
    const rows = waiting
    waiting = []
    try {
      await query(pool, addRefused, [JSON.stringify(rows)])
      await query(pool, removeOldest, [[...new Set(rows.map((row) => row.merchant_id))].toSorted(), ofMerchant])
    } catch (error) {
      log.warn({ err: error }, 'Refused requests could not be stored for the merchants’ developers.')
    }
    writing = waiting.length > 0 ? writeWaiting() : null
  }

  return {
    add: (refused) => {
      const ofSame = waiting.filter((row) => row.merchant_id === refused.merchantId).length
      if (waiting.length >= perBatch || ofSame >= ofMerchantPerBatch) return
      waiting.push(rowOf(refused, ids.next()))
      writing ??= writeWaiting()
    },
    flush: async () => {
      hurry.abort()
      while (writing) await writing
      hurry = new AbortController()
    },
  }
}

export interface RefusedRequestSearch {
  /** Null for all merchants. */
  readonly merchantIds: readonly string[] | null
  readonly mode?: Mode | undefined
  readonly requestId?: string | undefined
  readonly orderId?: string | undefined
  readonly paymentId?: string | undefined
  /** The id of the last request on the previous page. */
  readonly before?: string | undefined
  readonly limit: number
}

type Found = Columns & { merchant: string }

const findRefused = sql<
  Found,
  readonly [readonly string[] | null, string | null, string | null, string | null, number, Mode | null, string | null]
>(
  'refused-request.find',
  `select ${refusedColumns('r')}, m.name as merchant from refused_requests r join merchants m on m.id = r.merchant_id
   where ($1::uuid[] is null or r.merchant_id = any($1)) and ($2::text is null or r.request_id = $2)
     and ($3::text is null or r.order_id = $3) and ($4::uuid is null or r.payment_id = $4)
     and ($6::text is null or r.side = $6)
     and ($7::uuid is null or (r.at, r.id) < (select last.at, last.id from refused_requests last where last.id = $7 limit 1))
   order by r.at desc, r.id desc limit $5`,
)

export interface FoundRefusal extends RefusedRequest {
  readonly id: string
  /** Its name. */
  readonly merchant: string
}

/** The newest first. */
export async function findRefusedRequests(
  on: Queryable,
  { merchantIds, mode, requestId, orderId, paymentId, before, limit }: RefusedRequestSearch,
): Promise<readonly FoundRefusal[]> {
  const rows = await query(on, findRefused, [
    merchantIds,
    requestId ?? null,
    orderId ?? null,
    paymentId ?? null,
    limit,
    mode ?? null,
    before ?? null,
  ])
  return rows.map((row) => ({
    id: row.id,
    merchant: row.merchant,
    merchantId: row.merchant_id,
    mode: row.side,
    requestId: row.request_id,
    protocol: row.protocol,
    action: row.action,
    orderId: row.order_id,
    paymentId: row.payment_id,
    step: row.step,
    at: row.at,
    refusal: row.refusal,
  }))
}

const rowOf = (refused: RefusedRequest, id: string): Columns => ({
  merchant_id: refused.merchantId,
  id,
  request_id: refused.requestId,
  side: refused.mode,
  protocol: refused.protocol,
  action: refused.action,
  order_id: refused.orderId,
  payment_id: refused.paymentId,
  step: refused.step,
  at: refused.at,
  refusal: refused.refusal,
})
