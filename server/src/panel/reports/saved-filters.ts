/** Filters that users have saved. */
import { type SavedFilter, savedFilterStore } from '../../store/people/saved-filters.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AdminContext } from '../context.ts'

const mostFilters = 200

export const listFilters = ({ pool }: AdminContext, userId: string): Promise<readonly SavedFilter[]> =>
  savedFilterStore(pool).list(userId)

export async function saveFilter(
  context: AdminContext,
  userId: string,
  wish: Omit<SavedFilter, 'id'>,
): Promise<SavedFilter> {
  if ((await listFilters(context, userId)).length >= mostFilters)
    throw new AdminRefused('conflict', { message: `You can save at most ${mostFilters} filters.` })
  const filter = { ...wish, id: context.ids.next() }
  return { ...filter, id: await savedFilterStore(context.pool).put(userId, filter, context.clock.now()) }
}

export async function removeFilter({ pool }: AdminContext, userId: string, id: string): Promise<void> {
  if (!(await savedFilterStore(pool).remove(userId, id))) throw notFound()
}
