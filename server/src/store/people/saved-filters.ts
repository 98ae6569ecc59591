/** Filters that users have saved, per page of the panel. */
import type { JsonObject } from '../../contracts/records.ts'
import { json } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface SavedFilter {
  readonly id: string
  readonly page: string
  readonly name: string
  readonly filter: JsonObject
}

const listFilters = sql<SavedFilter, readonly [string]>(
  'saved-filter.list',
  'select id, page, name, filter from saved_filters where user_id = $1 order by page, name',
)
/** Saving under an existing name replaces that filter. */
const putFilter = sql<{ id: string }, readonly unknown[]>(
  'saved-filter.put',
  `insert into saved_filters (user_id, id, page, name, filter, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (user_id, page, name) do update set filter = excluded.filter returning id`,
)
const removeFilter = sql<{ id: string }, readonly [string, string]>(
  'saved-filter.remove',
  'delete from saved_filters where user_id = $1 and id = $2 returning id',
)
/** Also if the text is only a part, and in the name of the filter. */
const removeNaming = sql<{ id: string }, readonly [string]>(
  'saved-filter.remove-naming',
  `delete from saved_filters where position(lower($1) in lower(filter::text)) > 0 or position(lower($1) in lower(name)) > 0
   returning id`,
)

export const savedFilterStore = (on: Queryable) => ({
  list: (userId: string): Promise<readonly SavedFilter[]> => query(on, listFilters, [userId]),
  put: async (userId: string, { id, page, name, filter }: SavedFilter, at: Date): Promise<string> => {
    const [row] = await query(on, putFilter, [userId, id, page, name, json(filter), at])
    return row?.id ?? id
  },
  remove: async (userId: string, id: string): Promise<boolean> =>
    (await query(on, removeFilter, [userId, id])).length === 1,
  /** Removes all users' filters that contain this text. Returns how many. */
  removeNaming: async (text: string): Promise<number> => (await query(on, removeNaming, [text])).length,
})
