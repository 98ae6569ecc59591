/**
 * Events that an acquirer initiates: a chargeback, a hold that lapsed. Chapter 10 §6 ("Chargeback", "Hold lapses"), §7.16.
 *
 * They are not commands, so they apply even while another transaction is open. The transaction's id is derived from the acquirer's
 * reference of the event, so that an event reported twice counts once.
 */
import { type Conclusion, chargeback, lapse } from '#domain/payment/decide.ts'
import type { AcquirerEvent } from '../../connectors/connector.ts'
import type { OpenedDispute } from '../../contracts/dispute-ports.ts'
import type { OutcomeRecord, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { derivedId } from '../exchange/derived-id.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import { today } from '../exchange/today.ts'
import { withCharges } from '../outcome/charges.ts'
import { noConsequences } from '../outcome/consequences.ts'
import type { Deps } from '../request/deps.ts'
import { disputesNamed } from './dispute-report.ts'
import { type EventEntry, eventEntered, tryLater } from './event-entry.ts'

type Dispute = Extract<AcquirerEvent, { kind: 'chargeback' | 'lapse' }>

export async function enterDispute(deps: Deps, midId: string, event: Dispute): Promise<EventEntry> {
  const read = () => deps.payments.findAtMid(midId, event.paymentId)
  const identity = { id: derivedId(`${midId} ${event.kind} ${event.reference}`), midId }
  const written = await writeCurrent({
    record: await read(),
    write: (payment) => writeEvent(deps, payment, identity, event),
    read,
  })
  if (!written) throw new Error(`The ${event.kind} ${event.reference} could not be stored: the payment kept changing.`)
  return written
}

/** An event that was stored before, or that the payment's status does not allow, counts as entered: a repetition would change nothing. */
async function writeEvent(
  deps: Deps,
  payment: PaymentRecord | null,
  identity: EventIdentity,
  event: Dispute,
): Promise<EventEntry | null> {
  if (!payment) return tryLater('The payment is not known at this MID.')
  const transactions = await deps.payments.transactions(payment.merchantId, payment.id)
  if (transactions.some(({ id }) => id === identity.id)) return eventEntered
  // Read first, it would take the money in place of the first one, for whose return it waits.
  if (event.kind === 'chargeback' && event.follows) {
    const earlier = await disputesNamed(deps, payment, event.follows.chargeback)
    if (earlier.length === 0) return tryLater('The first chargeback is not known.')
  }

  const decision = concludeEvent(deps, payment, identity.midId, event)
  if (decision?.kind !== 'ok') {
    // A capture may be executed whose outcome is not known yet; with it the chargeback is possible.
    if (payment.openTransaction !== null) return tryLater('A transaction of the payment is still open.')
    // A second chargeback may be read before the report that the first one returned its money.
    if (decision?.kind === 'refused' && payment.chargedBackMinor > 0n) return tryLater(decision.refusal.message)
    const text = decision
      ? `A chargeback was refused: ${decision.refusal.message}`
      : `A ${event.kind} arrived for a payment in status ${payment.status}.`
    await alert(deps, payment, text)
    return eventEntered
  }
  const recorded = await composeOutcomeRecord(deps, {
    before: payment,
    identity,
    event,
    conclusion: decision.conclusion,
  })
  // Before the chargeback itself: after a crash in between, the event is read again and opens no second dispute.
  if (event.kind === 'chargeback') await deps.disputes.open(openedDispute(payment, identity, event, deps.clock.now()))
  if ((await deps.payments.enter(recorded)) !== 'settled') return null
  deps.wake()
  return eventEntered
}

function concludeEvent(
  deps: Deps,
  payment: PaymentRecord,
  midId: string,
  event: Dispute,
): ReturnType<typeof chargeback> {
  const day = today(deps, deps.configuration.mid(midId))
  if (event.kind === 'chargeback') return chargeback(payment, event.amountMinor, day)
  const conclusion = lapse(payment, day)
  return conclusion && { kind: 'ok', conclusion }
}

interface EventIdentity {
  readonly id: string
  readonly midId: string
}

interface ConcludedEvent {
  readonly before: PaymentRecord
  readonly identity: EventIdentity
  readonly event: Dispute
  readonly conclusion: Conclusion
}

async function composeOutcomeRecord(
  deps: Deps,
  { before, identity, event, conclusion }: ConcludedEvent,
): Promise<OutcomeRecord> {
  const at = deps.clock.now()
  const disputed = event.kind === 'chargeback'
  const transaction = { ...newEventTransaction(before, identity, event, at), state: conclusion.state }
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
    callback: await deps.reporter.draft(after, transaction),
    token: null,
    step: null,
    at,
  }
}

const openedDispute = (
  { merchantId, id: paymentId, currency, amountDecimals, facts }: PaymentRecord,
  { id, midId }: EventIdentity,
  { reference, reasonCode, amountMinor }: Extract<Dispute, { kind: 'chargeback' }>,
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
  event: Dispute,
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

const disputeOf = ({ at, bankDate, reasonCode }: Extract<AcquirerEvent, { kind: 'chargeback' }>) => ({
  at: at.toISOString(),
  bankDate,
  reasonCode,
})

/** The event neither changes the status nor sends a callback, so an operator has to look at it. */
async function alert(deps: Deps, { merchantId, id: paymentId }: PaymentRecord, text: string): Promise<void> {
  await deps.alerts.raise({ kind: 'acquirer-event', merchantId, paymentId, text })
}
