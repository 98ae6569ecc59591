/** How far the payers of hosted pages came. Chapter 70 §6. */
import { isDistributed } from '../database/buckets.ts'
import { idsBefore, idsFrom } from '../database/id-bounds.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { fate } from '../payments/fate.ts'

interface FunnelRange {
  readonly from: Date
  readonly to: Date
  readonly now: Date
  readonly test: boolean
  /** Null for all merchants. */
  readonly merchantIds: readonly string[] | null
}

interface PageFunnel {
  readonly sessions: number
  readonly attempted: number
  readonly challenged: number
  readonly paid: number
  /** Ended without a payment. */
  readonly left: number
}

/** The newest sessions that can be read without delay. */
export const sessionsCounted = 20_000

type Params = readonly [string, string, Date, Date, Date, boolean, readonly string[] | null]

const outcomes = `bool_or(${fate} = 'approved') as paid,
       bool_or(p.facts->'threeDs'->>'authenticationFlow' = 'Challenge') as challenged`

/** `more` are further table expressions; `outcome` joins the outcome of each session as `o`. */
const funnelText = (more: string, outcome: string): string =>
  `with newest as materialized (
     select s.merchant_id, s.id, s.attempts, s.expires_at from sessions s
     where s.id >= $1 and s.id < $2 and s.created_at >= $3 and s.created_at < $4 and s.kind = 'page' and s.test = $6
       and ($7::uuid[] is null or s.merchant_id = any($7))
     order by s.id desc limit ${sessionsCounted}
   )${more}
   select count(*)::int as sessions, count(*) filter (where n.attempts > 0)::int as attempted,
     count(*) filter (where o.challenged)::int as challenged, count(*) filter (where o.paid)::int as paid,
     count(*) filter (where o.paid is not true and n.expires_at < $5)::int as left
   from newest n left join ${outcome}`

/** The payments of each session are looked up: joined, the planner might read all payments. */
const countSessions = sql<PageFunnel, Params>(
  'session.funnel',
  funnelText(
    '',
    `lateral (
     select ${outcomes} from payments p where n.attempts > 0 and p.merchant_id = n.merchant_id and p.session_id = n.id
   ) o on true`,
  ),
)

/** For a distributed database, which cannot look up rows of several shards one by one. */
const countOverShards = sql<PageFunnel, Params>(
  'session.funnel-over-shards',
  funnelText(
    `, outcome as materialized (
     select p.merchant_id, p.session_id, ${outcomes}
     from payments p join newest n on n.merchant_id = p.merchant_id and n.id = p.session_id
     where n.attempts > 0 group by p.merchant_id, p.session_id
   )`,
    'outcome o on o.merchant_id = n.merchant_id and o.session_id = n.id',
  ),
)

export async function pageFunnel(on: Queryable, range: FunnelRange): Promise<PageFunnel> {
  const { from, to, now, test, merchantIds } = range
  const statement = (await isDistributed(on)) ? countOverShards : countSessions
  const [row] = await query(on, statement, [idsFrom(from), idsBefore(to), from, to, now, test, merchantIds])
  if (row === undefined) throw new Error('A count answers one row.')
  return row
}
