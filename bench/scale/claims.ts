/** What a worker costs the database whenever it looks for due work, and how long it takes to claim some. */

import { callbackRows } from '#server/store/callbacks/callbacks.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { deferredCommandStore } from '#server/store/payments/deferred-commands.ts'
import { payerStepStore } from '#server/store/payments/payer-steps.ts'
import { transactionWatchStore } from '#server/store/payments/transaction-watches.ts'
import { unresolvedStore } from '#server/store/payments/unresolved.ts'
import { planStore } from '#server/store/plans/plans.ts'
import type { Figure } from '../figure-table.ts'
import { spread } from '../fill/history.ts'
import { type Pair, timeByTurns, timeFigure } from './by-turns.ts'
import type { Filled } from './filled.ts'

const batch = 16
const leaseSeconds = 60
const goal = { at: 'most', ratio: 3 } as const

type Claim = (pool: Pool, now: Date) => Promise<readonly unknown[]>

// biome-ignore format: a table is read in columns.
const claims: readonly (readonly [name: string, claim: Claim])[] = [
  ['callbacks',             (pool, now) => callbackRows(pool).claim(now, batch, leaseSeconds)],
  ['plans',                 (pool, now) => planStore(pool).claim(now, batch, leaseSeconds)],
  ['outcomes to ask for',   (pool, now) => unresolvedStore(pool).claim(now, batch, leaseSeconds)],
  ['deferred commands',     (pool, now) => deferredCommandStore(pool).claim(now, batch, leaseSeconds)],
  ['payer steps',           (pool, now) => payerStepStore(pool).claimExpired(now, batch, leaseSeconds)],
  ['written-off requests',  (pool, now) => transactionWatchStore(pool).claim(now, batch, leaseSeconds)],
]

/** Workers must not run, because they would take what is claimed here. */
export async function claimFigures(pair: Pair<Filled>): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [name, claim] of claims) {
    const times = await timeByTurns({ small: idle(pair.small, claim), large: idle(pair.large, claim) })
    figures.push(timeFigure(`looking for ${name}`, times, goal))
  }
  return [...figures, await busyFigure(pair)]
}

const idle =
  ({ pool, stage }: Filled, claim: Claim) =>
  () =>
    claim(pool, stage.context.clock.now())

/** Of these about half are delivered callbacks of the largest merchant: more than all rounds claim. */
const lookedAt = 800

async function busyFigure({ small, large }: Pair<Filled>): Promise<Figure> {
  const ends = [await makeDue(small), await makeDue(large)]
  try {
    const times = await timeByTurns({ small: claimSome(small), large: claimSome(large) })
    return timeFigure(`claiming ${batch} callbacks of the whole history`, times, goal)
  } finally {
    for (const end of ends) await end()
  }
}

const claimSome =
  ({ pool, stage }: Filled) =>
  async (): Promise<void> => {
    const claimed = await callbackRows(pool).claim(stage.context.clock.now(), batch, leaseSeconds)
    if (claimed.length !== batch) throw new Error(`${claimed.length} callbacks were claimed instead of ${batch}.`)
  }

/** Callbacks of the whole history become due, as after a receiver's long outage. Returns what ends that. */
async function makeDue({ pool, stage, numbered }: Filled): Promise<() => Promise<unknown>> {
  const { oldest, payments, most } = numbered
  const { rows } = await pool.query<{ payment_id: string }>(
    `update callbacks c set state = 'due', next_at = $4 from payments p
     where p.merchant_id = $1 and c.merchant_id = $1 and c.payment_id = p.id and c.sequence = 1
       and p.order_id in (select 'ORDER-' || n from generate_series($2::bigint, $3::bigint, $5::bigint) as n)
     returning c.payment_id`,
    [most, oldest, payments - 1, stage.context.clock.now(), spread(numbered, lookedAt)],
  )
  return () =>
    pool.query(
      `update callbacks set state = 'delivered', next_at = null, lease_until = null, leased_by = null
       where merchant_id = $1 and payment_id = any($2) and state = 'due'`,
      [most, rows.map(({ payment_id: id }) => id)],
    )
}
