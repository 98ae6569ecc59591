/** Attempts at the hosted page by the payer's address, counted for all processes together. Chapter 30 §7.8, "Abuse". */
import { limits } from '#domain/limits.ts'
import type { Clock } from '../../contracts/ports.ts'
import { type Pool, query, sql } from '../database/pool.ts'

interface PageAttempts {
  /** Null if the address has attempts left in this hour, otherwise the seconds until the next one. */
  take(address: string): Promise<number | null>
}

/**
 * One statement, which locks the address's row, so that simultaneous attempts in several processes are all counted.
 *
 * Times far in the future were written before a clock was set back; if counted, they could lock out an address for days. Every attempt also
 * deletes two addresses that were idle for an hour, which is faster than new ones arrive. It does this after locking its own row and skips
 * locked rows, so that no two attempts deadlock.
 */
const takeAttempt = sql<{ taken: boolean; oldest: Date | null }, readonly [string, Date, Date, Date, number]>(
  'page-attempt.take',
  `with taken as (
     insert into page_attempts as kept (address, times, newest) values ($1, array[$2::timestamptz], $2)
     on conflict (address) do update set newest = $2,
       times = array(select time from unnest(kept.times) as time where time > $3 and time < $4) || $2
     where (select count(*) from unnest(kept.times) as time where time > $3 and time < $4) < $5
     returning newest
   ), forgotten as (
     delete from page_attempts where exists (select from taken) and address in (
       select address from page_attempts where newest < $3 and address <> $1 order by newest limit 2 for update skip locked)
   )
   select exists (select from taken) as taken,
     (select min(time) from page_attempts, unnest(times) as time where address = $1 and time > $3 and time < $4) as oldest`,
)

const hourMs = 3_600_000

export const pageAttempts = (pool: Pool, clock: Clock): PageAttempts => ({
  take: async (address) => {
    const now = clock.now()
    const at = (milliseconds: number): Date => new Date(now.getTime() + milliseconds)
    const most = limits.checkout.attemptsPerAddress
    const [row] = await query(pool, takeAttempt, [address, now, at(-hourMs), at(hourMs), most])
    if (row?.taken) return null
    // If this statement saw no earlier attempts, all counted ones came after it began.
    const oldest = row?.oldest ?? now
    return Math.max(1, Math.ceil((oldest.getTime() + hourMs - now.getTime()) / 1000))
  },
})
