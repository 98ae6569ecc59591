/**
 * Debits in two steps: calculated first, completed by the merchant's word, or over when their time is. Chapter 20 §12.
 *
 * A calculation asks nobody: the commission is ours, and it is fixed in the payment from then on. The debit itself begins with the
 * completion, as a transaction of its own, so that the acquirer knows the payment by it.
 */
import { errors } from '#domain/errors.ts'
import { decide, expireCalculation } from '#domain/payment/decide.ts'
import type { PaymentRecord, Settlement, TransactionRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { writeCurrent } from '../../process/current-write.ts'
import type { Drafted } from '../attempt/draft.ts'
import { charge } from '../exchange/charge.ts'
import { currentPayment } from '../exchange/current-payment.ts'
import { departureTo, type Intent } from '../exchange/sending.ts'
import { today } from '../exchange/today.ts'
import { newTransaction } from '../exchange/transaction.ts'
import { storedCharge } from '../methods/stored-charge.ts'
import { noConsequences } from '../outcome/consequences.ts'
import { type Performed, settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { recounted } from '../routing/limit-usage.ts'

export interface CompleteRequest {
  readonly payment: PaymentRecord
  readonly useId: string | null
}

export const calculate = (
  deps: Deps,
  { payment, transaction }: Pick<Drafted, 'payment' | 'transaction'>,
): Promise<Performed> => settle(deps, { payment, transaction }, { result: 'approved', facts: {} })

export async function complete(deps: Deps, { payment, useId }: CompleteRequest): Promise<Performed> {
  const begun = await writeCurrent({
    record: payment,
    write: (current) => begin(deps, current, useId),
    read: () => currentPayment(deps, payment),
  })
  if (!begun) throw new RefusedError(errors.cannotBeCompleted)
  const data = await storedCharge(deps, begun.payment)
  if (!data) throw new Error(`What payment ${payment.id} is made with is gone.`)
  return settle(deps, begun, await charge(deps, begun, data))
}

async function begin(deps: Deps, payment: PaymentRecord, useId: string | null): Promise<Intent | null> {
  const { midId, facts } = payment
  if (midId === null) throw new Error(`Payment ${payment.id} has no MID.`)
  const now = deps.clock.now()
  const decision = decide(payment, 'COMPLETE', {
    amountMinor: undefined,
    today: today(deps, deps.configuration.mid(midId)),
    // What no calculation began, no calculation completes: such a payment was sent and only its outcome is lost.
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
  const departure = await departureTo(deps, midId)
  const written = await deps.payments.begin({ payment, transaction, sending: departure })
  if (written === 'idempotency-clash') throw new RefusedError(errors.duplicateRequest)
  // Only what is tried again counts anew.
  if (written !== 'begun') return null
  const { id } = transaction
  const version = payment.version + 1
  const begun = { ...payment, version, firstTransaction: id, openTransaction: id, inFlight: true }
  return { payment: begun, transaction, departure }
}

/** Whoever completes at the same moment wins or loses by the payment's version; then there is nothing to end any more. */
export async function expireCalculated(deps: Deps, payment: PaymentRecord): Promise<void> {
  const written = await writeCurrent({
    record: payment,
    write: (current) => writeExpiry(deps, current),
    read: () => currentPayment(deps, payment),
  })
  if (!written) throw new Error(`The end of payment ${payment.id} could not be written: the payment kept changing.`)
}

async function writeExpiry(deps: Deps, payment: PaymentRecord): Promise<'written' | 'completed' | null> {
  const ended = expireCalculation(payment)
  if (!ended) return 'completed'
  if ((await deps.payments.settle(await expiryOf(deps, payment, ended))) !== 'settled') return null
  deps.wake()
  return 'written'
}

/** The calculation stays the success that it was; only what is told of it says that its time is over. */
async function expiryOf(
  deps: Deps,
  before: PaymentRecord,
  ended: ReturnType<typeof expireCalculation>,
): Promise<Settlement> {
  const at = deps.clock.now()
  const reason = 'Expired'
  const calculation = await calculationOf(deps, before)
  const { after, recount } = recounted(before, {
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
    callback: await deps.reporter.draft(after, {
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

async function calculationOf(deps: Deps, { merchantId, id }: PaymentRecord): Promise<TransactionRecord> {
  const transactions = await deps.payments.transactions(merchantId, id)
  const calculation = transactions.find(({ type }) => type === 'CALC')
  if (!calculation) throw new Error(`Payment ${id} was never calculated.`)
  return calculation
}
