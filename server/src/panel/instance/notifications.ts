/**
 * Acquirers' notifications by MID: the last arrival, what waits, what was refused, and whether they have stopped. See
 * decisions/notifications#silence.
 */

import { expectedWithinMs, isSilent } from '#domain/notification-silence.ts'
import { dayMs } from '#domain/time.ts'
import { connectorById } from '../../connectors/registry.ts'
import { listNotificationArrivals } from '../../store/acquirers/notification-arrivals.ts'
import { listRefusedSince } from '../../store/acquirers/refused-notifications.ts'
import type { PanelContext } from '../panel-context.ts'

const refusalsMs = 7 * dayMs

/** MIDs whose acquirer sends none are left out. */
export async function listNotificationsByMid({ pool, clock, configuration }: PanelContext) {
  const now = clock.now()
  const [arrivals, refusals] = await Promise.all([
    listNotificationArrivals(pool),
    listRefusedSince(pool, new Date(now.getTime() - refusalsMs), null),
  ])
  return arrivals.flatMap((arrived) => {
    const mid = configuration.mid(arrived.midId)
    if (mid === null || connectorById(mid.connector)?.operations.has('readNotification') !== true) return []
    const refused = refusals.find(({ midId }) => midId === mid.id)
    return [
      {
        midId: mid.id,
        midName: mid.name,
        connector: mid.connector,
        enabled: mid.enabled,
        lastAt: arrived.lastAt,
        expectedWithinMs: expectedWithinMs(arrived),
        isSilent: isSilent(arrived, now),
        waiting: arrived.waiting,
        failed: arrived.failed,
        refused: refused?.refused ?? 0,
        refusedAt: refused?.lastAt ?? null,
        refusedReason: refused?.reason ?? null,
      },
    ]
  })
}

/** The names of MIDs whose acquirer has sent nothing for longer than usual. */
export async function findSilentMids({ pool, clock, configuration }: PanelContext): Promise<readonly string[]> {
  const now = clock.now()
  return (await listNotificationArrivals(pool)).flatMap((arrived) => {
    const mid = isSilent(arrived, now) ? configuration.mid(arrived.midId) : null
    return mid ? [mid.name] : []
  })
}
