/**
 * Queries the acquirer about a transaction that was written off or decided by hand, because its request may have been executed later. An
 * executed charge is reversed by the late-success rule; any other type cannot be undone automatically and raises an alert. See
 * decisions/certainty#watches.
 */

import { limits } from '#domain/limits.ts'
import { formatAmount } from '#domain/money/money.ts'
import type { Answer } from '../../connectors/connector.ts'
import type { TransactionWatches, WatchedTransaction } from '../../contracts/ports.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { queryStatus } from '../exchange/status-query.ts'
import { alertContradiction, contradicts } from '../outcome/contradiction.ts'
import { reverseLateCharge, wasWrittenOff } from '../outcome/late-success.ts'
import { raisePaymentAlert } from '../outcome/payment-alert.ts'
import { readTransaction } from '../outcome/perform.ts'
import { nextWatchAt } from '../outcome/watch-plan.ts'
import type { Deps } from '../request/deps.ts'

export async function watch(deps: Deps, watches: TransactionWatches, watched: WatchedTransaction): Promise<void> {
  const payment = await deps.payments.find(watched.merchantId, watched.paymentId)
  if (!payment) return watches.drop(watched)
  const { transaction } = await readTransaction(deps, payment, { id: watched.transactionId })
  const answer = await queryStatus(deps, payment, transaction)
  switch (answer.result) {
    case 'approved':
      return handleExecuted(deps, watches, watched, { payment, transaction, answer })
    // The acquirer knows the transaction and says that it moved no money.
    case 'declined':
    case 'not-executed':
      if (contradicts(transaction, answer)) await alertContradiction(deps, payment, transaction)
      return watches.drop(watched)
    case 'never-arrived':
    case 'cannot-be-asked':
    case 'unknown':
    case 'waiting':
    case 'payer-step':
      return askLater(deps, watches, watched, { payment, transaction, answer })
  }
}

interface Found<A extends Answer = Answer> {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
  readonly answer: A
}

async function handleExecuted(
  deps: Deps,
  watches: TransactionWatches,
  watched: WatchedTransaction,
  { payment, transaction, answer }: Found<Extract<Answer, { result: 'approved' }>>,
): Promise<void> {
  if (transaction.state === 'success') return watches.drop(watched)
  if (wasWrittenOff(transaction)) {
    // A RETRY is in progress, and only one command at a time may change the payment.
    if (payment.inFlight) return watches.postpone(watched, new Date(deps.clock.now().getTime() + limits.watch.againMs))
    await reverseLateCharge(deps, transaction, answer.facts)
  } else {
    const reference = answer.facts.reference ?? transaction.reference ?? 'none'
    await raisePaymentAlert(
      deps,
      'executed-late',
      payment,
      `${describe(deps, payment, transaction)} was executed after it was recorded as not executed (acquirer's reference ${reference}). ` +
        'The payment does not include it: reverse it with the acquirer, or tell the merchant not to repeat it.',
    )
  }
  await watches.drop(watched)
}

async function askLater(
  deps: Deps,
  watches: TransactionWatches,
  watched: WatchedTransaction,
  { payment, transaction, answer }: Found,
): Promise<void> {
  const nextAt = nextWatchAt(transaction.endedAt ?? transaction.createdAt, watched.asks)
  if (nextAt) return watches.postpone(watched, nextAt)
  if (transaction.facts.byHand) {
    // People have asked the acquirer already, so that silence is nothing new. An execution that they recorded and it does not know is.
    if (transaction.state === 'success' && answer.result === 'never-arrived')
      await alertContradiction(deps, payment, transaction)
  } else if (answer.result !== 'never-arrived') {
    const text = `${describe(deps, payment, transaction)} was recorded as not executed, and the acquirer does not report whether it was executed later. Ask the acquirer.`
    await raisePaymentAlert(deps, 'outcome-unknown', payment, text)
  }
  await watches.drop(watched)
}

function describe(
  deps: Deps,
  { currency }: PaymentRecord,
  { type, id, amountMinor, midId }: TransactionRecord,
): string {
  const mid = deps.configuration.mid(midId)?.name ?? midId
  return `${type} ${id} of ${formatAmount(amountMinor, currency)} ${currency} at MID ${mid}`
}
