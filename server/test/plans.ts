/** Plans as a merchant sees them: the dates and results of automatic payments. */
import type { Shop } from './shop.ts'

interface PlanPayment {
  readonly transId: string
  /** The date the payment is for. */
  readonly date: string
  /** The day, in UTC, on which it was made. */
  readonly madeOn: string
  readonly status: string
}

/** The payments that a plan of the chain has made, oldest first; for a cascade the last attempt. */
export async function planPayments(shop: Shop, recurringToken: string): Promise<readonly PlanPayment[]> {
  const { rows } = await shop.base.pool.query<{ id: string; date: string; made: Date; status: string }>(
    `select id, plan_date::text as date, created_at as made, status from payments
     where chain_id = $1 and plan_date is not null and cascading is distinct from 'continued' order by created_at, id`,
    [recurringToken],
  )
  return rows.map(({ id, date, made, status }) => ({
    transId: id,
    date,
    madeOn: made.toISOString().slice(0, 10),
    status,
  }))
}

export async function planDates(shop: Shop, recurringToken: string): Promise<readonly string[]> {
  return (await planPayments(shop, recurringToken)).map(({ date }) => date)
}

/** Why the newest plan of the chain ended; null while it runs. */
export async function planEnd(shop: Shop, recurringToken: string): Promise<string | null> {
  const { rows } = await shop.base.pool.query<{ ended_reason: string | null }>(
    'select ended_reason from subscriptions where chain_id = $1 order by id desc limit 1',
    [recurringToken],
  )
  return rows[0]?.ended_reason ?? null
}

/** Moves the clock to a moment in UTC, by default noon of the date, and runs everything that is due. */
export async function moveTo(shop: Shop, date: string, time = '12:00:00'): Promise<void> {
  const milliseconds = Date.parse(`${date}T${time}Z`) - shop.base.clock.now().getTime()
  if (milliseconds < 0) throw new Error(`${date} ${time} has passed already.`)
  await shop.advance(milliseconds)
}
