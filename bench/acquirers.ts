/**
 * A SALE through each native connector against one through the sandbox connector, by the CPU time that it costs the api process.
 *
 * The acquirers are measured one after the other within a round, so that other load on the machine affects all of them. Notifications go to a second api process,
 * whose cost is shown apart.
 */
import { chosenStandIns } from '#server/demo/acquirer-stand-ins.ts'
import type { Merchant } from '../campaigns/stage/merchant.ts'
import { openStage, type Stage, until } from '../campaigns/stage/stage.ts'
import { CountingReceiver } from './counting-receiver.ts'
import type { Figure } from './figure-table.ts'
import { closedLoop } from './load.ts'
import { canCount, cpuSeconds } from './processes.ts'
import { saleBodies, VoidRun } from './sale.ts'
import type { Terms } from './scene.ts'

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
  await using opened = new AsyncDisposableStack()
  const receiver = new CountingReceiver()
  await receiver.open()
  opened.defer(() => receiver.close())
  const standIns = chosenStandIns('all')
  const stage = opened.use(
    await openStage({ apis: 2, workers: 1, database: 'own', logLevel: 'info', databasePool: terms.pool, standIns }),
  )
  await stage.pool.query('update merchants set notification_url = $1', [receiver.url])
  await stage.standIns.announce(apisOf(stage).notified.url)

  const names = [sandbox, ...stage.standIns.running.map(({ connector }) => connector)]
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

function apisOf({ apis: [paying, notified] }: Stage) {
  if (!paying || !notified) throw new RangeError('The stage has two api processes.')
  return { paying, notified }
}

async function measureSales(stage: Stage, name: string, { seconds, connections }: Terms): Promise<Cost> {
  const { paying, notified } = apisOf(stage)
  const [sales, notifications] = [cpuSeconds(paying.pid), cpuSeconds(notified.pid)]
  const load = await closedLoop({
    url: paying.url,
    path: '/post',
    connections,
    seconds,
    body: saleBodies(merchantOf(stage, name)),
    expects: '"result":"SUCCESS"',
  })
  if (load.failures > 0)
    throw new VoidRun(`${name}: ${load.failures} requests failed, the first with ${load.firstFailure}`)
  await finish(stage)
  const msPerSale = (before: number, now: number): number => ((now - before) / load.requests) * 1000
  return {
    saleMs: msPerSale(sales, cpuSeconds(paying.pid)),
    notificationMs: msPerSale(notifications, cpuSeconds(notified.pid)),
    perSecond: load.perSecond,
  }
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
