/**
 * Moments at which a full run repeats the tests that read a clock, as if the machine's time were then. See decisions/tests#fixed-moment.
 *
 * The environment carries the shift, so that programs that a test starts have it as well: `clock-hook.ts` shifts the time of Node, and functions
 * before those of PostgreSQL shift the time of statements, in databases whose template has them. Files, certificates and browsers
 * keep the machine's time.
 */

export interface Moment {
  readonly name: string
  /** When the process of a batch of tests begins. */
  readonly at: string
  readonly zone: string
}

// biome-ignore format: a table is read in columns.
export const moments: readonly Moment[] = [
  // name                      when a batch begins             time zone
  { name: 'midnight',      at: '2027-06-09T23:59:30Z', zone: 'UTC' },
  { name: '31-january',    at: '2027-01-31T12:00:00Z', zone: 'UTC' },
  { name: '29-february',   at: '2028-02-29T12:00:00Z', zone: 'UTC' },
  { name: 'summer-begins', at: '2027-03-28T00:59:30Z', zone: 'Europe/Berlin' },
  { name: 'summer-ends',   at: '2027-10-31T00:59:30Z', zone: 'Europe/Berlin' },
]

/** Tests of programs with a database server of their own are left out: its time cannot be shifted. */
export const readsClock = (text: string): boolean => /clock/i.test(text)

const hook = new URL('./clock-hook.ts', import.meta.url).href
const setting = 'gatehouse.ahead_ms'

export function environmentAt({ at, zone }: Moment, nowMs: number): Readonly<Record<string, string>> {
  const aheadMs = Date.parse(at) - nowMs
  return {
    TZ: zone,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${hook}?ahead=${aheadMs}`.trim(),
    PGOPTIONS: `-c search_path=public,pg_catalog -c ${setting}=${aheadMs}`,
  }
}

/** Whether this process runs at such a moment. */
export const isShifted = (process.env['PGOPTIONS'] ?? '').includes(setting)

/** They come first in the search path of `environmentAt`. */
export const shiftedTime = Object.entries({
  now: 'stable',
  statement_timestamp: 'stable',
  clock_timestamp: 'volatile',
})
  .map(
    ([name, volatility]) => `create function public.${name}() returns timestamptz language sql ${volatility}
      as $$ select pg_catalog.${name}() + current_setting('${setting}')::bigint * interval '1 millisecond' $$;`,
  )
  .join('\n')
