/**
 * Leases on due work, in the words of SQL, one place for every table that has them.
 *
 * A lease belongs to a process. It ends when its work is settled, when its time is over by the database's clock, or when the advisory
 * lock of its process is gone: PostgreSQL frees that lock the moment the process's connection ends, so that the work of a killed
 * process is taken over at once. A process that only loses that connection looks dead as well; whatever takes leases here must bear
 * being done by two processes at a time. Work that cannot bear it keeps a lease by time alone (decision 0053).
 *
 * Columns: `lease_until timestamptz`, `leased_by integer`. A lease without a holder ends by time.
 */

/** The class of our advisory locks, so that numbers of other programs on the same database mean nothing here. */
export const processLockClass = 0x6761_7465

/** An array, so that the planner makes it once per statement, and only if a row is met that has to be held against it. */
export const livingProcesses = `array(
       select objid::int from pg_locks
       where locktype = 'advisory' and classid = ${processLockClass} and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database())
     )`

// Of an empty list everything is true, also of a lease that has no holder.
const holderIsGone = `leased_by is not null and leased_by <> all (${livingProcesses})`

/** No lease, or one that is over. */
export const isFree = `(lease_until is null or lease_until < clock_timestamp() or ${holderIsGone})`

/**
 * The same for work that a process may go on with for a while after it has lost its lock: the lease of one that looks dead is over
 * only when that time is. `$seconds` is the length of the lease.
 */
export const isFreeAfter = (graceSeconds: number, seconds: string): string =>
  `(lease_until is null or lease_until < clock_timestamp()
       or (lease_until < clock_timestamp() + make_interval(secs => ${seconds}::float8 - ${graceSeconds}) and ${holderIsGone}))`

/** The columns of a fresh lease: for how many seconds, and whose. */
export const lease = (seconds: string, holder: string): string =>
  `lease_until = clock_timestamp() + make_interval(secs => ${seconds}), leased_by = ${holder}`

/** The number of this process among those on the database; null where a program has none, whose leases then end by time. */
export type Holder = number | null
