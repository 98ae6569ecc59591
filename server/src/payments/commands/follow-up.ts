/** What CAPTURE, CREDITVOID and VOID share: decide on the payment as read, write the intent, ask, settle. */

import { errors } from '#domain/errors.ts'
import { decide } from '#domain/payment/decide.ts'
import { reversesLateCharge } from '#domain/payment/late-success.ts'
import type { TransactionType } from '#domain/payment/payment.ts'
import { type Command, unlimited } from '#domain/payment/rules.ts'
import type { AcquirerAccount, FollowUp, Outcome } from '../../connectors/connector.ts'
import type { JsonObject, PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { currentPayment } from '../exchange/current-payment.ts'
import { departureTo, type Intent } from '../exchange/sending.ts'
import { today } from '../exchange/today.ts'
import { newTransaction } from '../exchange/transaction.ts'
import { chargeTakenBack } from '../outcome/late-success.ts'
import { type Performed, settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'

export interface FollowUpRequest {
  readonly payment: PaymentRecord
  readonly command: Exclude<Command, 'RETRY' | 'COMPLETE'>
  /** Undefined means the whole hold, or all that is left. */
  readonly amountMinor: bigint | undefined
  readonly parameters: JsonObject | undefined
  readonly useId: string | null
  /** Only on the payment as it was read: who allowed it for what it saw has to look again when that has changed. */
  readonly asRead?: boolean
}

export async function followUp(deps: Deps, request: FollowUpRequest): Promise<Performed> {
  const begun = await writeCurrent({
    record: request.payment,
    write: (payment) => begin(deps, request, payment),
    read: request.asRead ? null : () => currentPayment(deps, request.payment),
  })
  if (!begun) throw new RefusedError(errors.previousTransactionOpen)
  return settle(deps, begun, await ask(deps, begun))
}

async function begin(
  deps: Deps,
  { command, amountMinor, parameters, useId }: FollowUpRequest,
  payment: PaymentRecord,
): Promise<Intent | null> {
  const { midId } = payment
  if (midId === null) throw new Error(`Payment ${payment.id} has no MID.`)
  const decision = decide(payment, command, {
    amountMinor,
    today: today(deps, deps.configuration.mid(midId)),
    // As the brand was when the payment was made. Chapter 20 §5.1, "version".
    brand: payment.facts.brand ?? unlimited,
  })
  if (!decision.allowed) throw new RefusedError(decision.refusal)

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
  const departure = await departureTo(deps, midId)
  const written = await deps.payments.begin({ payment, transaction, sending: departure })
  if (written === 'idempotency-clash') throw new RefusedError(errors.duplicateRequest)
  if (written === 'stale') return null
  const { id: openTransaction } = transaction
  const begun = { ...payment, version: payment.version + 1, openTransaction, inFlight: true }
  return { payment: begun, transaction, departure }
}

/** Sends a follow-up; also used by the reconciler when the acquirer never heard of it. */
export async function ask(deps: Deps, { payment, transaction, departure }: Intent): Promise<Outcome> {
  const acquirer = await deps.acquirers.of(transaction.midId)
  const late = reversesLateCharge(payment, transaction.type)
  const method = methodOf(acquirer.account, late ? waysBack : [nameOf[transaction.type]])
  if (!method) {
    const reason = 'The acquirer does not offer this operation'
    return { result: 'declined', reason, declineClass: 'hard', facts: {} }
  }
  const request: FollowUp = {
    transactionId: transaction.id,
    paymentId: payment.id,
    originalTransactionId: late ? (await chargeTakenBack(deps, payment, transaction)).id : payment.firstTransaction,
    reference: payment.reference,
    amountMinor: transaction.amountMinor,
    currency: payment.currency,
    parameters: transaction.parameters ?? {},
  }
  return acquirer.exchange(method.name, () => method.send(request, departure.sendBy))
}

type Name = 'capture' | 'refund' | 'reverse' | 'void'

interface Method {
  readonly name: Name
  send(followUp: FollowUp, sendBy: number): Promise<Outcome>
}

const nameOf: Partial<Record<TransactionType, Name>> = {
  CAPTURE: 'capture',
  REFUND: 'refund',
  REVERSAL: 'reverse',
  VOID: 'void',
}

/** A charge that came too late is undone by the first of these that the acquirer offers. Chapter 10 §6.2. */
const waysBack: readonly Name[] = ['reverse', 'void', 'refund']

function methodOf(account: AcquirerAccount, names: readonly (Name | undefined)[]): Method | null {
  for (const name of names) {
    const send = name && account[name]
    if (send) return { name, send }
  }
  return null
}
