/**
 * A merchant changes the amount of a session while its payer pays, and the payer presses Pay more than once: at most one payment is made, of the
 * amount last confirmed to the merchant. A payer who was overtaken by the change pays again, and then there is exactly one payment.
 * Chapter 30 §8.5.
 */
import type { Findings } from '../campaign.ts'
import { openSession } from '../stage/checkout-requests.ts'
import type { Reply } from '../stage/merchant.ts'
import type { Stage } from '../stage/stage.ts'

const firstAmount = '10.00'
const changedAmount = '99.00'

export async function raceSessions(stage: Stage, count: number): Promise<Findings> {
  const faults: string[] = []
  const tally = { updated: 0, refused: 0, overtaken: 0 }
  for (let round = 0; round < count; round += 1) {
    const { wasUpdated, overtaken, wrong } = await raceSession(stage, `session-${round}`, round)
    tally[wasUpdated ? 'updated' : 'refused'] += 1
    if (overtaken) tally.overtaken += 1
    faults.push(...wrong)
  }
  return {
    figures: [
      { name: 'sessions raced', value: count },
      { name: 'of which changed before / too late', value: `${tally.updated} / ${tally.refused}` },
      { name: 'payers who had to press Pay again', value: tally.overtaken },
      { name: 'sessions paid twice or wrongly', value: faults.length, must: 0 },
    ],
    faults,
  }
}

async function raceSession({ apis, merchant, pool }: Stage, number: string, round: number) {
  const [one, other] = apis
  if (!one || !other) throw new Error('A race needs two processes.')
  const fields = await openSession(merchant, one.url, { number, amount: firstAmount, currency: 'EUR' })
  await fields.enterCard(one.url)
  const pay = (): Promise<readonly Reply[]> => Promise.all([fields.process(one.url), fields.process(other.url)])
  const update = (): Promise<Reply> =>
    fields.update(round % 2 === 0 ? other.url : one.url, { order_amount: changedAmount })
  // The order changes from round to round; all requests run concurrently.
  const race = round % 3 === 0 ? { updated: update(), paid: pay() } : { paid: pay(), updated: update() }
  const [updated, paid] = await Promise.all([race.updated, race.paid])
  const overtaken = (await paymentsOf(pool, number)).length === 0
  if (overtaken) {
    await fields.enterCard(one.url)
    await fields.process(one.url)
  }
  return { wasUpdated: isDone(updated), overtaken, wrong: await wrongIn(pool, number, updated, paid) }
}

async function paymentsOf(pool: Stage['pool'], number: string) {
  const { rows } = await pool.query<{ status: string; amount_minor: bigint }>(
    'select status, amount_minor from payments where order_id = $1',
    [number],
  )
  return rows
}

const isDone = (reply: Reply): boolean => reply.answered && reply.http === 200

async function wrongIn(
  pool: Stage['pool'],
  number: string,
  updated: Reply,
  paid: readonly Reply[],
): Promise<readonly string[]> {
  const rows = await paymentsOf(pool, number)
  const settled = rows.filter(({ status }) => status === 'SETTLED')
  const wanted = isDone(updated) ? 9900n : 1000n
  const replies = `${JSON.stringify(updated)} and ${JSON.stringify(paid)}`
  if (settled.length !== 1) return [`${number}: ${settled.length} payments of ${rows.length}; ${replies}`]
  const [payment] = settled
  // An accepted change came before the payment, because afterwards a session cannot be changed.
  return payment?.amount_minor === wanted ? [] : [`${number}: paid ${payment?.amount_minor}, not ${wanted}; ${replies}`]
}
