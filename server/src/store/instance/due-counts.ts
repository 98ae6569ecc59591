/** How much work waits for each worker. The rows themselves are the queue, so counting them shows everything. */
import type { Queryable } from '../database/pool.ts'

export interface DueCount {
  readonly job: string
  readonly waiting: number
  /** Those that are due. */
  readonly due: number
  readonly oldestDueAt: Date | null
}

// biome-ignore format: a table is read in columns.
const jobs = [
  // job                  rows                                                   due at
  ['callbacks',           "callbacks where state = 'due'",                       'next_at'],
  ['outcomes to ask for', 'transactions where ask_at is not null',               'ask_at'],
  ['payer steps',         "payer_steps where state = 'waiting'",                 'expires_at'],
  ['plans',               'subscriptions where next_at is not null',             'next_at'],
  ['deferred commands',   'deferred_commands',                                   'due_at'],
  ['acquirer events',     "acquirer_events where state = 'due'",                 'due_at'],
  ['wallet domains',      'wallet_domains where next_check is not null',         'next_check'],
  ['wallet certificates', 'wallet_watches',                                      'check_at'],
  ['retention',           'retention_runs',                                      'next_at'],
] as const

const text = jobs
  .map(
    ([
      job,
      rows,
      dueAt,
    ]) => `select '${job}' as job, count(*)::int as waiting, count(*) filter (where ${dueAt} <= $1)::int as due,
      min(${dueAt}) filter (where ${dueAt} <= $1) as "oldestDueAt" from ${rows}`,
  )
  .join(' union all ')

export const readDueCounts = async (on: Queryable, now: Date): Promise<readonly DueCount[]> =>
  (await on.query<DueCount>(text, [now])).rows
