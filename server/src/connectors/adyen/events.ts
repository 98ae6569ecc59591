/** Items of Adyen's webhook in our words. */
import type { AcquirerEvent, Outcome } from '../connector.ts'
import { readMerchantReference } from '../merchant-reference.ts'
import { classOfName } from './declines.ts'
import { toDisputeEvents } from './dispute-events.ts'
import { factsOf, readAdditionalData } from './facts.ts'
import type { NotificationItem } from './notification-item.ts'

/** Empty for what changes no payment of ours, and for payments that the account took elsewhere. */
export function toEvents(item: NotificationItem): readonly AcquirerEvent[] {
  const key = readMerchantReference(item.merchantReference ?? '')
  if (!key) return []
  const { pspReference, eventCode, success, eventDate } = item
  const common = { ...key, reference: `${pspReference}:${eventCode}`, at: new Date(eventDate) }
  switch (eventCode) {
    case 'AUTHORISATION':
    case 'CAPTURE':
    case 'CANCELLATION':
    case 'CANCEL_OR_REFUND':
    case 'REFUND':
      return [{ ...common, kind: 'decided', acquirerReference: pspReference, outcome: outcomeOf(item) }]
    case 'TECHNICAL_CANCEL':
      return success === 'true' ? [{ ...common, kind: 'decided', outcome: cancelled }] : []
    case 'OFFER_CLOSED':
      return success === 'true' ? [{ ...common, kind: 'decided', outcome: expire(pspReference) }] : []
    case 'CAPTURE_FAILED':
      return [{ ...common, kind: 'decided', acquirerReference: pspReference, outcome: decline(item) }]
    case 'REFUND_FAILED':
    case 'REFUNDED_REVERSED':
      return [{ ...common, kind: 'refund-failed', reason: item.reason || 'Refund failed' }]
    case 'EXPIRE':
      return [{ kind: 'lapse', reference: common.reference, paymentId: key.paymentId, at: common.at }]
    default:
      return toDisputeEvents(item, key.paymentId)
  }
}

function outcomeOf(item: NotificationItem): Outcome {
  if (item.success !== 'true') return decline(item)
  return { result: 'approved', facts: factsOf(item.pspReference, readAdditionalData(item.additionalData)) }
}

function decline({ reason, pspReference }: NotificationItem): Outcome {
  const words = reason || 'Refused'
  return { result: 'declined', reason: words, declineClass: classOfName(words), facts: { reference: pspReference } }
}

const cancelled: Outcome = { result: 'not-executed', reason: 'Cancelled at the acquirer', facts: {} }

/** The payer left the page until its time was over. */
const expire = (reference: string): Outcome => ({
  result: 'declined',
  reason: 'Expired',
  declineClass: 'hard',
  facts: { reference },
})
