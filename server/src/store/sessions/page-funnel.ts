/** How far the payers of hosted pages came. Chapter 70 §6. */
import type { Mode } from '#domain/merchant.ts'
import { isDistributed } from '../database/buckets.ts'
import { idsBefore, idsFrom } from '../database/id-bounds.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { fate } from '../payments/fate.ts'

interface FunnelRange {
  readonly from: Date
  readonly to: Date
  readonly now: Date
  readonly mode: Mode
  /** Null for all merchants. */
  readonly merchantIds: readonly string[] | null
}

interface PageFunnel {
  readonly sessions: number
  /** By a payer's browser. Sessions of releases that did not record this count if there was an attempt. */
  readonly opened: number
  readonly attempted: number
  readonly challenged: number
  readonly paid: number
  /** Ended without a payment. */
  readonly left: number
}

/** The newest sessions that can be read without delay. */
export const sessionsCounted = 10_000

type Params = readonly [string, string, Date, Date, Date, boolean, readonly string[] | null]

/**
 * `outcomes` gives merchant, session, and whether it is paid or challenged, of payments. Sessions and payments are added up in one list: joined, two lists
 * whose lengths the planner cannot know might be compared row by row.
 */
const funnelText = (outcomes: string): string =>
  `with newest as materialized (
     select s.merchant_id, s.id, s.attempts, s.expires_at, s.opened_at is not null or s.attempts > 0 as opened from sessions s
     where s.id >= $1 and s.id < $2 and s.created_at >= $3 and s.created_at < $4 and s.kind = 'page' and s.test = $6
       and ($7::uuid[] is null or s.merchant_id = any($7))
     order by s.id desc limit ${sessionsCounted}
   ), counted as (
     select max(attempts) as attempts, max(expires_at) as expires_at, bool_or(opened) as opened, bool_or(paid) as paid, bool_or(challenged) as challenged
     from (select merchant_id, id, attempts, expires_at, opened, null as paid, null as challenged from newest
       union all select merchant_id, session_id, null, null, null, paid, challenged from (${outcomes}) o) both_lists
     group by merchant_id, id
   )
   select count(*)::int as sessions, count(*) filter (where opened)::int as opened, count(*) filter (where attempts > 0)::int as attempted,
     count(*) filter (where challenged)::int as challenged, count(*) filter (where paid)::int as paid,
     count(*) filter (where paid is not true and expires_at < $5)::int as left
   from counted where attempts is not null`

const outcomeColumns = `p.merchant_id, p.session_id, ${fate} = 'approved' as paid, p.facts->'threeDs'->>'authenticationFlow' = 'Challenge' as challenged`

/** Read merchant by merchant, in the order of the sessions: looked up one by one, payments would be looked for in every month. */
const countSessions = sql<PageFunnel, Params>(
  'session.funnel',
  funnelText(
    `select p.merchant_id, p.session_id, p.paid, p.challenged
     from (select distinct merchant_id from newest where attempts > 0) m cross join lateral (
       select ${outcomeColumns} from payments p
       where p.merchant_id = m.merchant_id and p.session_id >= (select id from newest order by id limit 1) and p.session_id < $2 offset 0
     ) p`,
  ),
)

/** For a distributed database, which cannot look up rows of several shards one by one. */
const countOverShards = sql<PageFunnel, Params>(
  'session.funnel-over-shards',
  funnelText(
    `select ${outcomeColumns} from payments p join newest n on n.merchant_id = p.merchant_id and n.id = p.session_id where n.attempts > 0`,
  ),
)

export async function readPageFunnel(on: Queryable, range: FunnelRange): Promise<PageFunnel> {
  const { from, to, now, mode, merchantIds } = range
  const statement = (await isDistributed(on)) ? countOverShards : countSessions
  const [row] = await query(on, statement, [idsFrom(from), idsBefore(to), from, to, now, mode === 'test', merchantIds])
  if (row === undefined) throw new Error('A count answers one row.')
  return row
}
