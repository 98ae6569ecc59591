/**
 * Disputes of payments. A chargeback takes the money at once, a reversed one brings it back, even while the issuer may still object; the other items
 * say how the dispute goes on.
 */
import type { AcquirerEvent } from '../connector.ts'
import { readAdditionalData } from './facts.ts'
import { amountIn, type NotificationItem } from './notification-item.ts'

type DisputeState = Extract<AcquirerEvent, { readonly kind: 'dispute-changed' }>['state']

/** What an item means where it does not state the dispute's status. */
const states: ReadonlyMap<string, DisputeState> = new Map([
  ['REQUEST_FOR_INFORMATION', 'evidence-due'],
  ['NOTIFICATION_OF_CHARGEBACK', 'opened'],
  ['CHARGEBACK', 'evidence-due'],
  ['INFORMATION_SUPPLIED', 'under-review'],
  ['CHARGEBACK_REVERSED', 'under-review'],
  ['PREARBITRATION_OPEN', 'under-review'],
  ['DISPUTE_DEFENSE_PERIOD_ENDED', 'lost'],
  ['SECOND_CHARGEBACK', 'lost'],
  ['PREARBITRATION_LOST', 'lost'],
  ['PREARBITRATION_WON', 'won'],
])

const statuses: ReadonlyMap<string, DisputeState> = new Map([
  ['Undefended', 'evidence-due'],
  ['Pending', 'under-review'],
  ['Accepted', 'lost'],
  ['Expired', 'lost'],
  ['Lost', 'lost'],
  ['Won', 'won'],
])

export function toDisputeEvents(item: NotificationItem, paymentId: string): readonly AcquirerEvent[] {
  const { eventCode, pspReference, eventDate } = item
  const usual = states.get(eventCode)
  if (!usual) return []
  const data = readAdditionalData(item.additionalData)
  const at = new Date(eventDate)
  const amountMinor = amountIn(item)
  const reasonCode = reasonOf(item, data)
  const first = `${pspReference}:CHARGEBACK`
  const changed: AcquirerEvent = {
    kind: 'dispute-changed',
    reference: `${pspReference}:${eventCode}:dispute`,
    dispute: pspReference,
    chargeback: eventCode === 'SECOND_CHARGEBACK' ? `${pspReference}:SECOND_CHARGEBACK` : first,
    paymentId,
    at,
    state: statuses.get(data['disputeStatus'] ?? '') ?? usual,
    amountMinor,
    evidenceDueAt: instantOf(data['defensePeriodEndsAt']),
    reasonCode,
  }
  if (eventCode === 'CHARGEBACK_REVERSED') {
    const reference = `${pspReference}:${eventCode}`
    return [
      { kind: 'chargeback-returned', reference, chargeback: first, paymentId, at, amountMinor, mayBeUntaken: false },
      changed,
    ]
  }
  const takesMoney = eventCode === 'CHARGEBACK' || eventCode === 'SECOND_CHARGEBACK'
  if (!takesMoney || amountMinor === null) return [changed]
  const reference = `${pspReference}:${eventCode}`
  const bankDate = eventDate.slice(0, 10)
  return [{ kind: 'chargeback', reference, paymentId, amountMinor, at, bankDate, reasonCode }, changed]
}

function reasonOf({ reason }: NotificationItem, data: Readonly<Record<string, string>>): string {
  const code = data['chargebackReasonCode'] ?? data['rfiReasonCode'] ?? data['nofReasonCode']
  return [code?.trim(), reason?.trim()].filter(Boolean).join(' ').slice(0, 200) || 'Unknown'
}

function instantOf(text: string | undefined): Date | null {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}
