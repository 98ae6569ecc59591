/**
 * What the charge of a plan needs: schedule, chain, payments and card. Plans that are fired at the same time read them together, so that a
 * hundred thousand plans of one minute do not cost half a million statements. See decisions/plans#shared-statements.
 */
import type { Cards, Chains, Payments, Schedules } from '../../contracts/ports.ts'
import { isDistributed } from '../database/buckets.ts'
import { type Pool, query, type Statement, sql } from '../database/pool.ts'
import { type CardRow, cardColumns, cardFrom } from '../payments/cards.ts'
import { type PaymentRow, paymentColumns, paymentFrom } from '../payments/payment-rows.ts'
import { type ChainRow, chainColumns, chainFrom } from './chains.ts'
import { type Keyed, readTogether } from './read-together.ts'
import { type ScheduleRow, scheduleColumns, scheduleFrom } from './schedules.ts'

type Find<Store extends { find: unknown }> = Pick<Store, 'find'>

/** The stores that a charge reads from. */
interface ChargeStores {
  readonly payments: Find<Payments>
  readonly chains: Find<Chains>
  readonly schedules: Find<Schedules>
  readonly cards: Find<Cards>
}

type Keys = readonly [merchants: readonly string[], ids: readonly string[]]

// A row is looked up per key: as a join, the planner might read the whole table.
const together = (table: string, columns: (alias: string) => string, condition = ''): string =>
  `select ${columns('found')} from unnest($1::uuid[], $2::uuid[]) as asked (merchant, id),
     lateral (
       select ${columns('one')} from ${table} one where one.merchant_id = asked.merchant and one.id = asked.id${condition} limit 1
     ) as found`

const findPayments = sql<PaymentRow, Keys>('payment.find-group', together('payments', paymentColumns))
const findChains = sql<ChainRow, Keys>('chain.find-group', together('chains', chainColumns))
const findCards = sql<CardRow, Keys>('card.find-group', together('cards', cardColumns))
const findSchedules = sql<ScheduleRow, Keys>(
  'schedule.find-group',
  together('schedules', scheduleColumns, ' and one.deleted_at is null'),
)

/** In a distributed database a statement names one merchant, so `alone` reads there. */
export function chargeReads(pool: Pool, alone: ChargeStores): ChargeStores {
  const reader = <Row extends object, Found extends Keyed>(
    statement: Statement<Row, Keys>,
    from: (row: Row) => Found,
    readAlone: (merchantId: string, id: string) => Promise<Found | null>,
  ) => {
    const read = readTogether(async (keys) =>
      (await query(pool, statement, [keys.map(({ merchantId }) => merchantId), keys.map(({ id }) => id)])).map(from),
    )
    return {
      find: async (...key: [string, string]) => ((await isDistributed(pool)) ? readAlone(...key) : read(...key)),
    }
  }
  return {
    payments: reader(findPayments, paymentFrom, (...key) => alone.payments.find(...key)),
    chains: reader(findChains, chainFrom, (...key) => alone.chains.find(...key)),
    schedules: reader(findSchedules, scheduleFrom, (...key) => alone.schedules.find(...key)),
    cards: reader(findCards, cardFrom, (...key) => alone.cards.find(...key)),
  }
}
