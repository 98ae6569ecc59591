/** What belongs to the instance as a whole: its test clock, and whether it has been furnished with demo data. */
import { type Pool, query, sql } from './pool.ts'

const readInstance = sql<{ clock_offset_ms: bigint; seeded_at: Date | null }, readonly []>(
  'instance.read',
  'select clock_offset_ms, seeded_at from instance',
)
const moveClock = sql<{ clock_offset_ms: bigint }, readonly [number]>(
  'instance.move-clock',
  'update instance set clock_offset_ms = clock_offset_ms + $1 returning clock_offset_ms',
)
/** Only one of several processes that start together gets the row back, and furnishes. */
const claimSeeding = sql<{ seeded_at: Date }, readonly [Date]>(
  'instance.seed',
  'update instance set seeded_at = $1 where seeded_at is null returning seeded_at',
)

export const instanceStore = (pool: Pool) => ({
  clockOffsetMs: async (): Promise<number> => Number((await query(pool, readInstance, []))[0]?.clock_offset_ms ?? 0n),
  /** Forward only: going back would make due work that was done due again. */
  advanceClock: async (byMs: number): Promise<number> =>
    Number((await query(pool, moveClock, [Math.max(0, byMs)]))[0]?.clock_offset_ms ?? 0n),
  claimSeeding: async (now: Date): Promise<boolean> => (await query(pool, claimSeeding, [now])).length === 1,
})
