/** What traces cost: the same process with and without a collector, by turns, so that other load on the machine affects both. Decision 0131. */
import { only } from '../../campaigns/stage/stage.ts'
import type { Figure } from '../figure-table.ts'
import { everyRound, figureOver, medianOf, milliseconds, perSecond } from '../rounds.ts'
import { runSale, type SaleRun, warmUp } from '../sale.ts'
import type { Scene } from '../scene.ts'
import { VoidRun } from '../void-run.ts'
import { CountingCollector } from './counting-collector.ts'

interface Round {
  readonly without: SaleRun
  readonly traced: SaleRun
}

export async function tracingFigures(scene: Scene): Promise<readonly Figure[]> {
  await using collector = new CountingCollector()
  await collector.open()
  // The second run of a round has more rows in the database, so each is the second one every other time.
  const rounds = await everyRound(scene.terms, async (round) => {
    const untraced = round % 2 === 0 ? await measureRun(scene, []) : null
    const traced = await measureRun(scene, [settingHook(collector.url)])
    return { without: untraced ?? (await measureRun(scene, [])), traced }
  })
  if (collector.spans === 0) throw new VoidRun('The collector received no spans.')
  return [...speedFigure(rounds), ...cpuFigure(rounds)]
}

/** A process that has just started is slow, so each turn warms it up. */
async function measureRun(scene: Scene, nodeFlags: readonly string[]): Promise<SaleRun> {
  const api = only(scene.stage.apis)
  await api.stop()
  await api.start(nodeFlags)
  await warmUp(scene)
  return await runSale(scene)
}

/** The environment of a program of the stage is fixed; this sets the one setting before the program reads it. */
const settingHook = (url: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(`process.env.OTEL_EXPORTER_OTLP_ENDPOINT = ${JSON.stringify(url)}`)}`

function speedFigure(rounds: readonly Round[]): readonly Figure[] {
  const without = rounds.map((round) => round.without.load.perSecond)
  const traced = rounds.map((round) => round.traced.load.perSecond)
  return [
    figureOver({
      name: 'SALE with traces',
      values: traced,
      format: perSecond,
      against: `without ${perSecond(medianOf(without))}`,
      ratios: traced.map((speed, index) => speed / (without[index] ?? Number.NaN)),
      goal: { at: 'least', ratio: 0.97 },
    }),
  ]
}

/** The steadier of the two. */
function cpuFigure(rounds: readonly Round[]): readonly Figure[] {
  const cpuOf = ({ cpuMs }: SaleRun): number => cpuMs.get('api') ?? Number.NaN
  const without = rounds.map((round) => cpuOf(round.without))
  const traced = rounds.map((round) => cpuOf(round.traced))
  if (traced.some(Number.isNaN)) return []
  return [
    figureOver({
      name: 'CPU of the api process per SALE with traces',
      values: traced,
      format: milliseconds,
      against: `without ${milliseconds(medianOf(without))}`,
      ratios: traced.map((ms, index) => ms / (without[index] ?? Number.NaN)),
      goal: { at: 'most', ratio: 1.03 },
    }),
  ]
}
