/** MIDs whose acquirer has stopped sending notifications, and about which no alert was raised yet. Decision 0091. */
import { expectedWithinMs, isSilent } from '#domain/notification-silence.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { notificationArrivals } from './notification-arrivals.ts'

export const silenceAlertKind = 'notifications-silent'

const raisedTexts = sql<{ text: string }, readonly [string, readonly string[]]>(
  'alert.raised-texts',
  'select text from alerts where kind = $1 and text = any($2::text[])',
)

/** The texts of the alerts. Each names the last arrival, so that one silence has one text. */
export async function unreportedSilences(
  pool: Pool,
  nameOf: (midId: string) => string | null,
  now: Date,
): Promise<readonly string[]> {
  const texts = (await notificationArrivals(pool)).flatMap((arrived) => {
    const name = isSilent(arrived, now) ? nameOf(arrived.midId) : null
    return name === null || arrived.lastAt === null
      ? []
      : [textOf(name, arrived.lastAt, expectedWithinMs(arrived) ?? 0)]
  })
  if (texts.length === 0) return []
  const raised = new Set((await query(pool, raisedTexts, [silenceAlertKind, texts])).map(({ text }) => text))
  return texts.filter((text) => !raised.has(text))
}

const textOf = (name: string, lastAt: Date, expectedMs: number): string =>
  `The acquirer of MID ${name} has sent no notification since ${lastAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, although payments are approved; ` +
  `one was expected within ${Math.round(expectedMs / 60_000)} minutes. Check the webhook in the acquirer's dashboard.`
