/** Measurements as rows of the table: each with its reference in the same run, and with its goal. */
import { runEmpty } from './empty.ts'
import type { Figure } from './figure-table.ts'
import { percentile } from './load.ts'
import { runSale, type SaleRun, warmUp } from './sale.ts'
import { type FloorRun, runFloor, type Scene } from './scene.ts'
import { runStart } from './start.ts'
import { runStatus } from './status.ts'

export async function floorFigures(scene: Scene): Promise<readonly Figure[]> {
  await warmUp(scene)
  const whole = await runFloor(scene)
  const single = await runFloor(scene, 1)
  return [
    { name: 'floor, all writes of a SALE', value: perSecond(whole.perSecond) },
    {
      name: 'floor, the intent alone',
      value: perSecond(single.perSecond),
      against: 'all writes',
      ratio: single.perSecond / whole.perSecond,
    },
  ]
}

interface Round {
  readonly floor: FloorRun
  readonly sale: SaleRun
  /** Look-ups per second; null if not requested. */
  readonly status: number | null
}

/** Floor and sale alternate, so that other load on the machine affects both; the round with the median ratio counts. */
export async function saleFigures(scene: Scene, withStatus: boolean): Promise<readonly Figure[]> {
  const emptyMs = await runEmpty(scene)
  await warmUp(scene)
  const rounds: Round[] = []
  for (let round = 0; round < scene.terms.rounds; round += 1) {
    const floor = await runFloor(scene)
    const sale = await runSale(scene)
    rounds.push({ floor, sale, status: withStatus ? (await runStatus(scene)).perSecond : null })
  }
  const middle = rounds.toSorted((a, b) => share(a) - share(b))[Math.floor(rounds.length / 2)]
  if (!middle) throw new RangeError('A measurement needs at least one round.')
  return [
    ...speedFigures(middle, rounds),
    ...cpuFigures(middle, emptyMs),
    ...busyFigure(middle.sale),
    {
      name: 'callbacks after the last answer',
      value: `${middle.sale.backlogSeconds.toFixed(2)} s`,
    },
    {
      name: 'WAL per SALE',
      value: `${(middle.sale.walBytes / 1000).toFixed(1)} kB`,
      ratio: middle.sale.walBytes / 1000,
      goal: { at: 'most', ratio: 5, unit: ' kB' },
    },
    {
      name: 'memory of the api process',
      value: `${Math.round(middle.sale.residentMegabytes)} MB`,
      ratio: middle.sale.residentMegabytes,
      goal: { at: 'most', ratio: 200, unit: ' MB' },
    },
  ]
}

const share = ({ floor, sale }: Round): number => sale.load.perSecond / floor.perSecond

function speedFigures(middle: Round, rounds: readonly Round[]): readonly Figure[] {
  const { floor, sale, status } = middle
  const { perSecond: sales, latencies } = sale.load
  return [
    {
      name: 'SALE',
      value: perSecond(sales),
      against: `floor ${perSecond(floor.perSecond)}`,
      ratio: share(middle),
      goal: { at: 'least', ratio: 0.25 },
    },
    { name: 'SALE, every round', value: rounds.map((round) => share(round).toFixed(2)).join(' '), against: 'floor' },
    { name: 'latency, median', value: milliseconds(percentile(latencies, 0.5)) },
    { name: 'latency, p99', value: milliseconds(percentile(latencies, 0.99)) },
    ...(status === null
      ? []
      : [
          {
            name: 'GET_TRANS_STATUS',
            value: perSecond(status),
            against: 'SALE',
            ratio: status / sales,
            goal: { at: 'least', ratio: 8 } as const,
          },
        ]),
  ]
}

/** CPU time does not depend on other load, so these ratios are the steadiest. */
function cpuFigures({ sale: { cpuMs }, floor }: Round, emptyMs: number): readonly Figure[] {
  const api = cpuMs.get('api')
  if (api === undefined || floor.cpuMs === null) return []
  const all = [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0)
  return [
    {
      name: 'CPU of the api process per SALE',
      value: milliseconds(api),
      against: `empty form ${milliseconds(emptyMs)}`,
      ratio: api / emptyMs,
      goal: { at: 'most', ratio: 6 },
    },
    {
      name: 'CPU of all programs per SALE',
      value: milliseconds(all),
      against: `floor ${milliseconds(floor.cpuMs)}`,
      ratio: all / floor.cpuMs,
    },
    ...[...cpuMs]
      .filter(([program]) => program !== 'api')
      .map(([program, ms]) => ({
        name: `CPU of ${program} per SALE`,
        value: milliseconds(ms),
        against: 'api process',
        ratio: ms / api,
      })),
  ]
}

/** Ratios are steady only on an otherwise idle machine: this row shows whether it was. */
function busyFigure({ takenByOthers }: SaleRun): readonly Figure[] {
  if (takenByOthers === null) return []
  return [
    {
      name: 'used by other programs',
      value: `${Math.round(takenByOthers * 100)} %`,
      against: 'the machine',
      ratio: takenByOthers,
      goal: { at: 'most', ratio: 0.1 },
    },
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

const perSecond = (count: number): string => `${Math.round(count)} /s`
const milliseconds = (ms: number): string => `${ms.toFixed(2)} ms`
