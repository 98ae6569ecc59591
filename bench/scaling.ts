/**
 * `npm run bench -- processes`: SALE with one and with two api processes, by turns. Each api process is bound to a core, and everything else
 * (database, worker, acquirer, the merchant that sends) to the other cores, so that the database does not compete with what is measured.
 *
 * On a machine without enough cores both api processes share one. Their speed then says nothing about a second process, but their CPU
 * time per SALE does: as long as the database has room, two processes on two cores reach twice the speed of one, less what a SALE costs
 * more in CPU time with two of them.
 */
import { only } from '../campaigns/stage/stage.ts'
import { pinTo } from './cores.ts'
import type { Figure } from './figure-table.ts'
import { everyRound, figureOver, medianOf, milliseconds, perSecond } from './rounds.ts'
import { runSale, type SaleRun, warmUp } from './sale.ts'
import type { Scene } from './scene.ts'

/** Two for the api processes, and as many for everything else. */
const coresNeeded = 4
const goal = { at: 'least', ratio: 1.8 } as const

interface Round {
  readonly one: SaleRun
  readonly two: SaleRun
}

/** The scene has two api processes, and the cores are those of this process. */
export async function scalingFigures(scene: Scene, cores: readonly number[]): Promise<readonly Figure[]> {
  const isEnough = cores.length >= coresNeeded
  const layout = layOut(cores)
  pinAll(scene, layout)
  await warmUp(scene)
  const rounds = await everyRound(scene.terms, async () => ({
    one: await runSale(scene, [only(scene.stage.apis)]),
    two: await runSale(scene),
  }))
  return [
    {
      name: 'cores',
      value: String(cores.length),
      against: isEnough ? `api ${layout.apis.join(', ')}; others ${layout.others.join(', ')}` : tooFew,
    },
    ...speedFigures(rounds, isEnough),
    ...cpuFigures(rounds, isEnough),
  ]
}

const tooFew = `${coresNeeded} are needed: both api processes share one, and the speed-up is an estimate`

interface Layout {
  /** The core of each api process. */
  readonly apis: readonly [number, number]
  readonly others: readonly number[]
}

/** With one core there is nothing to choose. */
export function layOut(cores: readonly number[]): Layout {
  const [first = 0, second = first] = cores
  const rest = cores.slice(cores.length >= coresNeeded ? 2 : 1)
  return { apis: [first, cores.length >= coresNeeded ? second : first], others: rest.length > 0 ? rest : [first] }
}

/** The api processes come last, because they are children of this process and would otherwise get its cores. */
function pinAll({ stage }: Scene, { apis, others }: Layout): void {
  for (const pid of [process.pid, stage.database.pid() ?? 0, stage.sandbox.pid, only(stage.workers).pid])
    pinTo(others, pid)
  for (const [index, core] of apis.entries()) pinTo([core], stage.apis[index]?.pid ?? 0)
}

function speedFigures(rounds: readonly Round[], isEnough: boolean): readonly Figure[] {
  const [ones, twos] = [rounds.map(({ one }) => one.load.perSecond), rounds.map(({ two }) => two.load.perSecond)]
  return [
    figureOver({ name: 'SALE, one api process', values: ones, format: perSecond }),
    figureOver({
      name: 'SALE, two api processes',
      values: twos,
      format: perSecond,
      against: 'one',
      ratios: twos.map((two, index) => two / (ones[index] ?? Number.NaN)),
      ...(isEnough ? { goal } : {}),
    }),
  ]
}

function cpuFigures(rounds: readonly Round[], isEnough: boolean): readonly Figure[] {
  const of = (program: string, processes: 'one' | 'two') =>
    rounds.map((round) => round[processes].cpuMs.get(program) ?? 0)
  const compareFigure = (name: string, program: string): Figure =>
    figureOver({
      name,
      values: of(program, 'two'),
      format: milliseconds,
      against: `${milliseconds(medianOf(of(program, 'one')))} with one`,
      ratios: of(program, 'two').map((ms, index) => ms / (of(program, 'one')[index] ?? Number.NaN)),
    })
  const estimates = of('api', 'one').map((ms, index) => (2 * ms) / (of('api', 'two')[index] ?? Number.NaN))
  return [
    compareFigure('CPU of two api processes per SALE', 'api'),
    compareFigure('CPU of PostgreSQL per SALE with two', 'PostgreSQL'),
    ...(isEnough
      ? []
      : [
          figureOver({
            name: 'speed-up by a second core, estimated from CPU time',
            values: estimates,
            format: (ratio) => ratio.toFixed(2),
            goal,
          }),
        ]),
  ]
}
