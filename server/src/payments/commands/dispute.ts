/**
 * Events that an acquirer initiates: a chargeback, a hold that lapsed. Chapter 10 §6 ("Chargeback", "Hold lapses"), §7.16.
 *
 * They are not commands, so they apply even while another transaction is open. The transaction's id is derived from the acquirer's
 * reference of the event, so that an event reported twice counts once.
 */
import { chargeback, lapse } from '#domain/payment/decide.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { derivedId } from '../exchange/derived-id.ts'
import { type EventEntry, eventEntered, tryLater } from '../exchange/event-entry.ts'
import { today } from '../exchange/today.ts'
import type { Deps } from '../request/deps.ts'
import { type EventIdentity, findInquiry, openDispute, type ReportedDispute, writeConcluded } from './dispute-record.ts'
import { listDisputesNamed } from './dispute-report.ts'
import { takeForSettled } from './settled-chargeback.ts'

export async function enterDispute(
  deps: Deps,
  midId: string,
  event: ReportedDispute,
  { isDecided } = { isDecided: false },
): Promise<EventEntry> {
  const read = () => deps.payments.findAtMid(midId, event.paymentId)
  const own = derivedId(`${midId} ${event.kind} ${event.reference}`)
  const written = await writeCurrent({
    record: await read(),
    write: async (payment) => {
      const isEntered = isDecided && event.kind === 'chargeback'
      const named = { reference: event.reference, amountMinor: null }
      const inquiry = payment && isEntered ? await findInquiry(deps, payment, midId, named) : null
      return writeEvent(deps, payment, { identity: { id: inquiry?.id ?? own, midId }, event, isDecided })
    },
    read,
  })
  if (!written) throw new Error(`The ${event.kind} ${event.reference} could not be stored: the payment kept changing.`)
  return written
}

interface Entering {
  readonly identity: EventIdentity
  readonly event: ReportedDispute
  /** A person enters it. */
  readonly isDecided: boolean
}

/** An event that was stored before, or that the payment's status does not allow, counts as entered: a repetition would change nothing. */
async function writeEvent(
  deps: Deps,
  payment: PaymentRecord | null,
  { identity, event, isDecided }: Entering,
): Promise<EventEntry | null> {
  if (!payment) return tryLater('The payment is not known at this MID.')
  const transactions = await deps.payments.listTransactions(payment.merchantId, payment.id)
  const known = transactions.find((one) => one.id === identity.id || (isDecided && isSame(one, identity.midId, event)))
  if (known) {
    // A process may have died between the two.
    if (event.kind === 'chargeback') await openDispute(deps, payment, { ...identity, id: known.id }, event)
    if (known.facts.isEnteredByHand && !isDecided) await deps.payments.addFacts(known, { isEnteredByHand: false })
    return eventEntered
  }
  if (event.kind === 'chargeback') {
    const taken = await takeForSettled(deps, { payment, transactions, midId: identity.midId, event, isDecided })
    if (taken !== 'new') return taken === 'changed' ? null : eventEntered
  }
  // Read first, it would take the money in place of the first one, for whose return it waits.
  if (event.kind === 'chargeback' && event.follows) {
    const earlier = await listDisputesNamed(deps, payment, event.follows.chargeback)
    if (!earlier.some(({ isChargedBack }) => isChargedBack)) return tryLater('The first chargeback is not known.')
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
  const concluded = {
    before: payment,
    identity,
    event,
    conclusion: decision.conclusion,
    facts: isDecided ? { isEnteredByHand: true } : {},
  }
  return (await writeConcluded(deps, concluded)) ? eventEntered : null
}

/** Entered before under the id of its inquiry, which is one no more. */
const isSame = ({ type, midId, reference }: TransactionRecord, at: string, event: ReportedDispute): boolean =>
  event.kind === 'chargeback' && type === 'CHARGEBACK' && midId === at && reference === event.reference

function concludeEvent(
  deps: Deps,
  payment: PaymentRecord,
  midId: string,
  event: ReportedDispute,
): ReturnType<typeof chargeback> {
  const day = today(deps, deps.configuration.mid(midId))
  if (event.kind === 'chargeback') return chargeback(payment, event.amountMinor, day)
  const conclusion = lapse(payment, day)
  return conclusion && { kind: 'ok', conclusion }
}

/** The event neither changes the status nor sends a callback, so an operator has to look at it. */
async function alert(deps: Deps, { merchantId, id: paymentId }: PaymentRecord, text: string): Promise<void> {
  await deps.alerts.raise({ kind: 'acquirer-event', merchantId, paymentId, text })
}
