/** Payments and look-ups per second through the gateway, on both instances by turns. */
import { until } from '../../campaigns/stage/stage.ts'
import type { Figure } from '../figure-table.ts'
import { spread } from '../fill/history.ts'
import { closedLoop, type LoadResult, percentile } from '../load.ts'
import { saleBodies } from '../sale.ts'
import type { Terms } from '../scene.ts'
import { requireAllAnswered, VoidRun } from '../void-run.ts'
import { median, milliseconds, type Pair } from './by-turns.ts'
import { apiOf, type Filled } from './filled.ts'

const warmUpSeconds = 6
const rewarmSeconds = 1
const deliveredWithinMs = 120_000

type Measured = Pick<Terms, 'seconds' | 'rounds' | 'connections'>

interface Load {
  readonly body: () => string
  readonly expects: string
}

const send = (filled: Filled, { body, expects }: Load, connections: number, seconds: number): Promise<LoadResult> =>
  closedLoop({ url: apiOf(filled).url, path: '/post', connections, seconds, body, expects })

/** Of two instances the one that comes first changes with every round. */
async function loadByTurns(
  pair: Pair<Filled>,
  loads: Pair<Load>,
  { seconds, rounds, connections }: Measured,
): Promise<Pair<readonly LoadResult[]>> {
  const results = { small: [] as LoadResult[], large: [] as LoadResult[] }
  const sizes = ['small', 'large'] as const
  for (const size of sizes) await send(pair[size], loads[size], connections, warmUpSeconds)
  for (let round = 0; round < rounds; round += 1)
    for (const size of round % 2 === 0 ? sizes : sizes.toReversed()) {
      await send(pair[size], loads[size], connections, rewarmSeconds)
      const result = await send(pair[size], loads[size], connections, seconds)
      await requireAllAnswered(result, apiOf(pair[size]))
      await requireDelivered(pair[size])
      results[size].push(result)
    }
  return results
}

async function requireDelivered({ pool }: Filled): Promise<void> {
  const seconds = await until(async () => {
    const { rowCount } = await pool.query("select 1 from callbacks where state = 'due' limit 1")
    return rowCount === 0
  }, deliveredWithinMs)
  if (seconds === null) throw new VoidRun('The backlog of callbacks did not return to zero.')
}

export async function saleFigures(pair: Pair<Filled>, terms: Measured): Promise<readonly Figure[]> {
  const expects = '"status":"SETTLED"'
  const loadOf = ({ stage }: Filled): Load => ({ body: saleBodies(stage.merchant), expects })
  const results = await loadByTurns(pair, { small: loadOf(pair.small), large: loadOf(pair.large) }, terms)
  await requireAgreement(pair.small)
  await requireAgreement(pair.large)
  return figuresOf('SALE', results, 0.9)
}

/** The acquirer's executions = our settlements = the merchant's callbacks, since the instance was opened. */
async function requireAgreement({ stage, receiver, pool, since }: Filled): Promise<void> {
  const { rows } = await pool.query<{ settled: number }>(
    "select count(*)::int as settled from payments where id >= $1 and status = 'SETTLED'",
    [since],
  )
  const executed = (await stage.acquirer.summary()).entries
  const settled = rows[0]?.settled ?? 0
  if (executed !== settled || settled !== receiver.count)
    throw new VoidRun(
      `The acquirer executed ${executed} payments, the gateway settled ${settled}, and the merchant received ${receiver.count} callbacks.`,
    )
}

/** Of payments that are spread over the whole history. */
export async function statusFigures(pair: Pair<Filled>, terms: Measured): Promise<readonly Figure[]> {
  const loads = { small: await lookUpsOf(pair.small), large: await lookUpsOf(pair.large) }
  return figuresOf('GET_TRANS_STATUS', await loadByTurns(pair, loads, terms), 0.9)
}

const lookedUp = 5000

async function lookUpsOf({ stage: { merchant }, pool, numbered }: Filled): Promise<Load> {
  const { oldest, payments } = numbered
  const { rows } = await pool.query<{ id: string; email: string; pan10: string }>(
    `select id, payer_email as email, pan10 from payments
     where merchant_id = $1 and status = 'SETTLED' and not test
       and order_id in (select 'ORDER-' || n from generate_series($2::bigint, $3::bigint, $4::bigint) as n)`,
    [merchant.id, oldest, payments - 1, spread(numbered, lookedUp)],
  )
  const bodies = rows.map(({ id, ...paidBy }) =>
    new URLSearchParams(merchant.followUpFields('GET_TRANS_STATUS', id, {}, paidBy)).toString(),
  )
  let next = 0
  // A stride that has no factor in common with their number visits every one, and none after its neighbour.
  const stride = 1009
  const body = (): string => {
    next = (next + stride) % bodies.length
    return bodies[next] ?? ''
  }
  return { body, expects: '"result":"SUCCESS"' }
}

function figuresOf(name: string, { small, large }: Pair<readonly LoadResult[]>, least: number): readonly Figure[] {
  const ratios = large.map((result, round) => result.perSecond / (small[round]?.perSecond ?? Number.NaN))
  const latency = (share: number): Figure => {
    const at = (results: readonly LoadResult[]): number =>
      median(results.map(({ latencies }) => percentile(latencies, share)))
    return {
      name: `${name}, ${share === 0.5 ? 'median' : 'p99'}`,
      value: milliseconds(at(large)),
      against: milliseconds(at(small)),
      ratio: at(large) / at(small),
    }
  }
  return [
    {
      name,
      value: `${median(large.map((result) => result.perSecond)).toFixed(0)} per second`,
      against: `${median(small.map((result) => result.perSecond)).toFixed(0)} per second`,
      ratio: median(ratios),
      goal: { at: 'least', ratio: least },
    },
    { name: `${name}, every round`, value: ratios.map((ratio) => ratio.toFixed(2)).join(' ') },
    latency(0.5),
    latency(0.99),
  ]
}
