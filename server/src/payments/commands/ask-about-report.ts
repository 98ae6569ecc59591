/**
 * An acquirer reports that something was decided, and names the transaction by references alone. The report proves nothing and says nothing about
 * the outcome: it is the reason to ask, now instead of on schedule, and it may bring the acquirer's reference that a lost answer would have brought.
 */
import type { AcquirerEvent } from '../../connectors/connector.ts'
import type { PaymentAtMid } from '../../contracts/ports.ts'
import type { TransactionRecord } from '../../contracts/records.ts'
import { type EventEntry, eventEntered, tryLater } from '../exchange/event-entry.ts'
import type { Deps } from '../request/deps.ts'
import { applyDecision } from './apply-decision.ts'

type ReportedEvent = Extract<AcquirerEvent, { kind: 'reported' }>

/** The account may serve other shops as well, so that a reference that is not ours is no fault. */
const notOurs = tryLater('No payment of this MID has the reference.', { isFault: false })

export async function askAboutReport(deps: Deps, midId: string, event: ReportedEvent): Promise<EventEntry> {
  const paymentId = await deps.notifications.findReported(midId, event)
  const found = paymentId === null ? null : await deps.payments.readAtMid(midId, paymentId)
  if (!found) return notOurs
  const { payment } = found
  await deps.notifications.place(midId, event, payment.id)
  if (event.task !== null) {
    const { merchantId, id } = payment
    await deps.alerts.raise({ kind: 'acquirer-event', merchantId, paymentId: id, text: event.task })
    return eventEntered
  }
  const transaction = findTransaction(found, event)
  return transaction ? applyDecision(deps, { payment, transaction, outcome: undefined }) : eventEntered
}

/** The open one, whatever is named: asking about it moves no money by itself. */
function findTransaction({ payment, transactions }: PaymentAtMid, event: ReportedEvent): TransactionRecord | undefined {
  const named = transactions.find(({ id }) => id === event.transactionId)
  const open = transactions.find(({ id }) => id === payment.openTransaction)
  const referenced = transactions.find(({ reference }) => reference === event.acquirerReference)
  const subject = open ?? named ?? referenced
  // Its answer was lost: the acquirer is asked by the reference that the report brings.
  return subject && subject === named
    ? { ...subject, reference: subject.reference ?? event.acquirerReference }
    : subject
}
