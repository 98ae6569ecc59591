/**
 * A charge that the acquirer executed after the payment was DECLINED: the payment stays DECLINED, the charge is reversed and an alert
 * raised. Chapter 10 §6.2, "Late success of a DECLINED payment".
 *
 * The REVERSAL's id is derived from the charge's, so that a charge found twice is reversed once. Only its intent is written here, without a
 * sender and due at once: the reconciler sends it like any intent whose sender died, so a crash does not lose it. It has no ledger entries,
 * because the charge was never posted to the ledger, and no callback, because the charge was never reported to the merchant.
 */

import type { AlertKind } from '#domain/alert/alert-kinds.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { AcquirerFacts } from '../../connectors/connector.ts'
import type { OutcomeRecord, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { readCurrentPayment } from '../exchange/current-payment.ts'
import { derivedId } from '../exchange/derived-id.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import type { Deps } from '../request/deps.ts'
import { noConsequences } from './consequences.ts'

/** Alerts of this kind stay on the list Unresolved until two people have recorded that the money was given back. Chapter 70 §1. */
export const giveBackAlert = 'give-back'

/** `charge` is stored as failed although it was executed. `facts` are the acquirer's new facts about it. */
export async function reverseLateCharge(deps: Deps, charge: TransactionRecord, facts: AcquirerFacts): Promise<void> {
  const read = () => readCurrentPayment(deps, { merchantId: charge.merchantId, id: charge.paymentId })
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
  const transactions = await deps.payments.listTransactions(payment.merchantId, payment.id)
  if (transactions.some(({ id }) => id === reversalIdOf(charge))) return 'done'
  if (!canBeReversed(payment)) {
    await alert(deps, giveBackAlert, { payment, charge, rest: 'Refund it manually at the acquirer.' })
    return 'done'
  }
  // Alert first, then write: a crash in between may repeat the alert, but never lose it.
  if (isFirstTry) await alert(deps, 'late-success', { payment, charge, rest: 'It is being reversed.' })
  return (await deps.payments.enter(newIntent(deps, payment, charge, facts))) === 'settled' ? 'done' : null
}

/** True for a charge stored as failed: if it turns out to be executed, that is a late success. */
export const wasWrittenOff = ({ type, state }: TransactionRecord): boolean =>
  state === 'fail' && firstStepTypes.includes(type)

/** A retried payment has several charges; the reversal's id tells which one it reverses. */
export async function findReversedCharge(
  deps: Deps,
  payment: PaymentRecord,
  { id }: TransactionRecord,
): Promise<TransactionRecord> {
  const transactions = await deps.payments.listTransactions(payment.merchantId, payment.id)
  const charge = transactions.find((transaction) => reversalIdOf(transaction) === id)
  if (!charge) throw new Error(`The charge that reversal ${id} reverses was not found.`)
  return charge
}

const reversalIdOf = ({ id }: Pick<TransactionRecord, 'id'>): string => derivedId(`late success of ${id}`)

/** Payouts and transfers cannot be reversed: the recipient has the money. During a RETRY no other command may begin. */
const canBeReversed = ({ status, kind, inFlight }: PaymentRecord): boolean =>
  status === 'DECLINED' && !inFlight && (kind === 'sale' || kind === 'debit')

function newIntent(deps: Deps, before: PaymentRecord, charge: TransactionRecord, facts: AcquirerFacts): OutcomeRecord {
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

interface LateAlert {
  readonly payment: PaymentRecord
  readonly charge: TransactionRecord
  readonly rest: string
}

async function alert(deps: Deps, kind: AlertKind, { payment, charge, rest }: LateAlert): Promise<void> {
  await deps.alerts.raise({
    kind,
    merchantId: payment.merchantId,
    paymentId: payment.id,
    text: `The acquirer executed ${charge.type} ${charge.id} after it was written off; the payment is ${payment.status}. ${rest}`,
  })
}
