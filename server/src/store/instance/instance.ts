/** What belongs to the instance as a whole: its mode, its test clock, and whether the demo data was created. */
import { errorCode } from '#domain/error-code.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

const readInstance = sql<{ clock_offset_ms: bigint; seeded_at: Date | null }, readonly []>(
  'instance.read',
  'select clock_offset_ms, seeded_at from instance',
)
const moveClock = sql<{ clock_offset_ms: bigint }, readonly [number]>(
  'instance.move-clock',
  'update instance set clock_offset_ms = clock_offset_ms + $1 returning clock_offset_ms',
)
/** Of several processes that start together, one gets the row back and creates the demo data. */
const claimSeeding = sql<{ seeded_at: Date }, readonly [Date]>(
  'instance.seed',
  'update instance set seeded_at = $1 where seeded_at is null returning seeded_at',
)

const readMode = sql<{ mode: InstanceMode | null }, readonly []>('instance.read-mode', 'select mode from instance')
/** The first start decides the mode; two simultaneous first starts get the same result. */
const claimMode = sql<{ mode: InstanceMode }, readonly [InstanceMode]>(
  'instance.claim-mode',
  'update instance set mode = coalesce(mode, $1) returning mode',
)
const resetClock = sql<{ clock_offset_ms: bigint }, readonly []>(
  'instance.reset-clock',
  `update instance set clock_offset_ms = 0 where mode = 'live' and clock_offset_ms <> 0 returning clock_offset_ms`,
)

type InstanceMode = 'sandbox' | 'live'

/** No table yet, or a table from a release without modes. */
const beforeModes: ReadonlySet<string> = new Set(['42P01', '42703'])

export const instanceStore = (pool: Queryable) => ({
  readClockOffsetMs: async (): Promise<number> =>
    Number((await query(pool, readInstance, []))[0]?.clock_offset_ms ?? 0n),
  /** Forward only: a clock set back would make completed work due again. */
  advanceClock: async (byMs: number): Promise<number> =>
    Number((await query(pool, moveClock, [Math.max(0, byMs)]))[0]?.clock_offset_ms ?? 0n),
  /** The mode of the first start; null before it, and on a database without our tables. */
  readMode: async (): Promise<InstanceMode | null> => {
    try {
      return (await query(pool, readMode, []))[0]?.mode ?? null
    } catch (error) {
      if (beforeModes.has(errorCode(error))) return null
      throw error
    }
  },
  /** Gives a new database its mode. Returns the mode that the database has. */
  claimMode: async (mode: InstanceMode): Promise<InstanceMode> =>
    (await query(pool, claimMode, [mode]))[0]?.mode ?? mode,
  /** A live instance never uses the offset of the test clock. False if there was none. */
  resetLiveClock: async (): Promise<boolean> => (await query(pool, resetClock, [])).length === 1,
  claimSeeding: async (now: Date): Promise<boolean> => (await query(pool, claimSeeding, [now])).length === 1,
})
