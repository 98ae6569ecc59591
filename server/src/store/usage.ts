/** What MIDs and mappings have taken so far, for their limits. Declined payments count nothing. */
import type { Usage, Used } from '../ports.ts'
import { type Pool, query, sql } from './pool.ts'

interface Row {
  mid_day: bigint
  mid_day_count: bigint
  mid_month: bigint
  mid_month_count: bigint
  mapping_day: bigint
  mapping_day_count: bigint
  mapping_week: bigint
  mapping_week_count: bigint
}

const part = (name: string, filter: string) =>
  `coalesce(sum(authorised_minor) filter (where ${filter}), 0)::bigint as ${name},
   count(*) filter (where ${filter}) as ${name}_count`

const totals = sql<Row, readonly [string, string, string, string, string]>(
  'usage.totals',
  `select ${part('mid_day', 'financial_day = $3::date')}, ${part('mid_month', 'financial_day >= $4::date')},
     ${part('mapping_day', 'mapping_id = $2 and financial_day = $3::date')},
     ${part('mapping_week', 'mapping_id = $2 and financial_day >= $5::date')}
   from payments where mid_id = $1 and financial_day >= least($4::date, $5::date)`,
)

export function usageStore(pool: Pool): Usage {
  return {
    of: async (midId, mappingId, { day, month, week }) => {
      const [row] = await query(pool, totals, [midId, mappingId, day, month, week])
      if (!row) throw new Error('An aggregate always has a row.')
      return {
        midDay: used(row.mid_day, row.mid_day_count),
        midMonth: used(row.mid_month, row.mid_month_count),
        mappingDay: used(row.mapping_day, row.mapping_day_count),
        mappingWeek: used(row.mapping_week, row.mapping_week_count),
      }
    },
  }
}

const used = (amountMinor: bigint, count: bigint): Used => ({ amountMinor, count: Number(count) })
