/**
 * Concurrent payments through two gateway processes against limits of MIDs and mappings and against a network's retry budget. Never is more
 * accepted than a limit allows, nor a card tried more often than its network permits; and all the available room is used.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { limits as numbers } from '#domain/limits.ts'
import { dayMs } from '#domain/time.ts'
import { auditFigures, type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { audit } from '../stage/audit.ts'
import type { Fields, Reply } from '../stage/merchant.ts'
import { isQuiet, openStage, type Stage, until } from '../stage/stage.ts'

export const limits: Campaign = {
  name: 'limits',
  asserts: 'parallel payments never exceed a limit of a MID or mapping or a retry budget, and use each limit fully.',
  sizes: { days: 10, crowd: 50 },
  quick: { days: 1 },
  run,
  plantedFault: {
    what: 'The day limit of a MID is not counted.',
    seenIn: 'limits exceeded',
    patches: [
      {
        file: 'domain/src/routing/limit-use.ts',
        find: 'return limits.flatMap(',
        replace: "return limits.filter(({ period }) => period !== 'mid day').flatMap(",
      },
    ],
  },
}

const settleWithinMs = 60_000
/** A change of the configuration reaches every process within this time. */
const noticedWithinMs = 1500

/** Declined softly by every MID. Chapter 10 §12. */
const declinedCard: Fields = { card_number: '5555555555554444', card_exp_month: '08', card_exp_year: '2038' }

/** The limits of the two MIDs, one by count and one by amount; a sale is 10.00. */
const room = { count: 13, amountMinor: 9_900n, sales: 9 }

async function run(terms: Terms): Promise<Findings> {
  const [days, crowd] = [sizeOf(terms, 'days'), sizeOf(terms, 'crowd')]
  await using stage = await openStage({ apis: 2, workers: 1, database: terms.database, sharedAuthority: true })
  for (let count = 1; count <= days; count += 1) {
    if (count > 1) await stage.advance(dayMs + 60_000)
    await burst(stage, `TRY-${count}`, crowd, declinedCard)
  }
  const budget = await budgetFindings(stage, days)

  await setLimits(stage)
  for (let count = 1; count <= days; count += 1) {
    if (count > 1) await stage.advance(dayMs + 60_000)
    await burst(stage, `SALE-${count}`, crowd, {})
  }
  await until(() => isQuiet(stage), settleWithinMs)
  return joinFindings(budget, await limitFindings(stage, days, crowd), auditFigures(await audit(stage)))
}

async function burst(stage: Stage, name: string, crowd: number, fields: Fields): Promise<readonly Reply[]> {
  const [one, other] = stage.apis
  if (!one || !other) throw new Error('A race needs two processes.')
  await sleep(noticedWithinMs)
  const sent = Array.from({ length: crowd }, (_, index) => {
    const { url } = index % 2 === 0 ? one : other
    return stage.merchant.sale(url, `${name}-${index}`, fields)
  })
  return Promise.all(sent)
}

async function setLimits({ pool }: Stage): Promise<void> {
  await pool.query(`update mids set day_limit_count = $1 where name = 'sandbox-live'`, [room.count])
  await pool.query(
    `update merchant_mappings set day_limit_amounts = jsonb_build_object('EUR', $1::text) where mid_id = (select id from mids where name = 'sandbox-no-moto-live')`,
    [room.amountMinor],
  )
}

/** By the times at which later attempts were written. */
async function budgetFindings({ pool }: Stage, days: number): Promise<Findings> {
  const { rows } = await pool.query<{ at: Date }>(
    'select created_at as at from payments where attempt > 1 order by created_at',
  )
  const windows = numbers.retryBudget.mastercard
  const beyond = windows.flatMap(({ tries, withinMs }) =>
    rows
      .map(({ at }) => rows.filter((other) => other.at <= at && other.at.getTime() > at.getTime() - withinMs).length)
      .filter((count) => count > tries)
      .map((count) => `${count} tries within ${withinMs / 3_600_000} hours`),
  )
  const [perDay, perMonth] = windows
  const granted = Math.min(days * (perDay?.tries ?? 0), perMonth?.tries ?? 0)
  return {
    figures: [
      { name: 'tries beyond the budget', value: beyond.length, must: 0 },
      { name: 'tries made', value: rows.length, must: granted },
    ],
    faults: beyond,
  }
}

/** By the amounts of each financial day. */
async function limitFindings({ pool }: Stage, days: number, crowd: number): Promise<Findings> {
  const { rows } = await pool.query<{ name: string; day: string; count: number; minor: bigint }>(
    `select mids.name, financial_day::text as day, count(*)::int, sum(authorised_minor) as minor
     from payments join mids on mids.id = mid_id where order_id like 'SALE-%' and status = 'SETTLED' group by 1, 2`,
  )
  const exceeded = rows.filter(({ name, count, minor }) =>
    name === 'sandbox-live' ? count > room.count : minor > room.amountMinor,
  )
  return {
    figures: [
      { name: 'bursts × payments', value: `${2 * days} × ${crowd}` },
      { name: 'limits exceeded', value: exceeded.length, must: 0 },
      {
        name: 'payments accepted',
        value: rows.reduce((sum, { count }) => sum + count, 0),
        must: days * Math.min(crowd, room.count + room.sales),
      },
    ],
    faults: exceeded.map(({ name, day: on, count, minor }) => `${name} took ${count} payments of ${minor} on ${on}`),
  }
}
