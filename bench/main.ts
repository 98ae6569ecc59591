/** `npm run bench`: measures, and prints every figure with its reference. */
import { join } from 'node:path'
import { chosenStandIns } from '#server/demo/acquirer-stand-ins.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { only } from '../campaigns/stage/stage.ts'
import { readOptions, runProgram, UsageError, wholeNumber } from '../tools/command-line.ts'
import { acquirerFigures, profileAcquirers } from './acquirers.ts'
import { analyticsBench } from './analytics.ts'
import { type Figure, formatFigures, isMet } from './figure-table.ts'
import { floorFigures, saleFigures, startFigures } from './figures.ts'
import { integratorFigures } from './integrator.ts'
import { notificationFigures, profileNotifications } from './notifications/figures.ts'
import { readProfile } from './profile.ts'
import { runSale, warmUp } from './sale.ts'
import { openScene, type Terms } from './scene.ts'
import { searchBench } from './search/search.ts'
import { settlementFigures } from './settlements.ts'
import { VoidRun } from './void-run.ts'
import { waitsDuring } from './waits.ts'
import { walletBench } from './wallet.ts'

const names = [
  'sale',
  'status',
  'notifications',
  'acquirers',
  'floor',
  'start',
  'wallet',
  'search',
  'analytics',
  'settlements',
  'integrator',
  'all',
] as const
type Name = (typeof names)[number]

const usage = `Usage: npm run bench -- [MEASUREMENT] [OPTION…]

Measurements:
  sale             payments per second (the default)
  status           status queries per second as well
  notifications    notifications of acquirers per second, and the delay of payments by them
  acquirers        a SALE through each native connector against one through the sandbox connector
  floor            the maximum of this machine
  start            the time to start
  wallet           opening wallet tokens
  search           the first page of every filter of the panel
  analytics        the page Analytics at --payments rows, and counting them
  settlements      a settlement file of --rows rows imported while payments go on
  integrator       the search of the documentation, and callbacks verified by the client libraries
  all              all of them except search, analytics, settlements, integrator, notifications and acquirers

Options:
  --seconds=8      duration of a round
  --rounds=3       number of rounds
  --connections=32 concurrent requests
  --pool=16        database connections
  --profile        prints where the time goes instead of speeds
  --acquirer=all   acquirers to measure, names separated by commas
  --payments=N     rows to search in and to count, 1000000 by default
  --rows=100000    rows of the settlement file
  --strict         ends with status 1 if a figure of the search misses its goal

Ends with status 1 if the run is not valid because something was lost in it.`

process.exitCode = await runProgram(usage, main)

async function main(): Promise<number> {
  const { values, positionals } = readOptions({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '8' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
      pool: { type: 'string', default: '16' },
      acquirer: { type: 'string', default: 'all' },
      payments: { type: 'string', default: '1000000' },
      rows: { type: 'string', default: '100000' },
      strict: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  })
  const name = names.find((known) => known === (positionals[0] ?? 'sale'))
  if (name === undefined) throw new UsageError(`There is no measurement ${positionals[0]}.`)
  if (name === 'search') {
    const figures = await searchBench(wholeNumber('payments', values.payments))
    return printAndReturn(
      values.strict && figures.some((figure) => isMet(figure) === false) ? 1 : 0,
      formatFigures(figures),
    )
  }
  if (name === 'analytics')
    return printAndReturn(0, formatFigures(await analyticsBench(wholeNumber('payments', values.payments))))
  const { seconds, rounds, connections, pool, profile } = values
  const terms = {
    seconds: wholeNumber('seconds', seconds),
    rounds: wholeNumber('rounds', rounds),
    connections: wholeNumber('connections', connections),
    pool: wholeNumber('pool', pool),
    standIns: standInsNamed(values.acquirer),
    rows: wholeNumber('rows', values.rows),
  }
  try {
    return printAndReturn(0, profile ? await profileOf(name, terms) : formatFigures(await measure(name, terms)))
  } catch (error) {
    if (error instanceof VoidRun) return printAndReturn(1, `The run is not valid. ${error.message}`)
    throw error
  }
}

function standInsNamed(wish: string): readonly string[] {
  try {
    return chosenStandIns(wish)
  } catch (error) {
    throw error instanceof StartupError ? new UsageError(error.message) : error
  }
}

function printAndReturn(status: number, text: string): number {
  process.stdout.write(`${text}\n`)
  return status
}

async function measure(name: Name, terms: Terms): Promise<readonly Figure[]> {
  if (name === 'wallet') return await walletBench()
  if (name === 'integrator') return await integratorFigures()
  if (name === 'acquirers') return await acquirerFigures(terms)
  const starts = name === 'start' || name === 'all' ? await startFigures() : []
  if (name === 'start') return starts
  await using scene = await openScene(terms)
  if (name === 'floor') return await floorFigures(scene)
  if (name === 'notifications') return await notificationFigures(scene)
  if (name === 'settlements') return await settlementFigures(scene)
  return [...(await saleFigures(scene, name === 'status' || name === 'all')), ...starts]
}

/** One run of SALE, over every acquirer if these are measured, with the profiler on. Speeds would be wrong under it, so none are printed. */
async function profileOf(name: Name, terms: Terms): Promise<string> {
  if (name === 'acquirers') return await profileAcquirers(terms)
  await using scene = await openScene(terms)
  if (name === 'notifications') {
    const profiles = await profileNotifications(scene)
    return textOf(
      profiles.flatMap(({ name: program, packages, functions }) => [
        [`Self time of the ${program} process by package`, packages],
        [`Self time of the ${program} process by function`, functions],
      ]),
    )
  }
  const api = only(scene.stage.apis)
  const folder = join(scene.stage.folder, 'profile')
  await api.stop()
  await api.start(['--cpu-prof', `--cpu-prof-dir=${folder}`])
  await warmUp(scene)
  const waits = await waitsDuring(scene, async () => {
    await runSale(scene)
  })
  await api.stop()
  const { packages, functions } = await readProfile(folder)
  return textOf([
    ['Self time of the api process by package', packages],
    ['Self time of the api process by function', functions],
    ['Activity of database sessions', waits],
  ])
}

interface Share {
  readonly name: string
  readonly share: number
}

function textOf(parts: readonly (readonly [title: string, shares: readonly Share[]])[]): string {
  return parts
    .map(([title, shares]) => [title, ...shares.filter(({ share }) => share >= 0.005).map(line)].join('\n'))
    .join('\n\n')
}

function line({ name, share }: Share): string {
  return `${(share * 100).toFixed(1).padStart(6)} %  ${name}`
}
