/** What finance reads of the largest merchant: everything that was ever booked, as its account, a closing, a payout and the dashboard's light do. */
import { dayMs } from '#domain/time.ts'
import { accountStore } from '#server/store/finance/accounts.ts'
import { marginStore } from '#server/store/finance/margin.ts'
import type { Figure } from '../figure-table.ts'
import { limitFigure, type Pair, timeByTurns } from './by-turns.ts'
import type { Filled } from './filled.ts'

/** Of a statement of the panel: `assembly/panel-pool.ts`. */
const limitMs = 15_000
const days = 30
const few = { warmUps: 1, rounds: 3 }

type Reading = (filled: Filled, now: Date) => Promise<unknown>

// biome-ignore format: a table is read in columns.
const readings: readonly (readonly [name: string, read: Reading])[] = [
  ['account, everything',          ({ panel, numbered }, now) => accountStore(panel).sumMovements(numbered.most, new Date(0), now)],
  [`account, ${days} days`,        ({ panel, numbered }, now) => accountStore(panel).sumMovements(numbered.most, before(now), now)],
  [`margin, ${days} days`,         ({ panel, numbered }, now) => marginStore(panel).sumCharges(numbered.most, before(now), now)],
]

const before = (now: Date): Date => new Date(now.getTime() - days * dayMs)

export async function financeFigures(pair: Pair<Filled>): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [name, read] of readings) {
    const work = (filled: Filled) => () => read(filled, filled.stage.context.clock.now())
    const times = await timeByTurns({ small: work(pair.small), large: work(pair.large) }, few)
    figures.push(limitFigure(`finance of the largest merchant, ${name}`, times, limitMs))
  }
  return figures
}
