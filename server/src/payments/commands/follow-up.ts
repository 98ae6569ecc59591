/** CAPTURE, CREDITVOID and VOID: decide on the payment as read, write the intent, send it, settle the outcome. */

import { errors } from '#domain/errors.ts'
import { decide } from '#domain/payment/decide.ts'
import { reversesLateCharge } from '#domain/payment/late-success.ts'
import { type Command, noBrandLimits } from '#domain/payment/rules.ts'
import type { AcquirerAccount, FollowUp, Outcome } from '../../connectors/connector.ts'
import type { Acquirer } from '../../contracts/ports.ts'
import type { JsonObject, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { readCurrentPayment } from '../exchange/current-payment.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import { type Intent, prepareDeparture } from '../exchange/sending.ts'
import { laterOperation, readHistory } from '../exchange/sent-transaction.ts'
import { today } from '../exchange/today.ts'
import { findReversedCharge } from '../outcome/late-success.ts'
import { type DeclinedOutcome, enterDeclined, type PaymentWithTransaction, settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'

export interface FollowUpRequest {
  readonly payment: PaymentRecord
  readonly command: Exclude<Command, 'RETRY' | 'COMPLETE'>
  /** Undefined means the whole hold, or the whole remaining amount. */
  readonly amountMinor: bigint | undefined
  readonly parameters: JsonObject | undefined
  readonly useId: string | null
  /** True refuses if the payment has changed since it was read, because the caller approved that version only. */
  readonly asRead?: boolean
}

export async function followUp(deps: Deps, request: FollowUpRequest): Promise<PaymentWithTransaction> {
  const begun = await writeCurrent({
    record: request.payment,
    write: (payment) => begin(deps, request, payment),
    read: request.asRead ? null : () => readCurrentPayment(deps, request.payment),
  })
  if (!begun) throw new RefusedError(errors.previousTransactionOpen)
  if (begun.kind === 'declined') return begun.ended
  return settle(deps, begun.intent, await sendFollowUp(deps, begun.intent))
}

type Begun =
  | { readonly kind: 'sent'; readonly intent: Intent }
  /** The acquirer has no such operation, so that nothing was sent and the payment was never busy. */
  | { readonly kind: 'declined'; readonly ended: PaymentWithTransaction }

async function begin(
  deps: Deps,
  { command, amountMinor, parameters, useId }: FollowUpRequest,
  payment: PaymentRecord,
): Promise<Begun | null> {
  const { midId } = payment
  if (midId === null) throw new Error(`Payment ${payment.id} has no MID.`)
  const decision = decide(payment, command, {
    amountMinor,
    today: today(deps, deps.configuration.mid(midId)),
    // The brand's limits as they were when the payment was created. Chapter 20 §5.1, "version".
    brand: payment.facts.brand ?? noBrandLimits,
  })
  if (!decision.allowed) throw new RefusedError(decision.refusal)
  // Chapter 70 §7: held for review, and no person has accepted it.
  if (command === 'CAPTURE' && payment.routing?.review && (await deps.reviews.findDecision(payment)) !== 'accepted')
    throw new RefusedError(errors.captureNotPending)

  const now = deps.clock.now()
  const givesBack = decision.records === 'REFUND' || decision.records === 'REVERSAL'
  const transaction = newTransaction(payment, {
    id: deps.ids.next(),
    type: decision.records,
    amountMinor: decision.amountMinor,
    midId,
    parameters: parameters ?? null,
    creditvoidId: givesBack ? deps.ids.next() : null,
    useId,
    createdAt: now,
  })
  if (!operationOf(await deps.acquirers.find(midId), payment, transaction)) {
    const ended = await enterDeclined(deps, { payment, transaction: { ...transaction, useId: null } }, notOffered)
    return ended && { kind: 'declined', ended }
  }
  const departure = await prepareDeparture(deps, midId)
  const written = await deps.payments.begin({ payment, transaction, sending: departure })
  if (written === 'idempotency-clash') throw new RefusedError(errors.duplicateRequest)
  if (written === 'stale') return null
  const { id: openTransaction } = transaction
  const begun = { ...payment, version: payment.version + 1, openTransaction, inFlight: true }
  return { kind: 'sent', intent: { payment: begun, transaction, departure } }
}

/** Also used by the reconciler, to send a follow-up that never reached the acquirer. */
export async function sendFollowUp(deps: Deps, { payment, transaction, departure }: Intent): Promise<Outcome> {
  const acquirer = await deps.acquirers.find(transaction.midId)
  const method = operationOf(acquirer, payment, transaction)
  if (!method) return notOffered
  const late = reversesLateCharge(payment, transaction.type)
  const first = late ? (await findReversedCharge(deps, payment, transaction)).id : payment.firstTransaction
  const request: FollowUp = {
    transactionId: transaction.id,
    paymentId: payment.id,
    originalTransactionId: first,
    reference: payment.reference,
    amountMinor: transaction.amountMinor,
    currency: payment.currency,
    parameters: transaction.parameters ?? {},
    createdAt: transaction.createdAt,
    ...(await readHistory(deps, payment, first)),
  }
  return acquirer.exchange(method.name, () => method.send(request, departure.sendBy))
}

const notOffered: DeclinedOutcome = {
  result: 'declined',
  reason: 'The acquirer does not offer this operation',
  declineClass: 'hard',
  facts: {},
}

type OperationName = 'capture' | 'refund' | 'reverse' | 'void'

interface Operation {
  readonly name: OperationName
  send(followUp: FollowUp, sendBy: number): Promise<Outcome>
}

/** A late charge is undone by the first of these operations that the acquirer offers. Chapter 10 §6.2. */
const undoOperations: readonly OperationName[] = ['reverse', 'void', 'refund']

function operationOf({ account }: Acquirer, payment: PaymentRecord, transaction: TransactionRecord): Operation | null {
  const late = reversesLateCharge(payment, transaction.type)
  return firstOffered(account, late ? undoOperations : [laterOperation(transaction)])
}

function firstOffered(account: AcquirerAccount, names: readonly (OperationName | undefined)[]): Operation | null {
  for (const name of names) {
    const send = name && account[name]
    if (send) return { name, send }
  }
  return null
}
