/** `npm run bench`: measures, and prints every figure with its reference. */
import { join, resolve } from 'node:path'
import { chosenStandIns } from '#server/demo/acquirer-stand-ins.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { only } from '../campaigns/stage/stage.ts'
import { readOptions, runProgram, UsageError, wholeNumber } from '../tools/command-line.ts'
import { acquirerFigures, profileAcquirers } from './acquirers.ts'
import { analyticsBench } from './analytics.ts'
import { ownCores } from './cores.ts'
import { type Figure, formatFigures, isMet } from './figure-table.ts'
import { floorFigures, saleFigures, startFigures } from './figures.ts'
import { fill } from './fill/fill.ts'
import type { FillState } from './fill/kept-instance.ts'
import { findPgbench } from './floor/pgbench.ts'
import { integratorFigures } from './integrator.ts'
import { notificationFigures, profileNotifications } from './notifications/figures.ts'
import { installPeers, peerFigures } from './peers.ts'
import { databaseTimesDuring } from './profile/database-times.ts'
import { openProfiledDatabase } from './profile/profiled-database.ts'
import { waitsDuring } from './profile/waits.ts'
import { readProfile } from './profile.ts'
import { runSale, warmUp } from './sale.ts'
import { scaleBench } from './scale/scale.ts'
import { scalingFigures } from './scaling.ts'
import { openScene, type Terms } from './scene.ts'
import { searchBench } from './search/search.ts'
import { settlementFigures } from './settlements.ts'
import { tracingFigures } from './tracing/figures.ts'
import { VoidRun } from './void-run.ts'
import { walletBench } from './wallet/figures.ts'
import { walletPeerFigures } from './wallet/peers.ts'
import { callbackFigures } from './workers/callbacks.ts'
import { planFigures, profilePlans } from './workers/plans.ts'

const names = [
  'sale',
  'status',
  'notifications',
  'acquirers',
  'floor',
  'peers',
  'processes',
  'start',
  'wallet',
  'wallet-peers',
  'search',
  'analytics',
  'settlements',
  'integrator',
  'fill',
  'scale',
  'plans',
  'callbacks',
  'tracing',
  'all',
] as const
type Name = (typeof names)[number]

const usage = `Usage: npm run bench -- [MEASUREMENT] [OPTION…]

Measurements:
  sale             payments per second (the default)
  status           status queries per second as well
  notifications    notifications of acquirers per second, and the delay of payments by them
  acquirers        a SALE through each native connector against one through the sandbox connector
  floor            the maximum of this machine: pgbench with the writes of a SALE, and with the least of them
  peers            payments by another payment module on the same PostgreSQL; installs it first
  processes        payments with one and with two api processes, each on a core of its own
  start            the time to start
  wallet           opening wallet tokens
  wallet-peers     the same against packages that only decrypt; installs them first
  search           the first page of every filter of the panel
  analytics        the page Analytics at --payments rows, and counting them
  settlements      a settlement file of --rows rows imported while payments go on
  integrator       the search of the documentation, and callbacks verified by the client libraries
  fill             fills an instance in the folder --data with --payments payments, and measures nothing
  scale            payments, look-ups, claims, searches and figures of that instance against one with 10000 payments
  plans            --plans plans that are due in the same minute, fired while payments go on
  callbacks        callbacks to 1,000 addresses of which a tenth hang
  tracing          payments with and without traces, by turns
  all              sale, status, floor, start and wallet

Options:
  --seconds=8      duration of a round
  --rounds=3       number of rounds
  --connections=32 concurrent requests
  --pool=16        database connections
  --pgbench=FILE   the program pgbench, if it is not found by itself
  --profile        prints where the time goes instead of speeds
  --acquirer=all   acquirers to measure, names separated by commas
  --payments=N     payments to fill with, to search in and to count, 1000000 by default
  --data=DIR       the folder of the filled instance, which is kept
  --jobs=2         months that are filled at the same time
  --rows=100000    rows of the settlement file
  --plans=100000   plans to fire
  --full           payments beside the plans at full speed instead of half of it
  --strict         ends with status 1 if a figure of the search misses its goal

Figures of several rounds are their median; beside it stand the least and the most of them.
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
      pgbench: { type: 'string' },
      acquirer: { type: 'string', default: 'all' },
      payments: { type: 'string', default: '1000000' },
      rows: { type: 'string', default: '100000' },
      data: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      plans: { type: 'string', default: '100000' },
      full: { type: 'boolean', default: false },
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
  if (name === 'fill') {
    const payments = wholeNumber('payments', values.payments)
    const filled = await fill({
      folder: folderNamed(values.data),
      payments,
      jobs: wholeNumber('jobs', values.jobs),
      print,
    })
    return printAndReturn(0, filledLine(filled))
  }
  const { seconds, rounds, connections, pool, profile } = values
  const terms = {
    seconds: wholeNumber('seconds', seconds),
    rounds: wholeNumber('rounds', rounds),
    connections: wholeNumber('connections', connections),
    pool: wholeNumber('pool', pool),
    standIns: standInsNamed(values.acquirer),
    rows: wholeNumber('rows', values.rows),
    pgbench: values.pgbench,
    plans: wholeNumber('plans', values.plans),
    isFull: values.full,
  }
  if (terms.pgbench !== undefined) findPgbench(terms.pgbench)
  try {
    if (name === 'scale') {
      await scaleBench(folderNamed(values.data), terms, (figures) => print(formatFigures(figures)))
      return 0
    }
    return printAndReturn(0, profile ? await profileOf(name, terms) : formatFigures(await measure(name, terms)))
  } catch (error) {
    if (error instanceof VoidRun) return printAndReturn(1, `The run is not valid. ${error.message}`)
    if (error instanceof StartupError) return printAndReturn(1, `${error.message} ${error.remedy}`)
    throw error
  }
}

function folderNamed(path: string | undefined): string {
  if (path === undefined) throw new UsageError('--data is missing: the folder of the filled instance.')
  return resolve(path)
}

function filledLine({ history: { payments, oldest } }: FillState): string {
  return `The instance has ${payments - oldest} payments.`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
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
  if (name === 'wallet-peers') return await walletPeerFigures()
  if (name === 'integrator') return await integratorFigures()
  if (name === 'acquirers') return await acquirerFigures(terms)
  const starts = name === 'start' || name === 'all' ? await startFigures() : []
  if (name === 'start') return starts
  if (name === 'processes') return await measureScaling(terms)
  if (name === 'peers') await installPeers()
  await using scene = await openScene(terms)
  if (name === 'peers') return await peerFigures(scene)
  if (name === 'floor') return await floorFigures(scene)
  if (name === 'notifications') return await notificationFigures(scene)
  if (name === 'settlements') {
    await warmUp(scene)
    return await settlementFigures(scene)
  }
  if (name === 'plans') return await planFigures(scene)
  if (name === 'callbacks') return await callbackFigures(scene)
  if (name === 'tracing') return await tracingFigures(scene)
  const sales = await saleFigures(scene, name === 'status' || name === 'all')
  return [...sales, ...starts, ...(name === 'all' ? await walletBench() : [])]
}

async function measureScaling(terms: Terms): Promise<readonly Figure[]> {
  const cores = ownCores()
  await using scene = await openScene(terms, 2)
  return await scalingFigures(scene, cores)
}

/** One run of SALE, over every acquirer if these are measured, with the profiler on. Speeds would be wrong under it, so none are printed. */
async function profileOf(name: Name, terms: Terms): Promise<string> {
  // A built file does not say which folder a function comes from.
  delete process.env['GATEHOUSE_BUILT_PROGRAMS']
  if (name === 'acquirers') return await profileAcquirers(terms)
  await using scene = await openScene(terms, 1, openProfiledDatabase)
  if (name === 'notifications') {
    const profiles = await profileNotifications(scene)
    return textOf(
      profiles.flatMap(({ name: program, packages, functions }) => [
        [`Self time of the ${program} process by package`, packages],
        [`Self time of the ${program} process by function`, functions],
      ]),
    )
  }
  if (name === 'plans') {
    const { perSecond, costs, packages, functions, waits } = await profilePlans(scene)
    const shares = textOf([
      ['Self time of the worker by package', packages],
      ['Self time of the worker by function', functions],
      ['Activity of database sessions', waits],
    ])
    return [`${perSecond.toFixed(0)} plans per second, each costs`, ...costs, '', shares].join('\n')
  }
  const api = only(scene.stage.apis)
  const folder = join(scene.stage.folder, 'profile')
  await api.stop()
  await api.start(['--cpu-prof', `--cpu-prof-dir=${folder}`])
  await warmUp(scene)
  let times = ''
  const waits = await waitsDuring(scene, async () => {
    times = await databaseTimesDuring(scene, async () => {
      await runSale(scene)
    })
  })
  await api.stop()
  const { packages, functions } = await readProfile(folder)
  const shares = textOf([
    ['Self time of the api process by package', packages],
    ['Self time of the api process by function', functions],
    ['Activity of database sessions', waits],
  ])
  return `${shares}\n\n${times}`
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
