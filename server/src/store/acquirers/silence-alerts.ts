/** MIDs whose acquirer has stopped sending notifications, and about which no alert was raised yet. See decisions/notifications#silence. */

import { expectedWithinMs, isSilent } from '#domain/notification-silence.ts'
import { utcText } from '#domain/time.ts'
import type { Pool } from '../database/pool.ts'
import { findUnraisedTexts } from '../instance/alerts.ts'
import { listNotificationArrivals } from './notification-arrivals.ts'

export const silenceAlertKind = 'notifications-silent'

/** The texts of the alerts. Each names the last arrival, so that one silence has one text. */
export async function findUnreportedSilences(
  pool: Pool,
  nameOf: (midId: string) => string | null,
  now: Date,
): Promise<readonly string[]> {
  const texts = (await listNotificationArrivals(pool)).flatMap((arrived) => {
    const name = isSilent(arrived, now) ? nameOf(arrived.midId) : null
    return name === null || arrived.lastAt === null
      ? []
      : [textOf(name, arrived.lastAt, expectedWithinMs(arrived) ?? 0)]
  })
  return findUnraisedTexts(pool, silenceAlertKind, texts)
}

const textOf = (name: string, lastAt: Date, expectedMs: number): string =>
  `The acquirer of MID ${name} has sent no notification since ${utcText(lastAt)}, although payments are approved; ` +
  `one was expected within ${Math.round(expectedMs / 60_000)} minutes. Check the webhook in the acquirer's dashboard.`
