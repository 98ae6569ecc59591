/**
 * Why a payment's data must stay for now, as SQL. Every removal uses this expression in its own statement, so that a payment that begins to
 * need its data meanwhile keeps it.
 */

import { openStatuses } from '#domain/payment/payment.ts'
import { type InBucket, oneServer } from '../database/buckets.ts'
import { literals } from '../database/columns.ts'

const keepReasons = ['running', 'hold', 'plan', 'command', 'callback'] as const
export type KeepReason = (typeof keepReasons)[number]

const isRunning = (payment: string): string =>
  `${payment}.open_transaction is not null or ${payment}.status in (${literals(openStatuses)}) or ${payment}.cascading = 'continues'`
const isHold = (payment: string): string => `${payment}.status = 'PENDING'`

interface NeedingTable {
  readonly reason: KeepReason
  readonly table: string
  readonly alias: string
  /** Besides the merchant. */
  readonly condition: (payment: string) => string
}

const needingTables: readonly NeedingTable[] = [
  {
    reason: 'plan',
    table: 'subscriptions',
    alias: 'plan',
    condition: (payment) => `plan.chain_id = ${payment}.chain_id and plan.state = 'running'`,
  },
  {
    reason: 'command',
    table: 'deferred_commands',
    alias: 'later',
    condition: (payment) => `later.payment_id = ${payment}.id`,
  },
  {
    reason: 'callback',
    table: 'callbacks',
    alias: 'waiting',
    condition: (payment) => `waiting.payment_id = ${payment}.id and waiting.next_at is not null`,
  },
]

/**
 * `payment` is the alias of a row of `payments`. Null if nothing needs its data. A statement about one merchant names it, and one about a
 * bucket its merchants, so that the planner, or a distributed database, looks at their rows alone.
 */
export const keepReasonOf = (
  payment: string,
  merchant = `${payment}.merchant_id`,
  inBucket: InBucket = oneServer.inBucket,
): string => `case
    when ${isRunning(payment)} then 'running'
    when ${isHold(payment)} then 'hold'
    ${needingTables
      .map(
        ({ reason, table, alias, condition }) => `when exists (
      select 1 from ${table} ${alias} where ${alias}.merchant_id = ${merchant} and ${condition(payment)}${inBucket(alias)}
    ) then '${reason}'`,
      )
      .join('\n    ')}
  end`

/** Statements that find payments of a table, or of a part, that have such a reason: without look-ups for each row, which Citus cannot run over several shards. */
export const neededPayments = (table: string): readonly string[] => [
  `select 1 from ${table} p where ${isRunning('p')} or ${isHold('p')}`,
  ...needingTables.map(
    (needing) =>
      `select 1 from ${table} p join ${needing.table} ${needing.alias} on ${needing.alias}.merchant_id = p.merchant_id and ${needing.condition('p')}`,
  ),
]
