/** Decides for each new alert to which channels it is sent, and when. Chapter 70 §9. */

import { severityOf } from '#domain/alert/alert-kinds.ts'
import { isAtLeast } from '#domain/alert/alert-severity.ts'
import { deliveryTime } from '#domain/alert/delivery-time.ts'
import type { AlertToAnnounce, ChannelRules, UnannouncedAlerts } from '../../contracts/alert-ports.ts'
import type { Clock, Ids, Log } from '../../contracts/ports.ts'
import { type DueWork, runDueWork } from '../due-work.ts'

interface AnnouncementParts {
  readonly alerts: UnannouncedAlerts
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const pollMs = 5000

/** No lease: if two workers find the same alert, only one of them marks it, and with it writes the messages. */
export function runAlertAnnouncements({ alerts, clock, ids, log }: AnnouncementParts): DueWork {
  return runDueWork({
    name: 'alert announcements',
    claim: (limit) => alerts.list(limit),
    run: async (alert) => {
      const now = clock.now()
      const wanted = (await alerts.listChannels()).filter((channel) => isWanted(channel, alert))
      const messages = wanted.map((channel) => ({
        channelId: channel.id,
        nextAt: deliveryTime(now, severityOf(alert.kind), channel),
      }))
      await alerts.announce(alert.id, messages, now)
    },
    concurrency: 4,
    pollMs,
    ids,
    log,
  })
}

const isWanted = ({ kinds, leastSeverity }: ChannelRules, { kind }: AlertToAnnounce): boolean =>
  (kinds.length === 0 || kinds.includes(kind)) && isAtLeast(severityOf(kind), leastSeverity)
