/**
 * Sends alerts to the channels where they are due, those of one channel together. A mail is queued in the transaction that removes the
 * messages, so that a restart queues it once. A webhook gets the same id again if the process died after sending. Chapter 70 §9.
 */

import type { AlertSender, DueChannel, DueChannels } from '../../contracts/alert-ports.ts'
import type { Clock, Ids, Log } from '../../contracts/ports.ts'
import { type DueWork, runDueWork } from '../due-work.ts'
import { nextSend } from '../next-send.ts'
import { plainText, subjectOf } from './alert-text.ts'

interface DeliveryParts {
  readonly channels: DueChannels
  readonly sender: AlertSender
  readonly panelUrl: () => string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Above the duration of one exchange, so that a lease expires only if its process is dead. */
const leaseSeconds = 120
const pollMs = 5000

export function runAlertDelivery(parts: DeliveryParts): DueWork {
  const { channels, clock, ids, log, sender } = parts
  return runDueWork({
    name: 'alert delivery',
    claim: (limit) => channels.claim(clock.now(), limit, leaseSeconds),
    run: (channel) => deliver(parts, channel),
    concurrency: 4,
    pollMs,
    ids,
    log,
    close: () => sender.close(),
  })
}

async function deliver({ channels, sender, panelUrl, clock, log }: DeliveryParts, channel: DueChannel): Promise<void> {
  const at = clock.now()
  const text = { alerts: channel.alerts, panelUrl: panelUrl() }
  if (channel.kind === 'mail') {
    const mail = { to: channel.target.reveal(), subject: subjectOf(channel.alerts), text: plainText(text) }
    return channels.recordSent(channel, at, mail)
  }
  const fault = await sender.send(channel, text, at)
  if (fault === null) return channels.recordSent(channel, at, null)
  const nextAt = nextSend(channel.attempts, at)
  log.warn(
    { channel: channel.name, attempts: channel.attempts + 1 },
    nextAt === null ? 'Alerts could not be sent after all attempts and were given up.' : 'Alerts could not be sent.',
  )
  await channels.recordFailed(channel, { at, text: fault, nextAt })
}
