/**
 * `npm run bench -- scale --data=DIR`: what an instance filled by `fill` does, against one with ten thousand payments, by turns.
 * SALE at nine tenths of the speed at least; look-ups, claims and searches within three times; dashboard and analytics within 300 ms; finance within the panel's
 * limit; a settlement file imported within a minute.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../tools/command-line.ts'
import type { Figure } from '../figure-table.ts'
import { fill } from '../fill/fill.ts'
import { readState } from '../fill/kept-instance.ts'
import type { Terms } from '../scene.ts'
import { searchFigures } from '../search/search.ts'
import { settlementFigures } from '../settlements.ts'
import type { Pair } from './by-turns.ts'
import { claimFigures } from './claims.ts'
import { type Filled, openFilled } from './filled.ts'
import { financeFigures } from './finance.ts'
import { panelFigures } from './panel.ts'
import { saleFigures, statusFigures } from './requests.ts'
import { bloatFigures, sizeFigures, sizesOf } from './sizes.ts'

const few = 10_000

/** `print` receives the figures of each part as soon as they are there. */
export async function scaleBench(
  folder: string,
  terms: Terms,
  print: (figures: readonly Figure[]) => void,
): Promise<readonly Figure[]> {
  const state = await readState(folder)
  if (!state?.isReady) throw new UsageError(`${folder} is not filled. Run: npm run bench -- fill --data=${folder}`)
  await using opened = new AsyncDisposableStack()
  const smallFolder = await mkdtemp(join(tmpdir(), 'gatehouse-scale-'))
  opened.defer(() => rm(smallFolder, { recursive: true, force: true }))
  const smallState = await fill({ folder: smallFolder, payments: few, jobs: 1, print: () => undefined })
  const small = opened.use(await openFilled(smallFolder, smallState, terms.pool))
  const large = opened.use(await openFilled(folder, state, terms.pool))
  const all: Figure[] = []
  for (const measure of measurements) {
    const figures = await measure({ small, large }, terms)
    print(figures)
    all.push(...figures)
  }
  return all
}

type Measurement = (pair: Pair<Filled>, terms: Terms) => Promise<readonly Figure[]>

const measurements: readonly Measurement[] = [
  ({ large }) => sizeFigures(large),
  async (pair, terms) => {
    const before = await sizesOf(pair.large.pool)
    const sales = await saleFigures(pair, terms)
    return [...sales, ...(await bloatFigures(pair.large, before))]
  },
  statusFigures,
  ({ large: { stage } }, terms) => settlementFigures({ stage, terms }),
  async (pair) => {
    await stopWorkers(pair)
    return claimFigures(pair)
  },
  panelFigures,
  financeFigures,
  ({ small, large }) =>
    searchFigures({ pool: small.panel, numbered: small.numbered }, { pool: large.panel, numbered: large.numbered }),
]

/** The measurements from here on shall not compete with them. */
const stopWorkers = ({ small, large }: Pair<Filled>): Promise<unknown> =>
  Promise.all([...small.stage.workers, ...large.stage.workers].map((worker) => worker.stop()))
