/** The alerts as people read them: open and resolved. */
import { kindsOfSeverity } from '#domain/alert/alert-kinds.ts'
import type { AlertSeverity } from '#domain/alert/alert-severity.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

interface AlertRow {
  readonly id: string
  readonly kind: string
  readonly merchantId: string | null
  readonly paymentId: string | null
  readonly text: string
  readonly raisedAt: Date
  readonly resolvedAt: Date | null
}

const columns = `id, kind, merchant_id as "merchantId", payment_id as "paymentId", text, raised_at as "raisedAt",
  resolved_at as "resolvedAt"`

/**
 * Pages continue after a named alert instead of before a time, because several alerts may have the same time and a page may end between
 * them.
 */
const listAlerts = sql<
  AlertRow,
  readonly [
    readonly string[] | null,
    boolean,
    string | null,
    number,
    string | null,
    readonly string[] | null,
    readonly string[],
  ]
>(
  'alert.list',
  `select ${columns} from alerts
   where ($1::uuid[] is null or merchant_id = any($1)) and (resolved_at is null or not $2)
     and ($3::uuid is null or (raised_at, id) < (select last.raised_at, last.id from alerts last where last.id = $3))
     and ($5::text is null or kind = $5) and ($6::text[] is null or kind = any($6)) and kind <> all($7::text[])
   order by raised_at desc, id desc limit $4`,
)
const findAlert = sql<AlertRow, readonly [string]>('alert.find', `select ${columns} from alerts where id = $1`)
const resolveAlert = sql<{ id: string }, readonly [string, Date]>(
  'alert.resolve',
  'update alerts set resolved_at = $2 where id = $1 and resolved_at is null returning id',
)

interface AlertQuery {
  /** Null for all merchants, and for what concerns none. */
  readonly merchantIds: readonly string[] | null
  readonly openOnly: boolean
  readonly before: string | null
  readonly limit: number
  readonly kind: string | null
  readonly severity: AlertSeverity | null
}

export const alertLog = (on: Queryable) => ({
  /** Newest first, after the alert `before`. */
  list: ({ merchantIds, openOnly, before, limit, kind, severity }: AlertQuery) => {
    const { only, but } = severity === null ? { only: null, but: [] } : kindsOfSeverity(severity)
    return query(on, listAlerts, [merchantIds, openOnly, before, limit, kind, only, but])
  },
  find: async (id: string): Promise<AlertRow | null> => (await query(on, findAlert, [id]))[0] ?? null,
  resolve: async (id: string, at: Date): Promise<boolean> => (await query(on, resolveAlert, [id, at])).length === 1,
})
