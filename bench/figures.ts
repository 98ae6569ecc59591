/** Measurements as rows of the table: each with its reference in the same run, and with its goal. */
import { runEmpty } from './empty.ts'
import type { Figure } from './figure-table.ts'
import type { DrivenRun } from './floor/driven.ts'
import { type Floor, openFloor, withoutWorker } from './floor/floor.ts'
import { percentile } from './load.ts'
import { everyRound, figureOver, medianOf, milliseconds, perSecond } from './rounds.ts'
import { runLone, runSale, type SaleRun, warmUp } from './sale.ts'
import type { Scene } from './scene.ts'
import { runStart } from './start.ts'
import { runStatus } from './status.ts'

export async function floorFigures(scene: Scene): Promise<readonly Figure[]> {
  const floor = await openFloor(scene)
  await warmUp(scene)
  const rounds = await withoutWorker(scene.stage, () =>
    everyRound(scene.terms, async () => ({
      whole: (await floor.whole()).perSecond,
      intent: (await floor.intent()).perSecond,
      lean: (await floor.lean()).perSecond,
    })),
  )
  const figure = (name: string, kind: 'whole' | 'intent' | 'lean'): Figure =>
    figureOver({
      name,
      values: rounds.map((round) => round[kind]),
      format: perSecond,
      ...(kind === 'whole'
        ? { against: `sent by ${floor.driver}` }
        : { against: 'all writes', ratios: rounds.map((round) => round[kind] / round.whole) }),
    })
  return [
    figure('floor, all writes of a SALE', 'whole'),
    figure('floor, the intent alone', 'intent'),
    figure('lean floor', 'lean'),
  ]
}

interface Round {
  readonly floor: DrivenRun
  readonly lean: DrivenRun
  /** The median latency of a lone SALE in milliseconds. */
  readonly loneMs: number
  readonly sale: SaleRun
  /** Look-ups per second; null if not requested. */
  readonly status: number | null
}

/** Floor and sale alternate, so that other load on the machine affects both. */
export async function saleFigures(scene: Scene, withStatus: boolean): Promise<readonly Figure[]> {
  const floor = await openFloor(scene)
  const emptyMs = await runEmpty(scene)
  await warmUp(scene)
  const rounds = await everyRound(scene.terms, async () => ({
    ...(await withoutWorker(scene.stage, async () => ({ floor: await floor.whole(), lean: await floor.lean() }))),
    loneMs: await runLone(scene),
    sale: await runSale(scene),
    status: withStatus ? (await runStatus(scene)).perSecond : null,
  }))
  return [
    ...speedFigures(rounds, floor.driver),
    ...cpuFigures(rounds, emptyMs),
    ...busyFigure(rounds),
    figureOver({
      name: 'callbacks after the last answer',
      values: rounds.map(({ sale }) => sale.backlogSeconds),
      format: (seconds) => `${seconds.toFixed(2)} s`,
    }),
    figureOver({
      name: 'WAL per SALE',
      values: rounds.map(({ sale }) => sale.walBytes / 1000),
      format: (kilobytes) => `${kilobytes.toFixed(1)} kB`,
      goal: { at: 'most', ratio: 5, unit: ' kB' },
    }),
    figureOver({
      name: 'memory of the api process',
      values: rounds.map(({ sale }) => sale.residentMegabytes),
      format: (megabytes) => `${Math.round(megabytes)} MB`,
      goal: { at: 'most', ratio: 200, unit: ' MB' },
    }),
  ]
}

function speedFigures(rounds: readonly Round[], driver: Floor['driver']): readonly Figure[] {
  const sales = rounds.map(({ sale }) => sale.load.perSecond)
  const against = (name: string, kind: 'floor' | 'lean') =>
    ({
      against: `${name} ${perSecond(medianOf(rounds.map((round) => round[kind].perSecond)))} (${driver})`,
      ratios: rounds.map((round) => round.sale.load.perSecond / round[kind].perSecond),
    }) as const
  const latency = (name: string, share: number): Figure =>
    figureOver({ name, values: rounds.map(({ sale }) => percentile(sale.load.latencies, share)), format: milliseconds })
  const looked = rounds.flatMap(({ status }) => (status === null ? [] : [status]))
  return [
    figureOver({
      name: 'SALE',
      values: sales,
      format: perSecond,
      ...against('floor', 'floor'),
      goal: { at: 'least', ratio: 0.6 },
    }),
    figureOver({
      name: 'SALE',
      values: sales,
      format: perSecond,
      ...against('lean floor', 'lean'),
      goal: { at: 'least', ratio: 0.35 },
    }),
    latency('latency, median', 0.5),
    latency('latency, p99', 0.99),
    figureOver({
      name: 'latency of a lone SALE, median',
      values: rounds.map(({ loneMs }) => loneMs),
      format: milliseconds,
    }),
    ...(looked.length === 0
      ? []
      : [
          figureOver({
            name: 'GET_TRANS_STATUS',
            values: looked,
            format: perSecond,
            against: 'SALE',
            ratios: looked.map((status, index) => status / (sales[index] ?? Number.NaN)),
            goal: { at: 'least', ratio: 8 },
          }),
        ]),
  ]
}

/** CPU time does not depend on other load, so these ratios are the steadiest. */
function cpuFigures(rounds: readonly Round[], emptyMs: number): readonly Figure[] {
  const programs = [...(rounds[0]?.sale.cpuMs.keys() ?? [])]
  const floors = rounds.flatMap(({ floor }) => floor.cpuMs ?? [])
  if (programs.length === 0 || floors.length === 0) return []
  const of = (program: string): readonly number[] => rounds.map(({ sale }) => sale.cpuMs.get(program) ?? 0)
  const api = of('api')
  const all = rounds.map(({ sale }) => [...sale.cpuMs.values()].reduce((sum, ms) => sum + ms, 0))
  return [
    figureOver({
      name: 'CPU of the api process per SALE',
      values: api,
      format: milliseconds,
      against: `empty form ${milliseconds(emptyMs)}`,
      ratios: api.map((ms) => ms / emptyMs),
      goal: { at: 'most', ratio: 10 },
    }),
    figureOver({
      name: 'CPU of all programs per SALE',
      values: all,
      format: milliseconds,
      goal: { at: 'most', ratio: 3, unit: ' ms' },
    }),
    figureOver({
      name: 'CPU of the floor per payment',
      values: floors,
      format: milliseconds,
      against: 'all programs',
      ratios: floors.map((ms, index) => ms / (all[index] ?? Number.NaN)),
    }),
    ...programs
      .filter((program) => program !== 'api')
      .map((program) =>
        figureOver({
          name: `CPU of ${program} per SALE`,
          values: of(program),
          format: milliseconds,
          against: 'api process',
          ratios: of(program).map((ms, index) => ms / (api[index] ?? Number.NaN)),
        }),
      ),
  ]
}

/** Ratios are steady only on an otherwise idle machine: this row shows whether it was. */
function busyFigure(rounds: readonly Round[]): readonly Figure[] {
  const shares = rounds.flatMap(({ sale }) => sale.takenByOthers ?? [])
  if (shares.length === 0) return []
  return [
    figureOver({
      name: 'used by other programs',
      values: shares,
      format: (share) => `${Math.round(share * 100)} %`,
      against: 'the machine',
      ratios: shares,
      goal: { at: 'most', ratio: 0.1 },
    }),
  ]
}

export async function startFigures(): Promise<readonly Figure[]> {
  const { firstSeconds, secondSeconds } = await runStart()
  const row = (name: string, seconds: number, most: number): Figure => ({
    name,
    value: `${seconds.toFixed(2)} s`,
    ratio: seconds,
    goal: { at: 'most', ratio: most, unit: ' s' },
  })
  return [row('first start', firstSeconds, 8), row('second start', secondSeconds, 2)]
}
