/**
 * An acquirer calls us. The notification is verified by the MID's connector, stored with its events, and answered; a worker enters the events.
 * What is not verified changes nothing. Chapter 60 §2.
 */
import type { Mid } from '#domain/mid.ts'
import type { NotificationAnswer, NotificationRequest } from '../../connectors/notification.ts'
import type { Deps } from '../request/deps.ts'

export type NotificationResult =
  | { readonly kind: 'taken'; readonly answer: NotificationAnswer }
  | { readonly kind: 'unverified' }
  /** Nothing can be verified until an operator has entered the MID's credentials again. */
  | { readonly kind: 'unusable-mid' }
  /** The MID does not exist, or its acquirer sends no notifications. */
  | { readonly kind: 'not-expected' }

type Parts = Pick<Deps, 'acquirers' | 'clock' | 'configuration' | 'log' | 'notifications'>

/** Also for a MID that is switched off: refunds and disputes end long after its last payment. */
export async function receiveNotification(
  deps: Parts,
  midName: string,
  request: NotificationRequest,
): Promise<NotificationResult> {
  const mid = deps.configuration.midNamed(midName)
  if (!mid) return { kind: 'not-expected' }
  const { account, connector, unusableBecause } = await deps.acquirers.find(mid.id)
  if (unusableBecause) return { kind: 'unusable-mid' }
  if (!account.readNotification) return { kind: 'not-expected' }
  const reading = await account.readNotification(request)
  if (reading.kind === 'unverified') return refuse(deps, mid, reading.reason)
  const events = reading.kind === 'verified' ? reading.events : []
  await deps.notifications.store({ midId: mid.id, id: reading.id, receivedAt: deps.clock.now(), events })
  return { kind: 'taken', answer: connector.notificationAnswer }
}

/** One that is refused unread. False if there is no such MID. */
export async function refuseNotification(deps: Parts, midName: string, reason: string): Promise<boolean> {
  const mid = deps.configuration.midNamed(midName)
  if (mid) await refuse(deps, mid, reason)
  return mid !== null
}

/** The sender gets its answer even if the refusal could not be counted. */
async function refuse({ log, notifications, clock }: Parts, mid: Mid, reason: string): Promise<NotificationResult> {
  log.warn({ mid: mid.name, reason }, 'A notification was refused.')
  try {
    await notifications.countRefused({ midId: mid.id, at: clock.now(), reason })
  } catch (error) {
    log.error({ mid: mid.name, err: error }, 'A refused notification could not be counted.')
  }
  return { kind: 'unverified' }
}
