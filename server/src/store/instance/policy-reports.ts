/**
 * Reports of browsers about violations of a page's content security policy, counted by rule, blocked origin, page and script.
 *
 * A browser sends one without a sign-in. The table therefore holds a limited number of different reports, those that came last, and each for a limited time.
 */
import { limits } from '#domain/limits.ts'
import type { PolicyReport, PolicyReports } from '../../contracts/policy-reports.ts'
import type { Clock } from '../../contracts/ports.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

const countReport = sql<{ isNew: boolean }, readonly [string, string, string, string, Date]>(
  'policy-report.count',
  `insert into policy_reports as known (rule, blocked, page, source, reports, first_at, last_at)
   values ($1, $2, $3, $4, 1, $5, $5)
   on conflict (rule, blocked, page, source)
   do update set reports = known.reports + 1, last_at = greatest(known.last_at, excluded.last_at)
   returning reports = 1 as "isNew"`,
)

const forgetOldest = sql<Record<never, never>, readonly [number, Date]>(
  'policy-report.forget-oldest',
  `delete from policy_reports where last_at < $2 or (rule, blocked, page, source) in (
     select rule, blocked, page, source from policy_reports order by last_at desc, rule, blocked, page, source offset $1
   )`,
)

export const policyReportStore = (on: Queryable, clock: Clock): PolicyReports => ({
  add: async ({ rule, blocked, page, source }) => {
    const now = clock.now()
    const [row] = await query(on, countReport, [rule, blocked, page, source, now])
    if (row?.isNew !== true) return false
    const { most, keptMs } = limits.policyReports
    await query(on, forgetOldest, [most, new Date(now.getTime() - keptMs)])
    return true
  },
})

export interface CountedReport extends PolicyReport {
  readonly reports: number
  readonly firstAt: Date
  readonly lastAt: Date
}

const listReports = sql<CountedReport, readonly [number]>(
  'policy-report.list',
  `select rule, blocked, page, source, reports::float8 as reports, first_at as "firstAt", last_at as "lastAt"
   from policy_reports order by last_at desc, rule, blocked, page, source limit $1`,
)

/** The newest first. */
export const listPolicyReports = (on: Queryable): Promise<readonly CountedReport[]> =>
  query(on, listReports, [limits.policyReports.most])
