/**
 * Simulates a process that dies after writing its intent and before writing the outcome.
 *
 * The database refuses the outcome, so the request ends with exactly what a killed process would leave; then the transaction is assigned to
 * a process number that is not in use. The caller chooses whether the acquirer got the request.
 */
import assert from 'node:assert/strict'
import { changeCredentials } from '#server/setup/mids.ts'
import type { Answer, Shop } from './shop.ts'

export async function crashDuring(shop: Shop, request: () => Promise<Answer>): Promise<void> {
  const answer = await withoutOutcome(shop, request)
  assert.equal(answer.http, 500)
  await orphan(shop)
}

/** The crash happens before the request reaches the acquirer; `minutesAgo` if it went unnoticed for that long. */
export async function crashBeforeArrival(
  shop: Shop,
  request: () => Promise<Answer>,
  { minutesAgo = 0 } = {},
): Promise<void> {
  await shop.scenario({ down: true })
  const answer = await withoutOutcome(shop, request)
  assert.equal(answer.http, 500)
  await shop.clearScenario()
  await orphan(shop, minutesAgo)
}

/** Every outcome writes callbacks, an intent writes none. */
export async function withoutOutcome<T>(shop: Shop, request: () => Promise<T>): Promise<T> {
  return withRefusedRows(shop, 'callbacks', request)
}

/** Runs with a database that refuses new rows of the table, or those that meet the condition. */
export async function withRefusedRows<T>(
  shop: Shop,
  table: string,
  request: () => Promise<T>,
  condition?: string,
): Promise<T> {
  const { pool } = shop.base
  await pool.query(
    "create or replace function out_of_order() returns trigger language plpgsql as $$ begin raise 'Out of order.'; end $$",
  )
  const rows = condition ? `for each row when (new.${condition})` : ''
  await pool.query(`create trigger out_of_order before insert on ${table} ${rows} execute function out_of_order()`)
  try {
    return await request()
  } finally {
    // The table before its parts, as statements lock them; `drop trigger` alone does it the other way round.
    await pool.query(`begin; lock table ${table}; drop trigger out_of_order on ${table}; commit`)
  }
}

/** The one transaction that is being sent loses its process. */
export async function orphan({ base }: Shop, minutesAgo = 0): Promise<void> {
  const { rowCount } = await base.pool.query(
    `update transactions set sent_by = -1, created_at = created_at - make_interval(mins => $1),
       sent_at = sent_at - make_interval(mins => $1), in_flight_until = in_flight_until - make_interval(mins => $1)
     where state = 'sent'`,
    [minutesAgo],
  )
  assert.equal(rowCount, 1)
}

/** The time in which the one transaction that is being sent may be executed is over, although its process lives. */
export async function expireExecutionTime({ base }: Shop): Promise<void> {
  const { rowCount } = await base.pool.query(
    "update transactions set in_flight_until = clock_timestamp() where state = 'sent'",
  )
  assert.equal(rowCount, 1)
}

/** The process that holds leases on transactions is gone. */
export async function loseLeases({ base }: Shop): Promise<void> {
  const { rowCount } = await base.pool.query('update transactions set leased_by = -1 where lease_until is not null')
  assert.equal(rowCount, 1)
}

/** Points a MID to another address, for example one at which no program listens. */
export async function reachAcquirerAt(
  { base, service }: Shop,
  url: string,
  mid = 'sandbox-live',
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { rows } = await base.pool.query<{ id: string }>('select id from mids where name = $1', [mid])
  await changeCredentials(base, rows[0]?.id ?? '', { mid, base_url: url, ...more })
  await service.configuration.refresh()
}
