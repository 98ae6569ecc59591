import type { Shop } from './shop.ts'

/** Advances to the next occurrence of this time of day in UTC, so that no test meets the end of a day by chance. */
export async function advanceTo(shop: Shop, hour: number, minute = 0): Promise<void> {
  const now = shop.base.clock.now()
  const next = new Date(now)
  next.setUTCHours(hour, minute, 0, 0)
  if (next <= now) next.setUTCDate(next.getUTCDate() + 1)
  await shop.advance(next.getTime() - now.getTime())
}

const monday = 1

/** Advances to noon of a Monday: what banks do depends on the days until their next weekend. */
export async function advanceToMonday(shop: Shop): Promise<void> {
  do await advanceTo(shop, 12)
  while (shop.base.clock.now().getUTCDay() !== monday)
}
