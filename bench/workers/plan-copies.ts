/**
 * Many plans that are due at the same moment: copies of one that was started over the protocol, each with its own chain, first payment and
 * transaction. Starting a hundred thousand of them by requests would take longer than firing them.
 */
import type { Pool, PoolClient } from '#server/store/database/pool.ts'
import { createSchedule, startPlan } from '../../campaigns/stage/chain-requests.ts'
import { only, type Stage } from '../../campaigns/stage/stage.ts'

const sampleOrder = 'PLAN-SAMPLE'
/** Orders of the copied first payments, and of the payments that the plans make. */
export const planOrders = 'PLAN-COPY-'

/** Due one day after the present moment of the stage's clock. */
export async function addPlans(stage: Stage, count: number): Promise<void> {
  const { url } = only(stage.apis)
  const scheduleId = await createSchedule(stage, url, {
    interval_length: '1',
    interval_unit: 'day',
    payments_count: '3',
    delayed_first_payment: 'none',
  })
  await startPlan(stage, url, sampleOrder, { schedule_id: scheduleId })
  await copyPlans(stage.pool, count)
}

async function copyPlans(pool: Pool, count: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(
      `create temporary table sample as
       select p.merchant_id, p.id as payment, p.first_transaction as transaction, p.chain_id as chain, plan.id as plan, p.created_at
       from payments p join subscriptions plan on plan.merchant_id = p.merchant_id and plan.started_by = p.id
       where p.order_id = '${sampleOrder}'`,
    )
    await client.query(
      `create temporary table copies as select n, ${kinds.map((kind) => `${copiedId(kind)} as ${kind}`).join(', ')}
       from sample, generate_series(1, ${count}) n`,
    )
    const order = `'${planOrders}' || copies.n`
    await copyRows(client, 'payments', 'payment', {
      id: 'copies.payment',
      order_id: order,
      first_transaction: 'copies.transaction',
      chain_id: 'copies.chain',
    })
    await copyRows(client, 'transactions', 'transaction', { id: 'copies.transaction', payment_id: 'copies.payment' })
    await copyRows(client, 'chains', 'chain', { id: 'copies.chain', first_payment: 'copies.payment' })
    await copyRows(client, 'subscriptions', 'plan', {
      id: 'copies.plan',
      chain_id: 'copies.chain',
      started_by: 'copies.payment',
    })
    // The sample itself makes no payment, so that every plan's order tells that it is a copy.
    await client.query(
      `update subscriptions set state = 'ended', ended_reason = 'descheduled', next_at = null, next_date = null
       where id = (select plan from sample)`,
    )
    await client.query('analyze')
  } finally {
    client.release(true)
  }
}

const kinds = ['payment', 'transaction', 'chain', 'plan'] as const
type Kind = (typeof kinds)[number]

/** A time-ordered identifier of version 7 in the month of the sample. */
const copiedId = (kind: Kind): string =>
  `(lpad(to_hex((extract(epoch from sample.created_at) * 1000)::bigint), 12, '0') || '7' || substr(md5('${kind}' || n), 1, 3) || '8' ||
    substr(md5('${kind}' || n), 4, 15))::uuid`

/** Every column that is not given is that of the sample. */
async function copyRows(
  client: PoolClient,
  table: string,
  kind: Kind,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const columns = rows.map(({ name }) => name)
  await client.query(
    `insert into ${table} (${columns.join(', ')}) select ${columns.map((name) => own[name] ?? `original.${name}`).join(', ')}
     from sample join ${table} original on original.merchant_id = sample.merchant_id and original.id = sample.${kind}, copies`,
  )
}
