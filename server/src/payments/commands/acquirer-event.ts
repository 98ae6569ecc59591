/** Enters what an acquirer reports by itself, whether it was polled or came as a notification. Chapter 10 §6, §7.16, chapter 60 §2. */
import { formatAmount } from '#domain/money/money.ts'
import type { AcquirerEvent } from '../../connectors/connector.ts'
import { isIdOf } from '../../connectors/merchant-reference.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { type EventEntry, eventEntered, tryLater } from '../exchange/event-entry.ts'
import { settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { handleDecidedEvent } from './apply-decision.ts'
import { askAboutReport } from './ask-about-report.ts'
import { enterDispute } from './dispute.ts'
import { enterDisputeChange, enterReturned } from './dispute-report.ts'

export async function enterEvent(
  deps: Deps,
  midId: string,
  event: AcquirerEvent,
  { isPostponed } = { isPostponed: false },
): Promise<EventEntry> {
  switch (event.kind) {
    case 'decided':
      return handleDecidedEvent(deps, midId, event)
    case 'reported':
      return askAboutReport(deps, midId, event)
    case 'chargeback':
    case 'lapse':
      return enterDispute(deps, midId, event)
    case 'refund-failed':
    case 'captured':
    case 'arn':
      return enterOnTransaction(deps, midId, event)
    case 'chargeback-returned':
      return enterReturned(deps, midId, event)
    case 'dispute-changed':
      return enterDisputeChange(deps, midId, event, { isPostponed })
  }
}

const unknownPayment = 'The payment is not known at this MID.'

type TransactionEvent = Extract<AcquirerEvent, { kind: 'refund-failed' | 'captured' | 'arn' }>

async function enterOnTransaction(deps: Deps, midId: string, event: TransactionEvent): Promise<EventEntry> {
  const found = await deps.payments.readAtMid(midId, event.paymentId)
  if (!found) return tryLater(unknownPayment)
  const { payment, transactions } = found
  const transaction = transactions.find((candidate) => isIdOf(event.transactionId, candidate))
  if (!transaction) return tryLater('The transaction is not known.')
  switch (event.kind) {
    case 'arn':
      await deps.payments.addFacts(transaction, { arn: event.arn })
      return eventEntered
    case 'refund-failed':
      return enterFailedRefund(deps, payment, transaction, event.reason)
    case 'captured':
      // A capture of ours is decided by its own event.
      if (transaction.type === 'CAPTURE') return eventEntered
      await alert(
        deps,
        payment,
        'The acquirer captured the hold without a command of ours. Compare the payment with the acquirer.',
      )
      return eventEntered
  }
}

/** A refund whose outcome is open is declined. One that the payment already contains needs a person: the merchant was told of it. */
async function enterFailedRefund(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  reason: string,
): Promise<EventEntry> {
  if (transaction.state === 'sent') return tryLater('The answer to the refund is still awaited.')
  if (payment.openTransaction === transaction.id) {
    await settle(deps, { payment, transaction }, { result: 'declined', reason, declineClass: 'hard', facts: {} })
    return eventEntered
  }
  if (transaction.state === 'success') await alertFailedRefund(deps, payment, transaction, reason)
  return eventEntered
}

/** Acquirers report it more than once: not while the alert is open. */
async function alertFailedRefund(
  deps: Deps,
  { merchantId, id: paymentId, currency, amountDecimals }: PaymentRecord,
  { id, amountMinor }: TransactionRecord,
  reason: string,
): Promise<void> {
  const amount = `${formatAmount(amountMinor, currency, amountDecimals)} ${currency}`
  const text =
    `The refund ${id} of ${amount} was approved and failed later (${reason}). The payer does not have the money, and the merchant was debited. ` +
    'Repay the payer in another way, or credit the merchant by a correction.'
  await deps.alerts.raise({ kind: 'refund-failed', merchantId, paymentId, text, once: true })
}

const alert = (deps: Deps, { merchantId, id: paymentId }: PaymentRecord, text: string): Promise<void> =>
  deps.alerts.raise({ kind: 'acquirer-event', merchantId, paymentId, text })
