/** The test clock as a calendar: advancing to moments in UTC, and whether the plans have caught up. */
import { setTimeout as sleep } from 'node:timers/promises'
import { countUnfinished } from './our-record.ts'
import type { Stage } from './stage.ts'

type ClockStage = Pick<Stage, 'pool' | 'advance'>

/** Every process is notified of a moved clock, which takes a moment; callers wait for that. */
export const waitForClockNotice = (): Promise<void> => sleep(400)

export async function moveTo(stage: ClockStage, day: string, time: string): Promise<void> {
  const { rows } = await stage.pool.query<{ ms: number }>(
    `select (extract(epoch from $1::timestamptz - clock_timestamp()) * 1000 - clock_offset_ms)::float8 as ms from instance`,
    [`${day}T${time}Z`],
  )
  const milliseconds = Math.ceil(rows[0]?.ms ?? 0)
  if (milliseconds < 0) throw new Error(`${day} ${time} has passed already.`)
  await stage.advance(milliseconds)
}

export async function today({ pool }: Pick<Stage, 'pool'>): Promise<string> {
  const { rows } = await pool.query<{ day: string }>(
    `select to_char((clock_timestamp() + clock_offset_ms * interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD') as day
     from instance`,
  )
  return rows[0]?.day ?? ''
}

/** No plan is due, and every payment of a plan has an outcome. */
export async function isCaughtUp({ pool }: Pick<Stage, 'pool'>): Promise<boolean> {
  const { rows } = await pool.query<{ due: number }>(
    `select count(*)::int as due from subscriptions, instance
     where next_at <= clock_timestamp() + clock_offset_ms * interval '1 millisecond'`,
  )
  return rows[0]?.due === 0 && (await countUnfinished(pool)).open === 0
}
