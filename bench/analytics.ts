/**
 * `npm run bench -- analytics [--payments=1000000]`: the page Analytics, and the counting behind it. Chapter 70 §6 wants every attribute
 * within 300 ms at ten million payments.
 */
import { dayMs, utcDay } from '#domain/time.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { readAnalyticsRows, readSummarisedUntil } from '#server/store/payments/summaries/analytics.ts'
import { dimensions } from '#server/store/payments/summaries/dimensions.ts'
import { summarisePayments } from '#server/store/payments/summaries/payment-summaries.ts'
import { testDatabase } from '../server/test/database.ts'
import type { Figure } from './figure-table.ts'
import { addMerchants, addPayments, merchants, momentOf } from './search/search-payments.ts'

const goalMs = 300
const rounds = 11

export async function analyticsBench(payments: number): Promise<readonly Figure[]> {
  const database = await testDatabase()
  try {
    const { pool } = database
    await addMerchants(pool)
    await addPayments(pool, payments)
    const now = new Date(momentOf(payments).getTime() + 300_000)
    const begin = performance.now()
    for (let until = 0; until < now.getTime() - 120_000; )
      until = (await summarisePayments(pool, now))?.getTime() ?? until
    const seconds = (performance.now() - begin) / 1000
    await pool.query('vacuum analyze payment_summaries')
    const counting = { name: 'counting the history', value: `${Math.round(payments / seconds)} payments per second` }
    return [counting, ...(await analyticsReadings(pool, now, merchants.most))]
  } finally {
    await database.drop()
  }
}

/** The page for all merchants, and for the merchant with the most payments. */
export async function analyticsReadings(pool: Pool, now: Date, most: string): Promise<readonly Figure[]> {
  const until = await readSummarisedUntil(pool)
  const days = { from: utcDay(now.getTime() - 180 * dayMs), to: utcDay(now.getTime() + dayMs) }
  const figures: Figure[] = []
  for (const [whose, merchantIds] of [
    ['all merchants', null],
    ['the largest', [most]],
  ] as const)
    for (const dimension of dimensions) {
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const begin = performance.now()
        await readAnalyticsRows(pool, { ...days, mode: 'live', merchantIds, dimension }, until)
        times.push(performance.now() - begin)
      }
      const ms = times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0
      figures.push({
        name: `by ${dimension}, ${whose}`,
        value: `${ms.toFixed(1)} ms`,
        against: `${goalMs} ms`,
        ratio: ms / goalMs,
        goal: { at: 'most', ratio: 1 },
      })
    }
  return figures
}
