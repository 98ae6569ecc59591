/**
 * A charge that the acquirer executed after the payment was DECLINED: the payment stays as it is, the charge is taken back and a
 * person is told. Chapter 10 §6.2, "Late success of a DECLINED payment".
 *
 * The taking back is a REVERSAL of the payment whose id follows from the charge's, so that a charge which is found twice is taken
 * back once. Only its intent is written here, with no sender and due at once: the reconciler sends it like every intent that was
 * left behind, and so it outlives a crash. It moves no money of ours, because none was ever booked, and no callback tells of it.
 */
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { AcquirerFacts } from '../../connectors/connector.ts'
import type { PaymentRecord, Settlement, TransactionRecord } from '../../contracts/records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { currentPayment } from '../exchange/current-payment.ts'
import { derivedId } from '../exchange/derived-id.ts'
import { newTransaction } from '../exchange/transaction.ts'
import type { Deps } from '../request/deps.ts'
import { noConsequences } from './consequences.ts'

/** `charge` as it was written: failed, and yet executed. `facts` is what the acquirer told of it now. */
export async function takeBack(deps: Deps, charge: TransactionRecord, facts: AcquirerFacts): Promise<void> {
  const read = () => currentPayment(deps, { merchantId: charge.merchantId, id: charge.paymentId })
  const record = await read()
  const written = await writeCurrent({
    record,
    write: (payment) => writeReversal(deps, payment, { charge, facts, isFirstTry: payment === record }),
    read,
  })
  if (!written) throw new Error(`The reversal of ${charge.id} could not be stored: the payment kept changing.`)
}

interface LateCharge {
  readonly charge: TransactionRecord
  readonly facts: AcquirerFacts
  readonly isFirstTry: boolean
}

async function writeReversal(
  deps: Deps,
  payment: PaymentRecord,
  { charge, facts, isFirstTry }: LateCharge,
): Promise<'done' | null> {
  const transactions = await deps.payments.transactions(payment.merchantId, payment.id)
  if (transactions.some(({ id }) => id === reversalIdOf(charge))) return 'done'
  if (!canBeTakenBack(payment)) {
    await alert(deps, payment, charge, 'Refund it manually at the acquirer.')
    return 'done'
  }
  // Alert first, then write: a crash in between may repeat the alert, but never lose it.
  if (isFirstTry) await alert(deps, payment, charge, 'It is being reversed.')
  return (await deps.payments.enter(intentOf(deps, payment, charge, facts))) === 'settled' ? 'done' : null
}

/** Whether the success of a charge would come too late. */
export const wasWrittenOff = ({ type, state }: TransactionRecord): boolean =>
  state === 'fail' && firstStepTypes.includes(type)

/** The charge that a reversal takes back: a payment that was retried has several. */
export async function chargeTakenBack(
  deps: Deps,
  payment: PaymentRecord,
  { id }: TransactionRecord,
): Promise<TransactionRecord> {
  const transactions = await deps.payments.transactions(payment.merchantId, payment.id)
  const charge = transactions.find((transaction) => reversalIdOf(transaction) === id)
  if (!charge) throw new Error(`The charge that reversal ${id} reverses was not found.`)
  return charge
}

const reversalIdOf = ({ id }: Pick<TransactionRecord, 'id'>): string => derivedId(`late success of ${id}`)

/** What was paid out or sent on to another card is with somebody else already. While a RETRY is under way nobody else may begin. */
const canBeTakenBack = ({ status, kind, inFlight }: PaymentRecord): boolean =>
  status === 'DECLINED' && !inFlight && (kind === 'sale' || kind === 'debit')

function intentOf(deps: Deps, before: PaymentRecord, charge: TransactionRecord, facts: AcquirerFacts): Settlement {
  const at = deps.clock.now()
  const id = reversalIdOf(charge)
  const transaction = newTransaction(before, {
    id,
    type: 'REVERSAL',
    amountMinor: facts.received === undefined ? charge.amountMinor : BigInt(facts.received),
    midId: charge.midId,
    parameters: null,
    creditvoidId: derivedId(`${id} creditvoid`),
    useId: null,
    createdAt: at,
  })
  return {
    ...noConsequences,
    before,
    after: {
      ...before,
      version: before.version + 1,
      reference: facts.reference ?? charge.reference ?? before.reference,
      openTransaction: id,
      inFlight: true,
      updatedAt: at,
    },
    transaction,
    askAt: at,
    entries: [],
    callback: null,
    token: null,
    step: null,
    at,
  }
}

async function alert(deps: Deps, payment: PaymentRecord, charge: TransactionRecord, rest: string): Promise<void> {
  await deps.alerts.raise({
    kind: 'late-success',
    merchantId: payment.merchantId,
    paymentId: payment.id,
    text: `The acquirer executed ${charge.type} ${charge.id} after it was written off; the payment is ${payment.status}. ${rest}`,
  })
}
