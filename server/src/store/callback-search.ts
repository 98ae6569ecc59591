/**
 * Callbacks of any number of merchants as a person looks for them, newest first. Each merchant's own come from its part of the
 * index, so that a page costs the same at any size of the table.
 */
import { type CallbackState, type LoggedCallback, logColumns, loggedCallbacks } from './callback-log.ts'
import { idsBefore, idsFrom } from './id-bounds.ts'
import type { Pool } from './pool.ts'

export interface CallbackSearch {
  /** Null means all of them. */
  readonly merchantIds: readonly string[] | null
  readonly paymentId?: string | undefined
  readonly state?: CallbackState | undefined
  /** Made from this instant on … */
  readonly from?: Date | undefined
  /** … and before this one. */
  readonly to?: Date | undefined
  /** The identifier of the last callback of the page before. */
  readonly before?: string | undefined
  readonly limit: number
}

export async function searchCallbacks(pool: Pool, search: CallbackSearch): Promise<readonly LoggedCallback[]> {
  const { conditions, values } = conditionsOf(search)
  const text = `select c.* from merchants m cross join lateral (
      select merchant_id, ${logColumns} from callbacks where merchant_id = m.id ${conditions} order by id desc limit $2
    ) c
    where ($1::uuid[] is null or m.id = any($1)) order by c.id desc limit $2`
  const { rows } = await pool.query(text, values)
  return loggedCallbacks(pool, rows)
}

function conditionsOf({ merchantIds, paymentId, state, from, to, before, limit }: CallbackSearch) {
  const values: unknown[] = [merchantIds, limit]
  const parts: string[] = []
  const add = (value: unknown, condition: (place: string) => string): void => {
    if (value === undefined) return
    values.push(value)
    parts.push(`and ${condition(`$${values.length}`)}`)
  }
  add(paymentId, (place) => `payment_id = ${place}`)
  add(before, (place) => `id < ${place}`)
  add(from, (place) => `created_at >= ${place}`)
  add(from && idsFrom(from), (place) => `id >= ${place}`)
  add(to, (place) => `created_at < ${place}`)
  add(to && idsBefore(to), (place) => `id < ${place}`)
  // A state is part of the text and not a parameter, because only then can the index on failed callbacks be used.
  if (state !== undefined) parts.push(`and state = '${state}'`)
  return { conditions: parts.join(' '), values }
}
