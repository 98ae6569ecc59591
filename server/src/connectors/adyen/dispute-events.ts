/**
 * Disputes of payments. A chargeback takes the money at once, a reversed one brings it back, even while the issuer may still object, and a second
 * chargeback takes it again. The other items say how the dispute goes on, pre-arbitration and arbitration included, and move nothing
 * (https://docs.adyen.com/risk-management/disputes-api/dispute-notifications, November 2026).
 */
import type { AcquirerEvent } from '../connector.ts'
import { readAdditionalData } from './facts.ts'
import { amountIn, type NotificationItem } from './notification-item.ts'

type DisputeState = Extract<AcquirerEvent, { readonly kind: 'dispute-changed' }>['state']

/** What an item means where it does not state the dispute's status. */
const statesByEvent: ReadonlyMap<string, DisputeState> = new Map([
  ['REQUEST_FOR_INFORMATION', 'evidence-due'],
  ['NOTIFICATION_OF_CHARGEBACK', 'opened'],
  ['CHARGEBACK', 'evidence-due'],
  ['INFORMATION_SUPPLIED', 'under-review'],
  ['CHARGEBACK_REVERSED', 'under-review'],
  ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'won'],
  ['DISPUTE_DEFENSE_PERIOD_ENDED', 'lost'],
  ['SECOND_CHARGEBACK', 'lost'],
  ['PREARBITRATION_OPEN', 'pre-arbitration'],
  // Whether the merchant or the issuer accepted or declined is not documented; the item that ends the case says who won.
  ['PREARBITRATION_ACCEPTED', 'pre-arbitration'],
  ['PREARBITRATION_DECLINED', 'pre-arbitration'],
  ['PREARBITRATION_ISSUER_WITHDRAWN', 'won'],
  ['PREARBITRATION_WON', 'won'],
  ['PREARBITRATION_LOST', 'lost'],
  ['SCHEME_ARBITRATION', 'pre-arbitration'],
  ['SCHEME_ARBITRATION_WON', 'won'],
  ['SCHEME_ARBITRATION_LOST', 'lost'],
])

/** The status that an item states takes precedence over what the item usually means. */
const statesByStatus: ReadonlyMap<string, DisputeState> = new Map([
  ['Undefended', 'evidence-due'],
  ['Pending', 'under-review'],
  ['Accepted', 'lost'],
  ['Expired', 'lost'],
  ['Lost', 'lost'],
  ['Won', 'won'],
  // Of a request for information.
  ['Unresponded', 'evidence-due'],
  ['Responded', 'under-review'],
])

/** Items that may be about a request for information as well as about a chargeback. */
const sharedEvents: ReadonlySet<string> = new Set([
  'INFORMATION_SUPPLIED',
  'ISSUER_RESPONSE_TIMEFRAME_EXPIRED',
  'DISPUTE_DEFENSE_PERIOD_ENDED',
])

/**
 * The dispute keeps its reference if it becomes a chargeback. Of an item that both have, the reason code tells; null if it does not.
 */
function isInquiry({ eventCode, additionalData }: NotificationItem): boolean | null {
  if (eventCode === 'REQUEST_FOR_INFORMATION') return true
  if (!sharedEvents.has(eventCode)) return false
  const { chargebackReasonCode, rfiReasonCode } = readAdditionalData(additionalData)
  if (chargebackReasonCode) return false
  return rfiReasonCode ? true : null
}

/**
 * Added to the event in the name of an item about a request for information: Adyen sends the same event again with another status, and once more about the
 * chargeback.
 */
export function inquirySuffix(item: NotificationItem): string {
  if (!isInquiry(item)) return ''
  const { disputeStatus = '' } = readAdditionalData(item.additionalData)
  if (statesByStatus.has(disputeStatus)) return `:inquiry-${disputeStatus.toLowerCase()}`
  return item.eventCode === 'REQUEST_FOR_INFORMATION' ? '' : ':inquiry'
}

export function toDisputeEvents(item: NotificationItem, paymentId: string): readonly AcquirerEvent[] {
  const { eventCode, pspReference, eventDate } = item
  const usual = statesByEvent.get(eventCode)
  if (!usual) return []
  const data = readAdditionalData(item.additionalData)
  const at = new Date(eventDate)
  const amountMinor = amountIn(item)
  const reasonCode = reasonOf(item, data)
  const reference = `${pspReference}:${eventCode}`
  const first = firstChargeback(item)
  const inquiry = isInquiry(item)
  const changed: AcquirerEvent = {
    kind: 'dispute-changed',
    reference: `${reference}${inquirySuffix(item)}:dispute`,
    dispute: pspReference,
    chargeback: eventCode === 'SECOND_CHARGEBACK' ? reference : first,
    paymentId,
    at,
    state: stateOf(usual, data['disputeStatus']),
    amountMinor,
    evidenceDueAt: instantOf(data['defensePeriodEndsAt']),
    reasonCode,
    ...(inquiry !== null && { isInquiry: inquiry }),
  }
  if (eventCode === 'CHARGEBACK_REVERSED') {
    return [
      { kind: 'chargeback-returned', reference, chargeback: first, paymentId, at, amountMinor, mayBeUntaken: false },
      changed,
    ]
  }
  const takesMoney = eventCode === 'CHARGEBACK' || eventCode === 'SECOND_CHARGEBACK'
  if (!takesMoney || amountMinor === null) return [changed]
  const bankDate = eventDate.slice(0, 10)
  const follows = eventCode === 'SECOND_CHARGEBACK' ? { follows: { chargeback: first } } : {}
  return [{ kind: 'chargeback', reference, paymentId, amountMinor, at, bankDate, reasonCode, ...follows }, changed]
}

/**
 * Of what follows a chargeback, Adyen names the dispute only if the webhook's setting asks for it, and otherwise the payment, in the same field: the
 * item then has no `originalReference`.
 */
const firstChargeback = ({ eventCode, pspReference, originalReference }: NotificationItem): string | null =>
  eventCode === 'CHARGEBACK' || eventCode === 'REQUEST_FOR_INFORMATION' || originalReference
    ? `${pspReference}:CHARGEBACK`
    : null

/** A case in pre-arbitration is neither undefended nor pending as a chargeback is. */
function stateOf(usual: DisputeState, disputeStatus = ''): DisputeState {
  const stated = statesByStatus.get(disputeStatus)
  const isDecided = stated === 'won' || stated === 'lost'
  return usual === 'pre-arbitration' && !isDecided ? usual : (stated ?? usual)
}

function reasonOf({ reason }: NotificationItem, data: Readonly<Record<string, string>>): string {
  const code = data['chargebackReasonCode'] ?? data['rfiReasonCode'] ?? data['nofReasonCode']
  return [code?.trim(), reason?.trim()].filter(Boolean).join(' ').slice(0, 200) || 'Unknown'
}

function instantOf(text: string | undefined): Date | null {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}
