/** An empty instance with the merchants, the parts by month and the samples that a fill needs. */

import { systemClock } from '#server/process/clock.ts'
import type { EmbeddedServer } from '#server/store/database/embedded.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { partAt, readParts } from '#server/store/months/parts.ts'
import { prepareMonths } from '#server/store/months/prepare.ts'
import { splitOff } from '#server/store/months/split.ts'
import { addMerchants } from '../search/search-payments.ts'
import { cardOf, cards } from './copies.ts'
import { type History, historyUntil, monthsOf } from './history.ts'
import { type FillState, openKeptStage, writeState } from './kept-instance.ts'
import { makeSamples } from './samples.ts'
import { forgetSummaries } from './summaries.ts'
import { tableColumns } from './table-columns.ts'

const gatewayPool = 4

export async function prepareInstance(
  folder: string,
  server: EmbeddedServer,
  pool: Pool,
  payments: number,
): Promise<FillState> {
  const now = systemClock().now()
  const history = historyUntil(now, payments)
  const parts = await splitMonths(pool, history, now)
  await using stage = await openKeptStage({ folder, server, pool: gatewayPool })
  await makeSamples(stage)
  const most = stage.merchant.id
  const mids = await midsOf(pool, most)
  await Promise.all([...stage.apis, ...stage.workers].map((program) => program.stop()))
  await addMerchants(pool)
  await addCards(pool)
  await forgetSummaries(pool)
  const state = { history, most, mids, parts, isReady: false }
  await writeState(folder, state)
  return state
}

/** Gives every month of the history a part, and the coming ones as a worker does. Returns the parts of the history. */
export async function splitMonths(pool: Pool, history: History, now: Date): Promise<FillState['parts']> {
  await prepareMonths(pool, now)
  const months = monthsOf(history)
  for (const month of months) await splitMonth(pool, month)
  const starts = new Set(months.map((month) => month.getTime()))
  return (await readParts(pool)).flatMap(({ suffix, from, to }) =>
    from && to && starts.has(from.getTime()) ? [{ suffix, from, to }] : [],
  )
}

async function splitMonth(pool: Pool, month: Date): Promise<void> {
  const parts = await readParts(pool)
  const part = partAt(parts, month)
  if (!part || part.from?.getTime() === month.getTime()) return
  const result = await splitOff(pool, { part, month, isDistributed: false })
  if (result !== 'split')
    throw new Error(`The month ${month.toISOString().slice(0, 7)} could not be split off: ${result}.`)
}

/** The MID of the samples, and another one. */
async function midsOf(pool: Pool, merchantId: string): Promise<[string, string]> {
  const { rows } = await pool.query<{ id: string }>(
    `select m.id from mids m left join payments p on p.mid_id = m.id and p.merchant_id = $1 and p.order_id = 'SAMPLE-settled'
     order by p.id is null, m.name limit 2`,
    [merchantId],
  )
  const [usual, rare] = rows
  if (!usual || !rare) throw new Error('The instance has fewer than two MIDs.')
  return [usual.id, rare.id]
}

async function addCards(pool: Pool): Promise<void> {
  const own: Readonly<Record<string, string>> = { merchant_id: 'm.id', id: cardOf('last') }
  const names = (await tableColumns(pool, 'cards')).map(({ name }) => name)
  await pool.query(
    `insert into cards (${names.join(', ')}) select ${names.map((name) => own[name] ?? `c.${name}`).join(', ')}
     from cards c join (select merchant_id, id from cards limit 1) sample on sample.merchant_id = c.merchant_id and sample.id = c.id,
       merchants m, generate_series(0, ${cards - 1}) as last`,
  )
}
