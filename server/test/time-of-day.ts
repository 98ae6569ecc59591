import type { Shop } from './shop.ts'

/** Advances to the next occurrence of this time of day in UTC; a shop begins at noon. */
export async function advanceTo(shop: Shop, hour: number, minute = 0): Promise<void> {
  const now = shop.base.clock.now()
  const next = new Date(now)
  next.setUTCHours(hour, minute, 0, 0)
  if (next <= now) next.setUTCDate(next.getUTCDate() + 1)
  await shop.advance(next.getTime() - now.getTime())
}
