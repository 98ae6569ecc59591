/**
 * Writes a chargeback or a lapsed hold with what follows from it: the transaction, the money, the callback, and the dispute; and the
 * inquiry before it (decisions/disputes#inquiries).
 */
import type { Conclusion } from '#domain/payment/decide.ts'
import type { AcquirerEvent } from '../../connectors/connector.ts'
import type { KnownDispute, OpenedDispute } from '../../contracts/dispute-ports.ts'
import type { OutcomeRecord, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { derivedId } from '../exchange/derived-id.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import { withCharges } from '../outcome/charges.ts'
import { noConsequences } from '../outcome/consequences.ts'
import type { Deps } from '../request/deps.ts'

export type ReportedDispute = Extract<AcquirerEvent, { kind: 'chargeback' | 'lapse' }>
export type ReportedChargeback = Extract<AcquirerEvent, { kind: 'chargeback' }>

/**
 * False without an effect if the payment changed. Write the chargeback first: a crash then never leaves a dispute without one. The event is read
 * again and opens the dispute.
 */
export async function writeConcluded(deps: Deps, concluded: ConcludedEvent): Promise<boolean> {
  const { before, identity, event } = concluded
  if ((await deps.payments.enter(await composeOutcomeRecord(deps, concluded))) !== 'settled') return false
  deps.wake()
  if (event.kind === 'chargeback') await openDispute(deps, before, identity, event)
  return true
}

/** Once: a dispute whose chargeback is known is not changed. */
export const openDispute = (
  deps: Deps,
  payment: PaymentRecord,
  identity: EventIdentity,
  event: ReportedChargeback,
): Promise<void> => deps.disputes.open(toOpenedDispute(payment, identity, event, deps.clock.now()))

export interface EventIdentity {
  readonly id: string
  readonly midId: string
}

interface ConcludedEvent {
  readonly before: PaymentRecord
  readonly identity: EventIdentity
  readonly event: ReportedDispute
  readonly conclusion: Conclusion
  /** The facts of the transaction. */
  readonly facts: TransactionRecord['facts']
}

async function composeOutcomeRecord(
  deps: Deps,
  { before, identity, event, conclusion, facts }: ConcludedEvent,
): Promise<OutcomeRecord> {
  const at = deps.clock.now()
  const disputed = event.kind === 'chargeback'
  const transaction = { ...newEventTransaction(before, identity, event, at), state: conclusion.state, facts }
  const after: PaymentRecord = {
    ...before,
    ...conclusion.payment,
    version: before.version + 1,
    facts: disputed ? { ...before.facts, chargeback: disputeOf(event) } : before.facts,
    updatedAt: at,
  }
  return {
    ...noConsequences,
    // Chapter 10 §9.2: a chargeback on any payment of the chain ends the plan.
    endsPlan: disputed && before.chainId ? { of: 'chain', id: before.chainId, reason: 'chargeback' } : null,
    before,
    after,
    transaction,
    askAt: null,
    entries: withCharges(deps, before, transaction, { moved: conclusion.entries, at }),
    callback: await deps.reporter.composeCallback(after, transaction),
    token: null,
    step: null,
    at,
  }
}

const toOpenedDispute = (
  { merchantId, id: paymentId, currency, amountDecimals, facts }: PaymentRecord,
  { id, midId }: EventIdentity,
  { reference, reasonCode, amountMinor }: Pick<ReportedChargeback, 'reference' | 'reasonCode' | 'amountMinor'>,
  openedAt: Date,
): OpenedDispute => ({
  merchantId,
  id,
  paymentId,
  midId,
  reference,
  reasonCode,
  amountMinor,
  currency,
  amountDecimals,
  network: facts.network ?? null,
  openedAt,
})

/** The transaction is written already ended: the acquirer has executed it. */
function newEventTransaction(
  payment: PaymentRecord,
  { id, midId }: EventIdentity,
  event: ReportedDispute,
  at: Date,
): TransactionRecord {
  const disputed = event.kind === 'chargeback'
  const transaction = newTransaction(payment, {
    id,
    type: disputed ? 'CHARGEBACK' : 'REVERSAL',
    amountMinor: disputed ? event.amountMinor : payment.authorisedMinor,
    midId,
    parameters: null,
    creditvoidId: disputed ? null : derivedId(`${id} creditvoid`),
    useId: null,
    createdAt: at,
  })
  return { ...transaction, reference: event.reference, endedAt: at }
}

const disputeOf = ({ at, bankDate, reasonCode }: ReportedChargeback) => ({
  at: at.toISOString(),
  bankDate,
  reasonCode,
})

/** Derives the id of the transaction of a chargeback and of its dispute. It is the id of its inquiry, too, so that whichever is reported first, both are one dispute. */
export const chargebackId = (midId: string, reference: string): string => derivedId(`${midId} chargeback ${reference}`)

interface ReportedInquiry
  extends Pick<Extract<AcquirerEvent, { kind: 'dispute-changed' }>, 'amountMinor' | 'reasonCode'> {
  /** Of the chargeback that may follow. */
  readonly chargeback: string
}

/** Opens an inquiry once: the payer's bank asks before it takes money. No money moves, and neither the payment nor the merchant's callbacks change. */
export async function openInquiry(
  deps: Deps,
  payment: PaymentRecord,
  midId: string,
  { chargeback: reference, amountMinor, reasonCode }: ReportedInquiry,
): Promise<void> {
  const disputedMinor = amountMinor !== null && amountMinor > 0n ? amountMinor : payment.authorisedMinor
  // Nothing was charged that a bank could take.
  if (disputedMinor <= 0n) return
  const identity = { id: chargebackId(midId, reference), midId }
  const event = { reference, reasonCode, amountMinor: disputedMinor }
  await deps.disputes.openInquiry(toOpenedDispute(payment, identity, event, deps.clock.now()))
}

/** A chargeback that did not come as a notification: a file's row, or one that a person enters. */
interface OtherReport {
  readonly reference: string | null
  /** Only of a row, which the acquirer wrote: a person may enter another chargeback of the same amount. */
  readonly amountMinor: bigint | null
}

/**
 * Finds the inquiry that became this chargeback: one that the report names, or the payment's only one if it is of the same amount. Files and people name a dispute in their own
 * way; notifications repeat the reference, so that the id is the same.
 */
export async function findInquiry(
  deps: Deps,
  { merchantId, id }: PaymentRecord,
  midId: string,
  { reference, amountMinor }: OtherReport,
): Promise<KnownDispute | null> {
  const disputes = await deps.disputes.listOfPayment(merchantId, id)
  const inquiries = disputes.filter((one) => one.midId === midId && !one.isChargedBack)
  const named = inquiries.find((one) => reference !== null && [one.reference, one.caseReference].includes(reference))
  if (named) return named
  const [only, ...others] = inquiries.filter(({ stage }) => stage === 'inquiry')
  return only && others.length === 0 && only.amountMinor === amountMinor ? only : null
}
