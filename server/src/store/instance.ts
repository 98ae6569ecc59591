/** What belongs to the instance as a whole: its mode, its test clock, and whether it has been furnished with demo data. */
import { type Queryable, query, sql } from './pool.ts'

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

const readMode = sql<{ mode: Mode | null; live: boolean; any: boolean }, readonly []>(
  'instance.read-mode',
  `select mode, exists (select from payments where not test) as live, exists (select from payments) as any from instance`,
)
const writeMode = sql<Record<never, never>, readonly [string]>(
  'instance.write-mode',
  'update instance set mode = $1 where mode is distinct from $1',
)

type Mode = 'sandbox' | 'live'

export const instanceStore = (pool: Queryable) => ({
  clockOffsetMs: async (): Promise<number> => Number((await query(pool, readInstance, []))[0]?.clock_offset_ms ?? 0n),
  /** Forward only: going back would make due work that was done due again. */
  advanceClock: async (byMs: number): Promise<number> =>
    Number((await query(pool, moveClock, [Math.max(0, byMs)]))[0]?.clock_offset_ms ?? 0n),
  /** The mode of the last start, and which payments there are; null before the first. */
  mode: async (): Promise<{ readonly mode: Mode | null; readonly live: boolean; readonly any: boolean }> =>
    (await query(pool, readMode, []))[0] ?? { mode: null, live: false, any: false },
  keepMode: async (mode: Mode): Promise<void> => {
    await query(pool, writeMode, [mode])
  },
  claimSeeding: async (now: Date): Promise<boolean> => (await query(pool, claimSeeding, [now])).length === 1,
})
