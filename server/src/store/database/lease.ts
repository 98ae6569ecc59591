/**
 * Leases on due work as SQL, shared by all tables that have them.
 *
 * A lease belongs to a process. It ends when its work is settled, when it expires by the database's clock, or when the advisory lock of its
 * process is gone. PostgreSQL frees that lock as soon as the process's connection ends, so the work of a killed process is taken over at
 * once. A process that only loses its connection looks dead too; work under these leases must therefore tolerate being done by two
 * processes at once. Work that cannot tolerate it uses a lease by time alone (decisions/processes#leases).
 *
 * Columns: `lease_until timestamptz`, `leased_by integer`. A lease without a holder ends by time.
 */

/** The class of our advisory locks, so that lock numbers of other programs on the same database cannot be confused with ours. */
export const processLockClass = 0x6761_7465

/**
 * The database's clock, for leases. A claim does not wait for locks, so the beginning of its statement is as good as any later moment; and
 * Citus refuses a function in an update that may change from row to row, as `clock_timestamp` does.
 */
export const databaseNow = 'statement_timestamp()'

/** An array, so that the planner computes it once per statement, and only if a row needs it. */
export const livingProcesses = `array(
       select objid::int from pg_locks
       where locktype = 'advisory' and classid = ${processLockClass} and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database())
     )`

// `<> all` of an empty list is true even for null, so a lease without a holder is excluded first.
const isHolderGone = `leased_by is not null and leased_by <> all (${livingProcesses})`

/** No lease, or one that has ended. The condition that its holder is gone differs in a distributed database; see `buckets.ts`. */
export const isFreeIf = (holderIsGone: string): string =>
  `(lease_until is null or lease_until < ${databaseNow} or ${holderIsGone})`

export const isFree = isFreeIf(isHolderGone)

/**
 * The same for work that a process may continue for a while after losing its lock: the lease of a process that looks dead ends only after
 * `graceSeconds`. `$seconds` is the length of the lease.
 */
export const isFreeAfter = (graceSeconds: number, seconds: string, holderIsGone: string): string =>
  `(lease_until is null or lease_until < ${databaseNow}
       or (lease_until < ${databaseNow} + make_interval(secs => ${seconds}::float8 - ${graceSeconds}) and ${holderIsGone}))`

/** The columns of a new lease: its length in seconds and its holder. */
export const lease = (seconds: string, holder: string): string =>
  `lease_until = ${databaseNow} + make_interval(secs => ${seconds}), leased_by = ${holder}`

/** The number of this process; null for a program without one, whose leases end by time. */
export type Holder = number | null
