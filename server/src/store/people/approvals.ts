/** Requests of one person that another person must approve. */
import type { JsonObject } from '../../contracts/records.ts'
import { columnsOf } from '../database/columns.ts'
import { json } from '../database/insertion.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

export const approvalKinds = [
  'refund',
  'password-reveal',
  'routing-publish',
  'outcome',
  'give-back',
  'difference',
  'factor-reset',
  'payout-run',
  'correction',
  'payout-account',
  'user-rights',
  'dispute',
] as const
export type ApprovalKind = (typeof approvalKinds)[number]
/** Kinds that belong to the platform, whichever merchant they concern. */
export const platformKinds: readonly ApprovalKind[] = ['routing-publish', 'difference', 'payout-run']
export type ApprovalState = 'waiting' | 'approved' | 'done' | 'refused' | 'withdrawn' | 'failed'

export interface ApprovalRow {
  readonly id: string
  readonly kind: ApprovalKind
  readonly merchantId: string | null
  readonly subject: string
  readonly request: JsonObject
  readonly reason: string
  readonly askedBy: string
  readonly askedAt: Date
  readonly expiresAt: Date
  readonly state: ApprovalState
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly note: string | null
  readonly result: JsonObject | null
}

type WaitingRequest = Pick<ApprovalRow, 'id' | 'subject' | 'askedBy' | 'askedAt'>
/** A request for the same as another, asked later. */
export type LaterRequest = Pick<ApprovalRow, 'id' | 'state' | 'askedBy' | 'askedAt'> & { readonly earlierId: string }

interface Columns {
  id: string
  kind: ApprovalKind
  merchant_id: string | null
  subject: string
  request: JsonObject
  reason: string
  asked_by: string
  asked_at: Date
  expires_at: Date
  state: ApprovalState
  decided_by: string | null
  decided_at: Date | null
  note: string | null
  result: JsonObject | null
}

// biome-ignore format: a list of names.
const approvalColumns = columnsOf<Columns>()([
  'id', 'kind', 'merchant_id', 'subject', 'request', 'reason', 'asked_by', 'asked_at', 'expires_at', 'state',
  'decided_by', 'decided_at', 'note', 'result',
])

const askApproval = sql<{ id: string }, readonly unknown[]>(
  'approval.ask',
  `insert into approvals (id, kind, merchant_id, subject, request, reason, asked_by, asked_at, expires_at, state)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'waiting') on conflict do nothing returning id`,
)
/** An approved request for exactly this, whose action has not ended. A password that may be revealed waits for the person who asked. */
const findUnfinished = sql<{ id: string }, readonly [ApprovalKind, string | null, string | null]>(
  'approval.find-unfinished',
  `select id from approvals where state = 'approved' and kind = $1 and kind <> 'password-reveal'
     and merchant_id is not distinct from $2 and request = $3::jsonb limit 1`,
)
/**
 * A correction asked for before decisions/corrections#equal-corrections has a subject of its own, so that what is asked for is compared,
 * too. Later requests have greater ids.
 */
const listLater = sql<LaterRequest, readonly [readonly string[], Date, number]>(
  'approval.list-later',
  `select a.id as "earlierId", l.id, l.state, l.asked_by as "askedBy", l.asked_at as "askedAt"
   from approvals a cross join lateral (
     select id, state, asked_by, asked_at from approvals b
     where b.kind = a.kind and b.merchant_id is not distinct from a.merchant_id and b.id > a.id
       and (b.subject = a.subject or b.request = a.request)
       and (b.state in ('approved', 'done') or b.state = 'waiting' and b.expires_at > $2)
     order by b.id desc limit $3) l
   where a.id = any($1::uuid[]) order by l.id desc`,
)
/** A waiting request for something else about the same subject gives way. */
const replaceApproval = sql<{ id: string }, readonly [string, string, string | null, Date, string]>(
  'approval.replace',
  `update approvals set state = 'withdrawn', decided_by = asked_by, decided_at = $4, note = $5
   where kind = $1 and subject = $2 and state = 'waiting' and request <> $3::jsonb returning id`,
)
const findApproval = sql<Columns, readonly [string]>(
  'approval.find',
  `select ${approvalColumns()} from approvals where id = $1`,
)
const lockApproval = sql<Columns, readonly [string]>(
  'approval.lock',
  `select ${approvalColumns()} from approvals where id = $1 for update`,
)
const listApprovals = sql<
  Columns,
  readonly [readonly string[] | null, string | null, string, number, readonly ApprovalKind[], Date | null]
>(
  'approval.list',
  `select ${approvalColumns()} from approvals
   where ($1::uuid[] is null or (merchant_id = any($1) and kind <> all($5))) and ($2::text is null or state = $2) and id < $3
     and ($6::timestamptz is null or kind <> 'password-reveal' and decided_at <= $6)
   order by id desc limit $4`,
)
const waitingAbout = sql<WaitingRequest, readonly [ApprovalKind, readonly string[], Date]>(
  'approval.waiting-about',
  `select id, subject, asked_by as "askedBy", asked_at as "askedAt" from approvals
   where state = 'waiting' and kind = $1 and subject = any($2::text[]) and expires_at > $3`,
)
const countWaiting = sql<
  { readonly count: number },
  readonly [readonly string[] | null, readonly ApprovalKind[], readonly ApprovalKind[], readonly string[], Date, Date]
>(
  'approval.count-waiting',
  `select count(*)::int as count from approvals
   where ($1::uuid[] is null or (merchant_id = any($1) and kind <> all($2))) and kind = any($3)
     and (state = 'waiting' and asked_by <> all($4::uuid[]) and expires_at > $5
       or state = 'approved' and kind <> 'password-reveal' and decided_at <= $6)`,
)
/** Decides only a pending request, before it expires, and never by its requester. Of two simultaneous decisions one succeeds. */
const decideApproval = sql<{ id: string }, readonly [string, string, string, Date, string | null]>(
  'approval.decide',
  `update approvals set state = $2, decided_by = $3, decided_at = $4, note = $5
   where id = $1 and state = 'waiting' and expires_at > $4 and ($2 = 'withdrawn') = (asked_by = $3) returning id`,
)
const endApproval = sql<{ id: string }, readonly [string, string, string | null]>(
  'approval.end',
  `update approvals set state = $2, result = $3 where id = $1 and state = 'approved' returning id`,
)
/** A request that was not decided in time no longer blocks a new one. */
const lapse = sql<Nothing, readonly [Date]>(
  'approval.lapse',
  `update approvals set state = 'withdrawn', decided_by = asked_by, decided_at = expires_at, note = 'It was not decided in time.'
   where state = 'waiting' and expires_at <= $1`,
)

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const approvalStore = (on: Queryable) => ({
  /** False if an identical request is already waiting. */
  ask: async (
    approval: Omit<ApprovalRow, 'state' | 'decidedBy' | 'decidedAt' | 'note' | 'result'>,
  ): Promise<boolean> => {
    const { id, kind, merchantId, subject, request, reason, askedBy, askedAt, expiresAt } = approval
    await query(on, lapse, [askedAt])
    const values = [id, kind, merchantId, subject, json(request), reason, askedBy, askedAt, expiresAt]
    return (await query(on, askApproval, values)).length === 1
  },
  /** The ids of the waiting requests that this one replaces. */
  replace: async (
    { kind, subject, request, askedAt }: Pick<ApprovalRow, 'kind' | 'subject' | 'request' | 'askedAt'>,
    note: string,
  ): Promise<readonly string[]> =>
    (await query(on, replaceApproval, [kind, subject, json(request), askedAt, note])).map(({ id }) => id),
  /** Whether an identical request was approved and has not ended: it is being carried out, or was left. */
  isUnfinished: async ({
    kind,
    merchantId,
    request,
  }: Pick<ApprovalRow, 'kind' | 'merchantId' | 'request'>): Promise<boolean> =>
    (await query(on, findUnfinished, [kind, merchantId, json(request)])).length > 0,
  /** For each of the requests the newest later ones about the same subject or for the same, unless they came to nothing. */
  listLater: async (ids: readonly string[], now: Date, limit: number): Promise<readonly LaterRequest[]> =>
    ids.length === 0 ? [] : await query(on, listLater, [ids, now, limit]),
  find: async (id: string): Promise<ApprovalRow | null> => {
    const [row] = await query(on, findApproval, [id])
    return row ? approvalFrom(row) : null
  },
  /** Until the end of the transaction no other process can decide or end it. */
  lock: async (id: string): Promise<ApprovalRow | null> => {
    const [row] = await query(on, lockApproval, [id])
    return row ? approvalFrom(row) : null
  },
  list: async (of: {
    readonly merchantIds: readonly string[] | null
    readonly state: ApprovalState | null
    /** Only what can have been left, because it was decided by then. */
    readonly leftSince: Date | null
    readonly before?: string | undefined
    readonly limit: number
  }): Promise<readonly ApprovalRow[]> => {
    const values = [of.merchantIds, of.state, of.before ?? lastId, of.limit, platformKinds, of.leftSince] as const
    return (await query(on, listApprovals, values)).map(approvalFrom)
  },
  /** The requests that wait about some of the subjects; at most one each. */
  findWaitingAbout: async (
    kind: ApprovalKind,
    subjects: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, WaitingRequest>> => {
    const requests = subjects.length === 0 ? [] : await query(on, waitingAbout, [kind, subjects, now])
    return new Map(requests.map((one) => [one.subject, one]))
  },
  /** Requests of the kinds that others than these users asked for, and those that were left after their approval. */
  countWaiting: async (of: {
    readonly notOf: readonly string[]
    readonly kinds: readonly ApprovalKind[]
    readonly merchantIds: readonly string[] | null
    readonly now: Date
    readonly leftAfterMs: number
  }): Promise<number> => {
    const leftSince = new Date(of.now.getTime() - of.leftAfterMs)
    const values = [of.merchantIds, platformKinds, of.kinds, of.notOf, of.now, leftSince] as const
    return (await query(on, countWaiting, values))[0]?.count ?? 0
  },
  decide: async (
    id: string,
    decided: {
      readonly state: 'approved' | 'refused' | 'withdrawn'
      readonly by: string
      readonly at: Date
      readonly note: string | null
    },
  ): Promise<boolean> =>
    (await query(on, decideApproval, [id, decided.state, decided.by, decided.at, decided.note])).length === 1,
  /** Records once whether the approved action succeeded or failed. */
  end: async (id: string, state: 'done' | 'failed', result: JsonObject | null): Promise<boolean> =>
    (await query(on, endApproval, [id, state, json(result)])).length === 1,
})

const approvalFrom = (row: Columns): ApprovalRow => ({
  id: row.id,
  kind: row.kind,
  merchantId: row.merchant_id,
  subject: row.subject,
  request: row.request,
  reason: row.reason,
  askedBy: row.asked_by,
  askedAt: row.asked_at,
  expiresAt: row.expires_at,
  state: row.state,
  decidedBy: row.decided_by,
  decidedAt: row.decided_at,
  note: row.note,
  result: row.result,
})
