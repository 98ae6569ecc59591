/**
 * The database is restored from a backup while the acquirer has moved on. The instance starts in recovery: it accepts no payment, makes no
 * plan payment and sends no callback before its acquirers were asked; afterwards no date of a plan is charged twice, follow-ups are booked,
 * and every charge that the record lost is reported. Chapter 80 §4.
 */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { dayMs } from '#domain/time.ts'
import { type Campaign, type Findings, sizeOf, type Terms } from '../campaign.ts'
import { createSchedule, startPlan } from '../stage/chain-requests.ts'
import { replaceByCopy, takeCopy } from '../stage/database-copy.ts'
import { isAnswered } from '../stage/merchant.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'

export const restore: Campaign = {
  name: 'restore',
  asserts: 'after a restore nothing is sent before reconciliation with the acquirers, and nothing is charged twice.',
  sizes: { payments: 30, plans: 5 },
  quick: { payments: 3, plans: 2 },
  run,
  plantedFault: {
    what: 'The charge of a plan date gets another identifier each time, so that the acquirer does not recognise it.',
    seenIn: 'plan dates charged in all',
    patches: [
      {
        file: 'server/src/payments/attempt/plan-transaction-id.ts',
        find: 'derivedId(`plan ',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is written into a file of code.
        replace: 'derivedId(`plan ${Math.random()} ',
      },
    ],
  },
}

const patienceMs = 60_000

async function run(terms: Terms): Promise<Findings> {
  // Only on this server may the campaign create and rename databases; no server is killed here.
  await using stage = await openStage({ database: 'shared', sharedAuthority: true })
  // With idempotency keys the acquirer itself would recognise a date that it has charged.
  await stage.acquirer.setFaults({ ignore_keys: true })
  const plans = sizeOf(terms, 'plans')
  const paymentIds = await payBefore(stage, sizeOf(terms, 'payments'), plans)
  await stopGateway(stage)
  await takeCopy(stage)

  await startGateway(stage)
  const lost = await payAfter(stage, paymentIds)
  await stage.advance(dayMs)
  const firedBefore = await planCharges(stage, plans)
  await stopGateway(stage)
  await replaceByCopy(stage)
  // The test clock is part of the restored data; real time does not go back.
  await stage.pool.query('update instance set clock_offset_ms = clock_offset_ms + $1', [dayMs])

  const before = await stage.acquirer.summary()
  const arrivals = stage.receiver.arrivals.length
  await startGateway(stage)
  const taken = await countAcceptedInRecovery(stage)
  const report = await reconcile(stage)
  const effectsInRecovery = (await stage.acquirer.summary()).entries - before.entries
  const callbacksInRecovery = stage.receiver.arrivals.length - arrivals
  const endedEarly = await hasEnded(stage, ['restore', 'end'])
  // The lost charges are settled here by counting them.
  if (!endedEarly) await gatehouse(stage, ['restore', 'end', '--settled-by-hand'])

  const recovered = await until(async () => (await havePlansMoved(stage, plans)) && isQuiet(stage), patienceMs)
  const effects = await stage.acquirer.ledger()
  const chargesOfPlans = effects.filter(({ amount }) => amount === planAmountMinor).length
  const { rows } = await stage.pool.query<{ raised: number; booked: number }>(
    `select (select count(*)::int from alerts where kind = 'restored-effect-unknown') as raised,
            (select count(*)::int from transactions where type = 'REFUND' and state = 'success') as booked`,
  )
  const [{ raised, booked } = { raised: 0, booked: 0 }] = rows
  const serves = await until(async () => isAnswered(await sale(stage, 'AFTER-RECOVERY')), patienceMs)
  return {
    figures: [
      { name: 'payments in the restored database', value: paymentIds.length },
      { name: 'payments and refunds made after the backup', value: lost.sales + lost.refunds },
      { name: 'plan dates charged before the restore', value: firedBefore, must: plans },
      { name: 'requests accepted in recovery', value: taken, must: 0 },
      { name: 'effects at the acquirer in recovery', value: effectsInRecovery, must: 0 },
      { name: 'callbacks sent in recovery', value: callbacksInRecovery, must: 0 },
      { name: 'plan dates charged in all', value: chargesOfPlans, must: plans },
      { name: 'refunds booked', value: booked, must: lost.refunds },
      { name: 'charges missing in the database', value: report.unknown.length, must: lost.sales },
      { name: 'of them raised as alerts', value: raised, must: lost.sales },
      { name: 'recoveries ended before these were settled', value: endedEarly ? 1 : 0, must: 0 },
      { name: 'plan dates left to their plans', value: report.leftToPlans, must: plans },
      { name: 'not recovered', value: recovered === null || serves === null ? 1 : 0, must: 0 },
    ],
    faults: [],
  }
}

const planAmountMinor = 731n

const sale = (stage: Stage, orderId: string, over = {}) => stage.merchant.sale(only(stage.apis).url, orderId, over)

async function payBefore(stage: Stage, payments: number, plans: number): Promise<readonly string[]> {
  const { url } = only(stage.apis)
  const schedule = await createSchedule(stage, url, { interval_length: '1', interval_unit: 'day', payments_count: '3' })
  for (let index = 0; index < plans; index += 1) {
    await startPlan(stage, url, `PLAN-${index}`, { schedule_id: schedule, payment_schedule_amount: '7.31' })
  }
  const replies = await Promise.all(Array.from({ length: payments }, (_, index) => sale(stage, `KEPT-${index}`)))
  return replies.flatMap((reply) => (isAnswered(reply) && reply.body.trans_id ? [reply.body.trans_id] : []))
}

interface LostOperations {
  readonly sales: number
  readonly refunds: number
}

/** Creates what only the acquirer will know. */
async function payAfter(stage: Stage, paymentIds: readonly string[]): Promise<LostOperations> {
  const { url } = only(stage.apis)
  const sales = await Promise.all(paymentIds.map((_, index) => sale(stage, `LOST-${index}`)))
  const refunds = await Promise.all(
    paymentIds.map((id) => stage.merchant.followUp(url, 'CREDITVOID', id, { amount: '4.00' })),
  )
  await until(() => isQuiet(stage), patienceMs)
  return { sales: sales.filter(isAnswered).length, refunds: refunds.filter(isAnswered).length }
}

async function planCharges(stage: Stage, plans: number): Promise<number> {
  const countCharged = async () =>
    (await stage.acquirer.ledger()).filter(({ amount }) => amount === planAmountMinor).length
  await until(async () => (await countCharged()) >= plans && (await isQuiet(stage)), patienceMs)
  return countCharged()
}

/** By our record, each plan has made its payment of the date. */
async function havePlansMoved({ pool }: Stage, plans: number): Promise<boolean> {
  const { rows } = await pool.query<{ made: number }>(
    'select count(*)::int as made from payments where plan_date is not null',
  )
  return rows[0]?.made === plans
}

/** A sale and a look-up by order: neither may be served. */
async function countAcceptedInRecovery(stage: Stage): Promise<number> {
  const { url } = only(stage.apis)
  const replies = [await sale(stage, 'IN-RECOVERY'), await stage.merchant.byOrder(url, 'LOST-0')]
  return replies.filter((reply) => !reply.answered || reply.http !== 503).length
}

const reportSchema = z.object({ unknown: z.array(z.unknown()), leftToPlans: z.number(), booked: z.number() })

async function reconcile(stage: Stage): Promise<z.infer<typeof reportSchema>> {
  const { stdout } = await gatehouse(stage, ['restore', 'reconcile', '--json'])
  return reportSchema.parse(JSON.parse(stdout))
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A refusal has status 1 and prints nothing but its reason. */
async function hasEnded(stage: Stage, words: readonly string[]): Promise<boolean> {
  try {
    await gatehouse(stage, words)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 1) return false
    throw error
  }
}

/** Exit status 1 means that something needs attention; the report says what. */
async function gatehouse(stage: Stage, words: readonly string[]): Promise<{ readonly stdout: string }> {
  const env = { DATA_DIR: stage.folder, DATABASE_URL: stage.database.url, GATEHOUSE_MODE: 'sandbox' }
  try {
    return await promisify(execFile)(process.execPath, ['cli/main.ts', ...words], { cwd: root, env })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 1 && 'stdout' in error && error.stdout !== '') {
      return { stdout: String(error.stdout) }
    }
    throw error
  }
}

async function stopGateway({ apis, workers }: Stage): Promise<void> {
  await Promise.all([...apis, ...workers].map((program) => program.stop()))
}

async function startGateway({ apis, workers }: Stage): Promise<void> {
  await Promise.all([...apis, ...workers].map((program) => program.start()))
}
