/**
 * The payer gives up an open payer step, to pay in another way or not at all. Chapter 30 §7.2.
 *
 * Of the payer's return and the cancellation only one ends the step, so an attempt is either continued or cancelled. A 3DS step has charged
 * nothing. At a REDIRECT step the acquirer itself charges when the payer confirms: it is asked first, and a payer who confirms after the
 * cancellation gets the charge back, like after an expired step (chapter 10 §6.2, "Late success").
 */
import type { Outcome } from '../../connectors/connector.ts'
import type { PayerStep, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { queryStatus } from '../exchange/status-query.ts'
import { cancelledOutcome } from '../outcome/interpret-outcome.ts'
import { readTransaction, settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { endStep, settleDecidedRedirect } from './payer-step.ts'

/** Without effect if the payment has gone on meanwhile, or if the acquirer cannot say that nothing was charged. */
export async function cancelStep(deps: Deps, payment: PaymentRecord): Promise<void> {
  const step = await deps.steps.findNewest(payment)
  if (step?.state !== 'waiting' || payment.openTransaction !== step.transactionId) return
  const { transaction } = await readTransaction(deps, payment, { id: step.transactionId })
  if (step.kind === '3DS') return writeCancellation(deps, payment, { step, transaction })
  const found = await findOutcome(deps, payment, transaction)
  if (found === 'not-charged') return writeCancellation(deps, payment, { step, transaction })
  if (found !== 'open') await settleDecidedRedirect(deps, payment, step.transactionId, found)
}

async function writeCancellation(
  deps: Deps,
  payment: PaymentRecord,
  { step, transaction }: { readonly step: PayerStep; readonly transaction: TransactionRecord },
): Promise<void> {
  if (!(await endStep(deps, step, 'expired'))) return
  await settle(deps, { payment, transaction }, cancelledOutcome, {
    ending: { reason: 'payer-cancelled' },
    // The payer may still have the acquirer's page open and confirm there.
    watched: step.kind === 'REDIRECT',
  })
}

async function findOutcome(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
): Promise<Outcome | 'not-charged' | 'open'> {
  const answer = await queryStatus(deps, payment, transaction)
  switch (answer.result) {
    case 'approved':
    case 'declined':
      return answer
    case 'payer-step':
    case 'not-executed':
    case 'never-arrived':
      return 'not-charged'
    case 'cannot-be-asked': {
      // An acquirer that waits for the payer's return before it charges has not charged.
      const { account } = await deps.acquirers.find(transaction.midId)
      return account.complete ? 'not-charged' : 'open'
    }
    case 'waiting':
    case 'unknown':
      return 'open'
  }
}
