/** Alerts that need a person's attention. */
import type { Alerts, Clock, Ids } from '../../contracts/ports.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

type AlertValues = readonly [string, string, string | null, string | null, string, Date]

const raiseAlert = sql<Record<never, never>, AlertValues>(
  'alert.raise',
  'insert into alerts (id, kind, merchant_id, payment_id, text, raised_at) values ($1, $2, $3, $4, $5, $6)',
)

// The casts give the parameters of a select their types.
const raiseAlertOnce = sql<Record<never, never>, AlertValues>(
  'alert.raise-once',
  `insert into alerts (id, kind, merchant_id, payment_id, text, raised_at)
   select $1::uuid, $2::text, $3::uuid, $4::uuid, $5::text, $6::timestamptz
   where not exists (select from alerts where kind = $2 and text = $5 and resolved_at is null)`,
)

export const alertStore = (pool: Queryable, { clock, ids }: { clock: Clock; ids: Ids }): Alerts => ({
  raise: async ({ kind, merchantId, paymentId, text, once }) => {
    const values = [ids.next(), kind, merchantId, paymentId, text, clock.now()] as const
    await query(pool, once ? raiseAlertOnce : raiseAlert, values)
  },
})

const raisedTexts = sql<{ text: string }, readonly [string, readonly string[]]>(
  'alert.raised-texts',
  'select text from alerts where kind = $1 and text = any($2::text[])',
)

/** Selects the texts with which no alert was raised, open or resolved. */
export async function findUnraisedTexts(
  pool: Queryable,
  kind: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  if (texts.length === 0) return []
  const raised = new Set((await query(pool, raisedTexts, [kind, texts])).map(({ text }) => text))
  return texts.filter((text) => !raised.has(text))
}
