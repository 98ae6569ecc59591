/**
 * What traces cost: the same process without a collector, with traces of every request and with those of a tenth, by turns, so that other
 * load on the machine affects all. See decisions/observability#samplers.
 */
import { only } from '../../campaigns/stage/stage.ts'
import type { Figure } from '../figure-table.ts'
import { everyRound, figureOver, medianOf, milliseconds, perSecond } from '../rounds.ts'
import { runSale, type SaleRun, warmUp } from '../sale.ts'
import type { Scene } from '../scene.ts'
import { VoidRun } from '../void-run.ts'
import { CountingCollector } from './counting-collector.ts'

// biome-ignore format: a table is read in columns.
const legs = {
  without: null,
  every:   { title: 'traces of every request', sampler: 'parentbased_always_on',    share: '1' },
  tenth:   { title: 'traces of a tenth',       sampler: 'parentbased_traceidratio', share: '0.1' },
} as const
type Leg = keyof typeof legs
type Round = Readonly<Record<Leg, SaleRun>>

export async function tracingFigures(scene: Scene): Promise<readonly Figure[]> {
  await using collector = new CountingCollector()
  await collector.open()
  const measure = (leg: Leg): Promise<SaleRun> => measureRun(scene, collector, leg)
  const rounds = await everyRound(scene.terms, (round) => measureRound(round, measure))
  return (['every', 'tenth'] as const).flatMap((leg) => [...speedFigure(rounds, leg), ...cpuFigure(rounds, leg)])
}

/** A later run of a round has more rows in the database, so the runs take turns at being the first. */
async function measureRound(round: number, measure: (leg: Leg) => Promise<SaleRun>): Promise<Round> {
  const order = (['without', 'every', 'tenth'] as const).map((_, index, all) => all[(index + round) % all.length])
  const runs: Partial<Record<Leg, SaleRun>> = {}
  for (const leg of order) if (leg !== undefined) runs[leg] = await measure(leg)
  const { without, every, tenth } = runs
  if (!without || !every || !tenth) throw new VoidRun('A run of the round is missing.')
  return { without, every, tenth }
}

/** A process that has just started is slow, so each turn warms it up. */
async function measureRun(scene: Scene, collector: CountingCollector, leg: Leg): Promise<SaleRun> {
  const api = only(scene.stage.apis)
  // Sends what is left of the run before.
  await api.stop()
  const before = collector.spans
  await api.start(settingHook(collector.url, leg))
  await warmUp(scene)
  const run = await runSale(scene)
  if (collector.spans > before !== (legs[leg] !== null))
    throw new VoidRun(`The collector received ${collector.spans - before} spans of the run "${leg}".`)
  return run
}

/** The environment of a program of the stage is fixed; this sets the settings before the program reads them. Every leg starts with the hook, because a process with one runs slower. */
function settingHook(url: string, leg: Leg): readonly string[] {
  const set = environmentOf(url, leg)
  return [`--import=data:text/javascript,${encodeURIComponent(`Object.assign(process.env, ${JSON.stringify(set)})`)}`]
}

function environmentOf(url: string, leg: Leg): Readonly<Record<string, string>> {
  const traces = legs[leg]
  if (traces === null) return {}
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER: traces.sampler,
    OTEL_TRACES_SAMPLER_ARG: traces.share,
  }
}

function speedFigure(rounds: readonly Round[], leg: 'every' | 'tenth'): readonly Figure[] {
  const without = rounds.map((round) => round.without.load.perSecond)
  const traced = rounds.map((round) => round[leg].load.perSecond)
  return [
    figureOver({
      name: `SALE with ${legs[leg].title}`,
      values: traced,
      format: perSecond,
      against: `without ${perSecond(medianOf(without))}`,
      ratios: traced.map((speed, index) => speed / (without[index] ?? Number.NaN)),
      goal: { at: 'least', ratio: 0.97 },
    }),
  ]
}

/** The steadier of the two. */
function cpuFigure(rounds: readonly Round[], leg: 'every' | 'tenth'): readonly Figure[] {
  const cpuOf = ({ cpuMs }: SaleRun): number => cpuMs.get('api') ?? Number.NaN
  const without = rounds.map((round) => cpuOf(round.without))
  const traced = rounds.map((round) => cpuOf(round[leg]))
  if (traced.some(Number.isNaN)) return []
  return [
    figureOver({
      name: `CPU of the api process per SALE with ${legs[leg].title}`,
      values: traced,
      format: milliseconds,
      against: `without ${milliseconds(medianOf(without))}`,
      ratios: traced.map((ms, index) => ms / (without[index] ?? Number.NaN)),
      goal: { at: 'most', ratio: 1.03 },
    }),
  ]
}
