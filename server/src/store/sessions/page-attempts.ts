/**
 * Attempts at the hosted page by merchant and payer's address, counted for all processes together; one that was not declined is released again.
 * Chapter 30 §7.8, "Abuse". Sessions that payment links open are counted here, too.
 */
import { hourMs } from '#domain/time.ts'
import type { Clock } from '../../contracts/ports.ts'
import { type Pool, query, sql } from '../database/pool.ts'

interface PageAttempts {
  /** Refused if the address has no attempts left in this hour. */
  take(payer: PayersAddress, most: number): Promise<CountedAttempt>
  /** Counts without a limit. */
  count(payer: PayersAddress): Promise<void>
}

interface PayersAddress {
  readonly merchantId: string
  readonly address: string
}

type CountedAttempt =
  | { readonly allowed: true; release(): Promise<void> }
  | { readonly allowed: false; readonly retryAfterSeconds: number }

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
     delete from page_attempts where exists (select 1 from taken) and address in (
       select address from page_attempts where newest < $3 and address <> $1 order by newest limit 2 for update skip locked)
   )
   select exists (select 1 from taken) as taken,
     (select min(time) from page_attempts, unnest(times) as time where address = $1 and time > $3 and time < $4) as oldest`,
)

/** One of several attempts at the same time; which of them does not matter. */
const releaseAttempt = sql<Record<never, never>, readonly [string, Date]>(
  'page-attempt.release',
  `update page_attempts set times = times[:array_position(times, $2) - 1] || times[array_position(times, $2) + 1:]
   where address = $1 and array_position(times, $2) is not null`,
)

const noLimit = 2 ** 31 - 1

export function pageAttempts(pool: Pool, clock: Clock): PageAttempts {
  const take: PageAttempts['take'] = async (payer, most) => {
    const now = clock.now()
    const key = keyOf(payer)
    const at = (milliseconds: number): Date => new Date(now.getTime() + milliseconds)
    const [row] = await query(pool, takeAttempt, [key, now, at(-hourMs), at(hourMs), most])
    if (row?.taken) return { allowed: true, release: async () => void (await query(pool, releaseAttempt, [key, now])) }
    // If this statement saw no earlier attempts, all counted ones came after it began.
    const oldest = row?.oldest ?? now
    const waitMs = oldest.getTime() + hourMs - now.getTime()
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
  }
  return { take, count: async (payer) => void (await take(payer, noLimit)) }
}

/** The release before this one counts by the address alone, in the same column, and may still serve. An address contains no space. */
const keyOf = ({ merchantId, address }: PayersAddress): string => `${address} ${merchantId}`
