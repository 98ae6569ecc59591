/** Failed sign-ins by subject: an e-mail address, existing or not, or a network address. */
import { type Nothing, type PoolClient, type Queryable, query, sql } from '../database/pool.ts'

interface Attempts {
  readonly failures: number
  readonly lastAt: Date
  readonly lockedUntil: Date | null
}

const ensureSubject = sql<Nothing, readonly [string, Date]>(
  'sign-in-failure.ensure',
  'insert into sign_in_failures (subject, failures, last_at) values ($1, 0, $2) on conflict do nothing',
)
const lockSubject = sql<{ failures: number; last_at: Date; locked_until: Date | null }, readonly [string]>(
  'sign-in-failure.lock',
  'select failures, last_at, locked_until from sign_in_failures where subject = $1 for update',
)
const putSubject = sql<Nothing, readonly [string, number, Date, Date | null]>(
  'sign-in-failure.put',
  'update sign_in_failures set failures = $2, last_at = $3, locked_until = $4 where subject = $1',
)
const forgetSubject = sql<{ subject: string }, readonly [string]>(
  'sign-in-failure.forget',
  'delete from sign_in_failures where subject = $1 returning subject',
)
// A lockout that another attempt has caused meanwhile stays.
const withdrawAttempt = sql<Nothing, readonly [string, Date | null]>(
  'sign-in-failure.take-back',
  `update sign_in_failures set failures = greatest(failures - 1, 0),
     locked_until = case when locked_until = $2 then null else locked_until end
   where subject = $1`,
)
const listLocked = sql<{ subject: string; lockedUntil: Date }, readonly [readonly string[], Date]>(
  'sign-in-failure.list-locked',
  'select subject, locked_until as "lockedUntil" from sign_in_failures where subject = any($1) and locked_until > $2',
)
const sweepFailures = sql<Nothing, readonly [Date]>(
  'sign-in-failure.sweep',
  'delete from sign_in_failures where last_at < $1',
)

const countForLog = sql<{ isDue: boolean }, readonly [string, Date, Date]>(
  'sign-in-failure.count-for-log',
  `insert into sign_in_failures as f (subject, failures, last_at, noted_at) values ($1, 0, $2, $2)
   on conflict (subject) do update set
     unnoted = case when f.noted_at > $3 then f.unnoted + 1 else f.unnoted end,
     noted_at = case when f.noted_at > $3 then f.noted_at else $2 end
   returning f.noted_at = $2 as "isDue"`,
)
const takeCounted = sql<CountedFailures, readonly [Date, number]>(
  'sign-in-failure.take-counted',
  `update sign_in_failures f set unnoted = 0 from (
     select subject, unnoted, noted_at from sign_in_failures where unnoted > 0 and noted_at <= $1
     order by noted_at limit $2 for update skip locked
   ) due where f.subject = due.subject returning f.subject, due.unnoted as failures, due.noted_at as "since"`,
)

interface CountedFailures {
  readonly subject: string
  readonly failures: number
  /** When they were last written to the audit log. */
  readonly since: Date
}

/** Call inside a transaction: parallel attempts on the same subject wait until it ends. */
export async function lockAttempts(client: PoolClient, subject: string, now: Date): Promise<Attempts> {
  await query(client, ensureSubject, [subject, now])
  const [row] = await query(client, lockSubject, [subject])
  // A successful sign-in may have deleted the row in between; then there is nothing to count from.
  return row
    ? { failures: row.failures, lastAt: row.last_at, lockedUntil: row.locked_until }
    : { failures: 0, lastAt: now, lockedUntil: null }
}

export async function putAttempts(client: PoolClient, subject: string, attempts: Attempts): Promise<void> {
  await query(client, putSubject, [subject, attempts.failures, attempts.lastAt, attempts.lockedUntil])
}

export const signInFailureStore = (on: Queryable) => ({
  /** False if there was nothing to delete. */
  forget: async (subject: string): Promise<boolean> => (await query(on, forgetSubject, [subject])).length === 1,
  /** Removes one attempt that was no failure; the subject's other attempts stay. `lockedUntil` is the lockout that the attempt caused. */
  withdraw: async (subject: string, lockedUntil: Date | null): Promise<void> => {
    await query(on, withdrawAttempt, [subject, lockedUntil])
  },
  /** Those of the subjects that are locked now, with the end of the lockout. */
  findLocked: async (subjects: readonly string[], now: Date): Promise<ReadonlyMap<string, Date>> =>
    new Map((await query(on, listLocked, [subjects, now])).map(({ subject, lockedUntil }) => [subject, lockedUntil])),
  /** True if the failure is to be logged at once; otherwise it is counted for a later entry. */
  countForLog: async (subject: string, now: Date, notedBefore: Date): Promise<boolean> =>
    (await query(on, countForLog, [subject, now, notedBefore]))[0]?.isDue === true,
  /** Counted failures that have not been logged, for subjects last logged at `notedBefore` or earlier. */
  takeCounted: (notedBefore: Date, atMost: number): Promise<readonly CountedFailures[]> =>
    query(on, takeCounted, [notedBefore, atMost]),
  sweep: async (before: Date): Promise<void> => {
    await query(on, sweepFailures, [before])
  },
})
