/**
 * Two-step debits: calculated first, then completed by the merchant or expired. Chapter 20 §12.
 *
 * A calculation sends nothing to the acquirer: it computes our commission and stores it with the payment, so that it no longer changes. The
 * completion begins the debit as a transaction of its own, by which the acquirer identifies the payment.
 */
import { errors } from '#domain/errors.ts'
import { decide, expireCalculation } from '#domain/payment/decide.ts'
import type { OutcomeRecord, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { writeCurrent } from '../../process/current-write.ts'
import type { DraftedPayment } from '../attempt/draft.ts'
import { charge } from '../exchange/charge.ts'
import { readCurrentPayment } from '../exchange/current-payment.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import { type Intent, prepareDeparture } from '../exchange/sending.ts'
import { today } from '../exchange/today.ts'
import { readStoredCharge } from '../methods/stored-charge.ts'
import { noConsequences } from '../outcome/consequences.ts'
import { type PaymentWithTransaction, settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { recountLimits } from '../routing/limit-usage.ts'

export interface CompleteRequest {
  readonly payment: PaymentRecord
  readonly useId: string | null
}

export const calculate = (
  deps: Deps,
  { payment, transaction }: Pick<DraftedPayment, 'payment' | 'transaction'>,
): Promise<PaymentWithTransaction> => settle(deps, { payment, transaction }, { result: 'approved', facts: {} })

export async function complete(deps: Deps, { payment, useId }: CompleteRequest): Promise<PaymentWithTransaction> {
  const begun = await writeCurrent({
    record: payment,
    write: (current) => begin(deps, current, useId),
    read: () => readCurrentPayment(deps, payment),
  })
  if (!begun) throw new RefusedError(errors.cannotBeCompleted)
  const data = await readStoredCharge(deps, begun.payment)
  if (!data) throw new Error(`The stored payment method of payment ${payment.id} is missing.`)
  return settle(deps, begun, await charge(deps, begun, data))
}

async function begin(deps: Deps, payment: PaymentRecord, useId: string | null): Promise<Intent | null> {
  const { midId, facts } = payment
  if (midId === null) throw new Error(`Payment ${payment.id} has no MID.`)
  const now = deps.clock.now()
  const decision = decide(payment, 'COMPLETE', {
    amountMinor: undefined,
    today: today(deps, deps.configuration.mid(midId)),
    // A payment that did not begin with a calculation cannot be completed: it was sent already, and only its outcome is unknown.
    expired: payment.action !== 'DEBIT2VIRTUAL_CALC' || !facts.brand || now >= new Date(facts.brand.expiresAt),
  })
  if (!decision.allowed) throw new RefusedError(decision.refusal)

  const transaction = newTransaction(payment, {
    id: deps.ids.next(),
    type: decision.records,
    amountMinor: decision.amountMinor,
    midId,
    parameters: payment.parameters,
    creditvoidId: null,
    useId,
    createdAt: now,
  })
  const departure = await prepareDeparture(deps, midId)
  const written = await deps.payments.begin({ payment, transaction, sending: departure })
  if (written === 'idempotency-clash') throw new RefusedError(errors.duplicateRequest)
  // Only a RETRY can meet a limit here, so every result but `begun` means that the payment has changed.
  if (written !== 'begun') return null
  const { id } = transaction
  const version = payment.version + 1
  const begun = { ...payment, version, firstTransaction: id, openTransaction: id, inFlight: true }
  return { payment: begun, transaction, departure }
}

/** The write is guarded by the payment's version: if a concurrent completion was written first, nothing expires. */
export async function expireUncompleted(deps: Deps, payment: PaymentRecord): Promise<void> {
  const written = await writeCurrent({
    record: payment,
    write: (current) => writeExpiry(deps, current),
    read: () => readCurrentPayment(deps, payment),
  })
  if (!written) throw new Error(`The expiry of payment ${payment.id} could not be stored: the payment kept changing.`)
}

async function writeExpiry(deps: Deps, payment: PaymentRecord): Promise<'written' | 'completed' | null> {
  const ended = expireCalculation(payment)
  if (!ended) return 'completed'
  if ((await deps.payments.settle(await prepareExpiry(deps, payment, ended))) !== 'settled') return null
  deps.wake()
  return 'written'
}

/**
 * The stored CALC transaction remains successful, because the calculation did succeed; the callback reports it as failed with reason
 * "Expired".
 */
async function prepareExpiry(
  deps: Deps,
  before: PaymentRecord,
  ended: ReturnType<typeof expireCalculation>,
): Promise<OutcomeRecord> {
  const at = deps.clock.now()
  const reason = 'Expired'
  const calculation = await requireCalculation(deps, before)
  const { after, recount } = recountLimits(before, {
    ...before,
    ...ended,
    version: before.version + 1,
    declineReason: reason,
    updatedAt: at,
  })
  return {
    ...noConsequences,
    before,
    after,
    transaction: calculation,
    askAt: null,
    entries: [],
    callback: await deps.reporter.composeCallback(after, {
      ...calculation,
      state: 'fail',
      declineReason: reason,
      declineClass: after.declineClass,
    }),
    token: null,
    step: null,
    recount,
    at,
  }
}

async function requireCalculation(deps: Deps, { merchantId, id }: PaymentRecord): Promise<TransactionRecord> {
  const transactions = await deps.payments.listTransactions(merchantId, id)
  const calculation = transactions.find(({ type }) => type === 'CALC')
  if (!calculation) throw new Error(`Payment ${id} has no CALC transaction.`)
  return calculation
}
