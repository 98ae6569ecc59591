/** The audit log: append-only. The caller computes the hashes. */
import { columnsOf } from '../database/columns.ts'
import { type Nothing, type PoolClient, type Queryable, query, sql } from '../database/pool.ts'

export interface AuditRow {
  readonly seq: bigint
  readonly at: Date
  /** An e-mail address, `command line (user@machine)`, or `nobody`. */
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly merchantId: string | null
  /** JSON as text. */
  readonly before: string | null
  readonly after: string | null
  readonly address: string | null
  readonly previousHash: string
  readonly hash: string
}

export interface AuditFilter {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly subject?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** Null includes entries of all merchants and of the platform. */
  readonly merchantIds: readonly string[] | null
}

interface Columns {
  seq: bigint
  at: Date
  actor: string
  action: string
  subject: string
  merchant_id: string | null
  before: string | null
  after: string | null
  address: string | null
  previous_hash: string
  hash: string
}

// biome-ignore format: a list of names.
const auditColumns = columnsOf<Columns>()([
  'seq', 'at', 'actor', 'action', 'subject', 'merchant_id', 'before', 'after', 'address', 'previous_hash', 'hash',
])

/** Held until the transaction ends, so that no two entries follow the same one. */
const lockChain = sql<Nothing>('audit.lock', `select pg_advisory_xact_lock(hashtext('gatehouse.audit'))`)
const chainHead = sql<{ seq: bigint; hash: string }>(
  'audit.head',
  'select seq, hash from audit_log order by seq desc limit 1',
)
const appendEntry = sql<Nothing, readonly unknown[]>(
  'audit.append',
  `insert into audit_log (seq, at, actor, action, subject, merchant_id, before, after, address, previous_hash, hash)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)
const walkEntries = sql<Columns, readonly [bigint, number]>(
  'audit.walk',
  `select ${auditColumns()} from audit_log where seq > $1 order by seq limit $2`,
)

/** Call inside a transaction: the chain stays locked until it ends. */
export async function lockChainEnd(
  client: PoolClient,
): Promise<{ readonly seq: bigint; readonly hash: string } | null> {
  await query(client, lockChain, [])
  return (await query(client, chainHead, []))[0] ?? null
}

export async function appendAudit(client: PoolClient, row: AuditRow): Promise<void> {
  const { seq, at, actor, action, subject, merchantId, before, after, address, previousHash, hash } = row
  await query(client, appendEntry, [
    seq,
    at,
    actor,
    action,
    subject,
    merchantId,
    before,
    after,
    address,
    previousHash,
    hash,
  ])
}

/** Newest first, entries before `before`. */
export async function listAuditPage(
  on: Queryable,
  { actor, action, subject, from, to, merchantIds }: AuditFilter,
  before: bigint | null,
  limit: number,
): Promise<readonly AuditRow[]> {
  const conditions: string[] = []
  const values: unknown[] = []
  const where = (value: unknown, condition: (place: string) => string): void => {
    if (value === undefined || value === null) return
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  // "command line" matches all its users, whose names follow in brackets.
  where(actor, (place) => `(actor = ${place} or starts_with(actor, ${place} || ' ('))`)
  // "merchant" matches every action on merchants.
  where(action, (place) => `(action = ${place} or starts_with(action, ${place} || '.'))`)
  where(subject, (place) => `subject = ${place}`)
  where(from, (place) => `at >= ${place}`)
  where(to, (place) => `at < ${place}`)
  where(merchantIds, (place) => `merchant_id = any(${place}::uuid[])`)
  where(before, (place) => `seq < ${place}`)
  const text = `select ${auditColumns()} from audit_log ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
    order by seq desc limit ${limit}`
  // Unnamed, because each combination of filters needs its own plan.
  const { rows } = await on.query<Columns>(text, values)
  return rows.map(auditFrom)
}

const walkedAtOnce = 1000

/** The whole log, oldest first, read in pages. */
export async function* readAuditEntries(on: Queryable): AsyncIterable<AuditRow> {
  let after = 0n
  for (;;) {
    const rows = await query(on, walkEntries, [after, walkedAtOnce])
    yield* rows.map(auditFrom)
    const last = rows.at(-1)
    if (last === undefined || rows.length < walkedAtOnce) return
    after = last.seq
  }
}

const auditFrom = (row: Columns): AuditRow => ({
  seq: row.seq,
  at: row.at,
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  merchantId: row.merchant_id,
  before: row.before,
  after: row.after,
  address: row.address,
  previousHash: row.previous_hash,
  hash: row.hash,
})
