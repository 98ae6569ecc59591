/** Commands that the service issues by itself. They are written with an outcome and removed by the command's own intent. */
import type { DeferredCommands } from '../../contracts/ports.ts'
import type { DeferredCommand } from '../../contracts/records.ts'
import { claim, claimRows } from '../database/buckets.ts'
import { columnsOf } from '../database/columns.ts'
import { type Holder, isFreeIf, lease } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'

interface Row {
  merchant_id: string
  payment_id: string
  command: DeferredCommand['command']
  due_at: Date
}

const commandColumns = columnsOf<Row>()(['merchant_id', 'payment_id', 'command', 'due_at'])

type CommandKey = readonly [string, string, DeferredCommand['command']]

const claimDue = claim<Row, readonly [Date, number, number, Holder]>('deferred-command.claim', {
  width: 4,
  due: 'deferred_commands where due_at <= $1',
  text: ({ inBucket, isGone }) => `with due as (
     select merchant_id, payment_id, command from deferred_commands
     where due_at <= $1 and ${isFreeIf(isGone('leased_by'))}${inBucket()}
     order by due_at limit $2
     for update skip locked
   )
   update deferred_commands given set ${lease('$3', '$4')}
   from due where given.merchant_id = due.merchant_id and given.payment_id = due.payment_id and given.command = due.command${inBucket('given')}
   returning ${commandColumns('given')}`,
})

const postponeCommand = sql<Record<never, never>, readonly [...CommandKey, Date]>(
  'deferred-command.postpone',
  `update deferred_commands set due_at = $4, lease_until = null
   where merchant_id = $1 and payment_id = $2 and command = $3`,
)

const dropCommand = sql<Record<never, never>, CommandKey>(
  'deferred-command.drop',
  'delete from deferred_commands where merchant_id = $1 and payment_id = $2 and command = $3',
)

export const deferredCommandStore = (pool: Pool, holder: Holder = null): DeferredCommands => ({
  claim: async (now, limit, leaseSeconds) =>
    (await claimRows(pool, claimDue, { now, limit }, (most) => [now, most, leaseSeconds, holder])).map(commandFrom),
  postpone: async ({ merchantId, paymentId, command }, dueAt) => {
    await query(pool, postponeCommand, [merchantId, paymentId, command, dueAt])
  },
  drop: async ({ merchantId, paymentId, command }) => {
    await query(pool, dropCommand, [merchantId, paymentId, command])
  },
})

const commandFrom = (row: Row): DeferredCommand => ({
  merchantId: row.merchant_id,
  paymentId: row.payment_id,
  command: row.command,
  dueAt: row.due_at,
})
