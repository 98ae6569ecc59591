/**
 * `npm run bench -- callbacks`: callbacks to 1,000 addresses of which a tenth accept the request and never answer. The goal is that the
 * others get theirs within a second of the outcome, 99 of 100 times.
 *
 * Each payment names the next address. The time begins with the gateway's own time of the outcome, and ends when the request has arrived.
 * The worker is started anew for each round, so that it does not know which addresses hang, and the addresses are unblocked.
 */
import { only, until } from '../../campaigns/stage/stage.ts'
import type { Figure } from '../figure-table.ts'
import { closedLoop, percentile } from '../load.ts'
import { everyRound } from '../rounds.ts'
import { warmUp } from '../sale.ts'
import type { Scene } from '../scene.ts'
import { requireAllAnswered, VoidRun } from '../void-run.ts'
import { AddressReceiver, isHanging } from './address-receiver.ts'

const addresses = 1_000
const goalMs = 1_000
/** Enough that, without a bound, deliveries that hang would take every place of a worker; and what one worker delivers easily. */
const perSecond = 100
/** Above the time after which a delivery is given up, so that hanging ones gather and are tried a second time. */
const leastSeconds = 20
const deliveredWithinMs = 60_000

export async function callbackFigures(scene: Scene): Promise<readonly Figure[]> {
  await warmUp(scene)
  return callbackFiguresOf(await everyRound(scene.terms, (round) => runRound(scene, round)))
}

interface CallbackRound {
  /** From outcome to arrival at addresses that answer, ascending, in milliseconds. */
  readonly healthy: Float64Array
  readonly hanging: number
}

async function runRound({ stage, terms }: Scene, round: number): Promise<CallbackRound> {
  const receiver = new AddressReceiver(addresses)
  await receiver.open()
  try {
    const worker = only(stage.workers)
    await worker.stop()
    await stage.pool.query('delete from callback_urls')
    await worker.start()
    const prefix = `CALLBACK-${round}-`
    const api = only(stage.apis)
    let sent = 0
    const load = await closedLoop({
      url: api.url,
      path: '/post',
      connections: terms.connections,
      seconds: Math.max(leastSeconds, terms.seconds),
      perSecond,
      body: () => {
        sent += 1
        const over = { callback_url: receiver.urlOf(sent % addresses) }
        return new URLSearchParams(stage.merchant.saleFields(`${prefix}${sent}`, over)).toString()
      },
      expects: '"status":"SETTLED"',
    })
    await requireAllAnswered(load, api)
    return await readRound(stage.pool, receiver, prefix)
  } finally {
    await receiver.close()
  }
}

interface CallbackRow {
  readonly order_id: string
  readonly created_at: Date
}

async function readRound(
  pool: Scene['stage']['pool'],
  receiver: AddressReceiver,
  prefix: string,
): Promise<CallbackRound> {
  const { rows } = await pool.query<CallbackRow>(
    `select p.order_id, c.created_at from payments p
     join callbacks c on c.merchant_id = p.merchant_id and c.payment_id = p.id where p.order_id like '${prefix}%'`,
  )
  const isToHanging = ({ order_id }: CallbackRow): boolean =>
    isHanging(Number(order_id.slice(prefix.length)) % addresses)
  const healthy = rows.filter((row) => !isToHanging(row))
  const seconds = await until(
    async () => healthy.every(({ order_id }) => receiver.arrivals.has(order_id)),
    deliveredWithinMs,
  )
  if (seconds === null) {
    const missing = healthy.filter(({ order_id }) => !receiver.arrivals.has(order_id)).length
    throw new VoidRun(`${missing} of ${healthy.length} callbacks to addresses that answer did not arrive.`)
  }
  const waits = healthy.map((row) => (receiver.arrivals.get(row.order_id) ?? 0) - row.created_at.getTime())
  return { healthy: Float64Array.from(waits).sort(), hanging: rows.length - healthy.length }
}

/** The round with the median p99 counts. */
export function callbackFiguresOf(rounds: readonly CallbackRound[]): readonly Figure[] {
  const p99 = ({ healthy }: CallbackRound): number => percentile(healthy, 0.99)
  const middle = rounds.toSorted((one, other) => p99(one) - p99(other))[Math.floor(rounds.length / 2)]
  if (!middle) throw new RangeError('A measurement needs at least one round.')
  const ms = (value: number): string => `${value.toFixed(0)} ms`
  return [
    {
      name: 'callback to an address that answers, p99',
      value: ms(p99(middle)),
      against: `${goalMs} ms`,
      ratio: p99(middle) / goalMs,
      goal: { at: 'most', ratio: 1 },
    },
    { name: 'p99, every round', value: rounds.map((round) => ms(p99(round))).join(' ') },
    { name: 'median', value: ms(percentile(middle.healthy, 0.5)) },
    { name: 'longest', value: ms(middle.healthy.at(-1) ?? 0) },
    { name: 'callbacks to addresses that answer', value: String(middle.healthy.length) },
    { name: 'callbacks to addresses that hang', value: String(middle.hanging) },
  ]
}
