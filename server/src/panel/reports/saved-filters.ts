/** Filters that users have saved. */
import { type SavedFilter, savedFilterStore } from '../../store/people/saved-filters.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AdminDesk } from '../desk.ts'

const mostFilters = 200

export const filtersOf = ({ pool }: AdminDesk, userId: string): Promise<readonly SavedFilter[]> =>
  savedFilterStore(pool).list(userId)

export async function saveFilter(desk: AdminDesk, userId: string, wish: Omit<SavedFilter, 'id'>): Promise<SavedFilter> {
  if ((await filtersOf(desk, userId)).length >= mostFilters)
    throw new AdminRefused('conflict', { message: `You can save at most ${mostFilters} filters.` })
  const filter = { ...wish, id: desk.ids.next() }
  return { ...filter, id: await savedFilterStore(desk.pool).put(userId, filter, desk.clock.now()) }
}

export async function removeFilter({ pool }: AdminDesk, userId: string, id: string): Promise<void> {
  if (!(await savedFilterStore(pool).remove(userId, id))) throw notFound()
}
