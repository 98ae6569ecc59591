/**
 * A SALE through each native connector against one through the sandbox connector, by the CPU time that it costs the api process.
 *
 * The acquirers are measured one after the other within a round, so that other load on the machine affects all of them. Notifications go to a second api process,
 * whose cost is shown apart.
 */
import { join } from 'node:path'
import type { Merchant } from '../campaigns/stage/merchant.ts'
import { openStage, type Stage, until } from '../campaigns/stage/stage.ts'
import { CountingReceiver } from './counting-receiver.ts'
import type { Figure } from './figure-table.ts'
import { closedLoop, type LoadResult } from './load.ts'
import { canCount, cpuSeconds } from './processes.ts'
import { readFunctionTimes } from './profile.ts'
import { saleBodies } from './sale.ts'
import type { Terms } from './scene.ts'
import { requireAllAnswered, VoidRun } from './void-run.ts'

const goal = 1.3
const warmUpSeconds = 4
const finishedWithinMs = 120_000
const sandbox = 'sandbox'

interface Cost {
  readonly saleMs: number
  readonly notificationMs: number
  readonly perSecond: number
}

type Round = ReadonlyMap<string, Cost>

export async function acquirerFigures(terms: Terms): Promise<readonly Figure[]> {
  if (!canCount) throw new VoidRun('This system does not tell the CPU time of a process.')
  await using scene = await openAcquirerScene(terms)
  const { stage, names } = scene
  for (const name of names) await measureSales(stage, name, { ...terms, seconds: warmUpSeconds })
  const rounds: Round[] = []
  for (let round = 0; round < terms.rounds; round += 1) {
    const results = new Map<string, Cost>()
    for (const name of names) results.set(name, await measureSales(stage, name, terms))
    rounds.push(results)
  }
  await requireAgreement(stage)
  return names.flatMap((name) => figuresOf(name, rounds))
}

/** What a SALE through each connector costs beyond one through the sandbox connector, by function of the api process. */
export async function profileAcquirers(terms: Terms): Promise<string> {
  await using scene = await openAcquirerScene(terms)
  const { stage, names } = scene
  const costs = new Map<string, ReadonlyMap<string, number>>()
  for (const name of names) costs.set(name, await profileSales(stage, name, terms))
  const base = costs.get(sandbox) ?? new Map<string, number>()
  return names
    .map((name) => [titleOf(name), ...excessLines(costs.get(name) ?? base, base, name)].join('\n'))
    .join('\n\n')
}

interface AcquirerScene extends AsyncDisposable {
  readonly stage: Stage
  /** Of the connectors, the sandbox first. */
  readonly names: readonly string[]
}

async function openAcquirerScene(terms: Terms): Promise<AcquirerScene> {
  await using opened = new AsyncDisposableStack()
  const receiver = new CountingReceiver()
  await receiver.open()
  opened.defer(() => receiver.close())
  const stage = opened.use(
    await openStage({
      apis: 2,
      workers: 1,
      database: 'own',
      logLevel: 'info',
      databasePool: terms.pool,
      standIns: terms.standIns,
    }),
  )
  await stage.pool.query('update merchants set notification_url = $1', [receiver.url])
  await stage.standIns.announce(apisOf(stage).notified.url)

  const names = [sandbox, ...stage.standIns.running.map(({ connector }) => connector)]
  const resources = opened.move()
  return { stage, names, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

function apisOf({ apis: [paying, notified] }: Stage) {
  if (!paying || !notified) throw new RangeError('The stage has two api processes.')
  return { paying, notified }
}

async function measureSales(stage: Stage, name: string, terms: Terms): Promise<Cost> {
  const { paying, notified } = apisOf(stage)
  const [sales, notifications] = [cpuSeconds(paying.pid), cpuSeconds(notified.pid)]
  const load = await paySales(stage, name, terms)
  await finish(stage)
  const msPerSale = (before: number, now: number): number => ((now - before) / load.requests) * 1000
  return {
    saleMs: msPerSale(sales, cpuSeconds(paying.pid)),
    notificationMs: msPerSale(notifications, cpuSeconds(notified.pid)),
    perSecond: load.perSecond,
  }
}

async function paySales(stage: Stage, name: string, { seconds, connections }: Terms): Promise<LoadResult> {
  const load = await closedLoop({
    url: apisOf(stage).paying.url,
    path: '/post',
    connections,
    seconds,
    body: saleBodies(merchantOf(stage, name)),
    expects: '"result":"SUCCESS"',
  })
  await requireAllAnswered(load, apisOf(stage).paying, name)
  return load
}

/** In a process of its own for each, since the profile is written when a process ends. Microseconds per SALE by function. */
async function profileSales(stage: Stage, name: string, terms: Terms): Promise<ReadonlyMap<string, number>> {
  const { paying } = apisOf(stage)
  const folder = join(stage.folder, 'profile', name)
  await paying.stop()
  await paying.start(['--cpu-prof', `--cpu-prof-dir=${folder}`])
  const load = await paySales(stage, name, terms)
  await finish(stage)
  await paying.stop()
  const times = await readFunctionTimes(folder)
  await paying.start()
  return new Map([...times].map(([key, ms]) => [key, (ms * 1000) / load.requests]))
}

const linesShown = 40

const titleOf = (name: string): string =>
  name === sandbox ? 'sandbox, µs per SALE' : `${name}, µs per SALE beyond the sandbox connector`

function excessLines(
  costs: ReadonlyMap<string, number>,
  base: ReadonlyMap<string, number>,
  name: string,
): readonly string[] {
  const beyond = [...costs].map(([key, cost]) => [key, name === sandbox ? cost : cost - (base.get(key) ?? 0)] as const)
  const sum = (times: ReadonlyMap<string, number>): number =>
    [...times.values()].reduce((total, cost) => total + cost, 0)
  const rows = [['all', name === sandbox ? sum(costs) : sum(costs) - sum(base)] as const, ...beyond]
  return rows
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, linesShown)
    .map(([key, cost]) => `${cost.toFixed(1).padStart(8)}  ${key}`)
}

function merchantOf(stage: Stage, name: string): Merchant {
  const merchant = stage.merchants.find((one) => one.name === `demo-${name}`)
  return merchant ?? stage.merchantNamed('demo')
}

/** The next acquirer must not pay for callbacks and notifications of this one. */
async function finish({ pool }: Stage): Promise<void> {
  const seconds = await until(async () => {
    const { rows } = await pool.query<{ due: number }>(
      `select (select count(*) from callbacks where state = 'due')::int
            + (select count(*) from acquirer_events where state = 'due')::int as due`,
    )
    return rows[0]?.due === 0
  }, finishedWithinMs)
  if (seconds === null) throw new VoidRun('Callbacks or notifications of an acquirer were not finished.')
}

/** The validity gate: each stand-in executed exactly what the gateway settled over it. */
async function requireAgreement(stage: Stage): Promise<void> {
  const executed = await stage.standIns.ledger(stage.pool)
  const { rows } = await stage.pool.query<{ settled: number }>(
    `select count(*)::int as settled from payments p join mids m on m.id = p.mid_id
     where p.status = 'SETTLED' and m.connector <> $1`,
    [sandbox],
  )
  const settled = rows[0]?.settled ?? 0
  const paid = new Set(executed.map(({ payment_id }) => payment_id)).size
  if (paid !== settled)
    throw new VoidRun(`The stand-ins executed ${paid} payments, and the gateway settled ${settled} over them.`)
}

function figuresOf(name: string, rounds: readonly Round[]): readonly Figure[] {
  const ratios = rounds.map((round) => ratioIn(round, name)).toSorted((a, b) => a - b)
  const middle = rounds.toSorted((a, b) => ratioIn(a, name) - ratioIn(b, name))[Math.floor(rounds.length / 2)]
  const result = middle?.get(name)
  if (!middle || !result) throw new RangeError('A measurement needs at least one round.')
  const reference = middle.get(sandbox)
  const value = `${result.saleMs.toFixed(2)} ms, ${Math.round(result.perSecond)} /s`
  if (name === sandbox || !reference) return [{ name: 'CPU of the api process per SALE, sandbox', value }]
  return [
    {
      name: `CPU of the api process per SALE, ${name}`,
      value,
      against: `sandbox ${reference.saleMs.toFixed(2)} ms`,
      ratio: ratioIn(middle, name),
      goal: { at: 'most', ratio: goal },
    },
    { name: `${name}, every round`, value: ratios.map((ratio) => ratio.toFixed(2)).join(' '), against: 'sandbox' },
    { name: `${name}, notifications per SALE`, value: `${result.notificationMs.toFixed(2)} ms` },
  ]
}

const ratioIn = (round: Round, name: string): number =>
  (round.get(name)?.saleMs ?? Number.NaN) / (round.get(sandbox)?.saleMs ?? Number.NaN)
