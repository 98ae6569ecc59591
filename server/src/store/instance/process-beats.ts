/** Heartbeats: the rows that show that a process can write and that its due work proceeds. All times are the database's. */
import { type Queryable, query, sql } from '../database/pool.ts'

const beat = sql<{ beat_at: Date }, readonly [number, string, string, boolean, Buffer | null]>(
  'process-beat.write',
  `insert into process_beats (process, role, release, beat_at, worked_at, filler)
   values ($1, $2, $3, clock_timestamp(), case when $4::boolean then clock_timestamp() end, $5)
   on conflict (process) do update set beat_at = excluded.beat_at,
     worked_at = coalesce(excluded.worked_at, process_beats.worked_at), filler = excluded.filler
   returning beat_at`,
)
const lastWork = sql<{ seconds: number | null }, readonly []>(
  'process-beat.last-work',
  'select extract(epoch from clock_timestamp() - max(worked_at))::float8 as seconds from process_beats',
)
/** Four beats: a process that is alive writes one in 15 seconds. */
const otherReleases = sql<{ count: number }, readonly [string]>(
  'process-beat.other-releases',
  `select count(*)::int as count from process_beats
   where release <> $1 and role <> 'worker' and beat_at > clock_timestamp() - interval '60 seconds'`,
)
const forget = sql<Record<never, never>, readonly [number]>(
  'process-beat.forget',
  `delete from process_beats where process = $1 or beat_at < clock_timestamp() - interval '1 day'`,
)

export interface Beat {
  readonly process: number
  readonly role: 'all' | 'api' | 'worker'
  readonly release: string
  /** True if its due work proceeds. */
  readonly works: boolean
  /** Makes the row too large for its current page, so that writing it needs new space. */
  readonly filler: Buffer | null
}

export const processBeatStore = (pool: Queryable) => ({
  write: async ({ process, role, release, works, filler }: Beat): Promise<void> => {
    await query(pool, beat, [process, role, release, works, filler])
  },
  /** Seconds since any worker last did due work; null if none ever did. */
  readSecondsSinceWork: async (): Promise<number | null> => (await query(pool, lastWork, []))[0]?.seconds ?? null,
  /** Removes the row of a process that ends, and rows of processes that ended without notice. */
  forget: async (process: number): Promise<void> => {
    await query(pool, forget, [process])
  },
})

/** True if a process of another release, which serves requests, wrote a beat within the last minute. */
export const isOtherReleaseServing = async (on: Queryable, release: string): Promise<boolean> =>
  ((await query(on, otherReleases, [release]))[0]?.count ?? 0) > 0
