/** How a dispute goes on, as its acquirer reports it: a deadline, the decision, and the money of a chargeback that comes back. Chapter 60 §5, chapter 70 §4. */

import { isClosed } from '#domain/dispute/dispute.ts'
import { returnChargeback, undoReturn } from '#domain/payment/decide.ts'
import { utcDay, utcText } from '#domain/time.ts'
import type { AcquirerEvent } from '../../connectors/connector.ts'
import type { DisputeReport, KnownDispute, ReturnedChargeback } from '../../contracts/dispute-ports.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { type EventEntry, eventEntered, tryLater } from '../exchange/event-entry.ts'
import type { Deps } from '../request/deps.ts'
import { openInquiry } from './dispute-record.ts'

type ReturnedEvent = Extract<AcquirerEvent, { kind: 'chargeback-returned' }>
type ChangedEvent = Extract<AcquirerEvent, { kind: 'dispute-changed' }>

const unknownPayment = tryLater('The payment is not known at this MID.')

export async function enterReturned(deps: Deps, midId: string, event: ReturnedEvent): Promise<EventEntry> {
  const payment = await deps.payments.findAtMid(midId, event.paymentId)
  if (!payment) return unknownPayment
  const named = await listDisputesNamed(deps, payment, event.chargeback)
  const disputes = named.filter(({ isChargedBack }) => isChargedBack)
  const [dispute, ...others] = disputes.filter(
    ({ returnedAt, isReturnedByHand }) => returnedAt === null || isReturnedByHand,
  )
  if (!dispute) {
    // Reported again.
    if (disputes.length > 0) return eventEntered
    return tryLater('The chargeback is not known.', { isFault: !event.mayBeUntaken })
  }
  if (others.length > 0) {
    await alert(
      deps,
      payment,
      `Money of a chargeback came back (${event.reference}), and the payment has several. ${byHand}`,
    )
    return eventEntered
  }
  const amountMinor = event.amountMinor ?? dispute.amountMinor
  if (dispute.isReturnedByHand && dispute.returnedMinor === amountMinor) {
    // What people recorded is the same money.
    await deps.disputes.confirmReturn(dispute, deps.clock.now())
    return eventEntered
  }
  const returned = { disputeId: dispute.id, amountMinor, isWon: false }
  const isPossible =
    amountMinor <= dispute.amountMinor && (await undoHandReturn(deps, payment, dispute.id)) !== 'impossible'
  if (isPossible && (await returnMoney(deps, payment, returned))) return eventEntered
  await alert(deps, payment, `More money of the chargeback ${dispute.reference} came back than was taken. ${byHand}`)
  return eventEntered
}

const byHand = 'Compare the payment with the acquirer, and record the decision with a second person under Disputes.'

export interface ReturnedMoney extends Pick<ReturnedChargeback, 'disputeId' | 'isWon'> {
  readonly amountMinor: bigint
}

/** False if not so much of the payment is charged back. Money that came back before stays as it is. */
export async function returnMoney(
  deps: Deps,
  { merchantId, id }: Pick<PaymentRecord, 'merchantId' | 'id'>,
  { disputeId, isWon, amountMinor }: ReturnedMoney,
): Promise<boolean> {
  const read = () => deps.payments.find(merchantId, id)
  const written = await writeCurrent({
    // The caller may have read the payment before its chargeback was written, and the dispute after that.
    record: await read(),
    write: async (before: PaymentRecord | null) => {
      const disputes = before ? await deps.disputes.listOfPayment(before.merchantId, before.id) : []
      const dispute = disputes.find(({ id }) => id === disputeId)
      if (!before || !dispute?.isChargedBack) return 'refused'
      if (dispute.returnedAt !== null) return 'done'
      const conclusion = isWon && isClosed(dispute.stage) ? null : returnChargeback(before, amountMinor)
      const [entry] = conclusion?.entries ?? []
      if (!conclusion || !entry) return 'refused'
      const at = deps.clock.now()
      const after = { ...before, ...conclusion.payment, version: before.version + 1, updatedAt: at }
      return (await deps.disputes.returnMoney({ before, after, disputeId, isWon, entry, at })) ? 'done' : null
    },
    read,
  })
  if (written === null) throw new Error('The returned chargeback could not be stored: the payment kept changing.')
  return written === 'done'
}

type Undone =
  | 'undone'
  /** There is none that people recorded, or the acquirer has made it. */
  | 'none'
  /** A further chargeback has taken the money meanwhile. */
  | 'impossible'

/** Posts back, once, what people recorded as returned and the acquirer did not return. A return that a settlement file has paid is the acquirer's. */
async function undoHandReturn(
  deps: Deps,
  { merchantId, id }: Pick<PaymentRecord, 'merchantId' | 'id'>,
  disputeId: string,
): Promise<Undone> {
  const read = () => deps.payments.find(merchantId, id)
  const written = await writeCurrent({
    record: await read(),
    write: async (before: PaymentRecord | null): Promise<Undone | null> => {
      const disputes = before ? await deps.disputes.listOfPayment(before.merchantId, before.id) : []
      const dispute = disputes.find(({ id }) => id === disputeId)
      if (!before || !dispute?.isReturnedByHand) return 'none'
      const at = deps.clock.now()
      if (await deps.disputes.isReturnSettled(dispute)) {
        await deps.disputes.confirmReturn(dispute, at)
        return 'none'
      }
      const conclusion = undoReturn(before, dispute.returnedMinor)
      const [entry] = conclusion?.entries ?? []
      if (!conclusion || !entry) return 'impossible'
      const after = { ...before, ...conclusion.payment, version: before.version + 1, updatedAt: at }
      const undone = { before, after, disputeId, midId: dispute.midId, entry, at }
      return (await deps.disputes.undoReturn(undone)) ? 'undone' : null
    },
    read,
  })
  if (written === null) throw new Error('The return could not be undone: the payment kept changing.')
  return written
}

/** All of the payment, where the acquirer does not name the chargeback. An inquiry beside a chargeback of the same name is not meant. */
export async function listDisputesNamed(
  deps: Deps,
  { merchantId, id }: PaymentRecord,
  chargeback: string | null,
): Promise<readonly KnownDispute[]> {
  const disputes = await deps.disputes.listOfPayment(merchantId, id)
  if (chargeback === null) return disputes
  const named = disputes.filter(({ reference }) => reference === chargeback)
  const chargedBack = named.filter(({ isChargedBack }) => isChargedBack)
  return chargedBack.length > 0 ? chargedBack : named
}

// biome-ignore format: a table is read in columns.
const states: Readonly<Record<ChangedEvent['state'], readonly [words: string, stage: DisputeReport['stage']]>> = {
  // state              in words                stage of the dispute, if it changes
  opened:            [ 'opened',               null              ],
  'evidence-due':    [ 'waiting for evidence', null              ],
  'under-review':    [ 'under review',         null              ],
  'pre-arbitration': [ 'in pre-arbitration',   'pre-arbitration' ],
  won:               [ 'won',                  'won'             ],
  lost:              [ 'lost',                 'lost'            ],
}

/**
 * A report about an inquiry opens it. One about a chargeback that is not known waits for it; people are told of it at once, since the chargeback may never come.
 */
export async function enterDisputeChange(
  deps: Deps,
  midId: string,
  event: ChangedEvent,
  { isPostponed }: { readonly isPostponed: boolean },
): Promise<EventEntry> {
  const payment = await deps.payments.findAtMid(midId, event.paymentId)
  if (!payment) return unknownPayment
  const { state, evidenceDueAt, at: reportedAt, isInquiry, chargeback } = event
  const [, stage] = states[state]
  const dueOn = evidenceDueAt === null ? null : utcDay(evidenceDueAt)
  const before = await listDisputesNamed(deps, payment, chargeback)
  const isNew = isInquiry && chargeback !== null && before.length === 0
  if (isNew) await openInquiry(deps, payment, midId, { ...event, chargeback })
  const disputes = isNew ? await listDisputesNamed(deps, payment, chargeback) : before
  // Several are not told apart by an acquirer that names only the payment: people decide them.
  const [dispute, ...others] = disputes
  const known = dispute && others.length === 0 ? dispute : null
  // The chargeback was read first, or came meanwhile.
  if (isInquiry && known?.isChargedBack) return eventEntered
  // Where the acquirer does not say what it decided, the chargeback may only not be read yet.
  const isOfChargeback = isInquiry === false || (!isInquiry && stage !== null)
  const isEarly = known ? isOfChargeback && !known.isChargedBack : !dispute
  if (!known || isEarly) {
    if (!isPostponed) await alert(deps, payment, alertText(event, known))
    if (isEarly && (stage ?? dueOn) !== null) return tryLater('The chargeback is not known.', { isFault: false })
    if (!known) return eventEntered
  }
  const at = deps.clock.now()
  const { isChargedBack } = known
  await deps.disputes.report(known, { stage, dueOn, caseReference: event.dispute, reportedAt, isChargedBack, at })
  const undone = state === 'lost' ? await undoIfLost(deps, payment, known) : 'none'
  if (!isEarly && (!isPostponed || undone !== 'none')) await alert(deps, payment, alertText(event, known, undone))
  if (state === 'under-review') await deps.disputes.recordArrivedAnswer(known, 'contested', at)
  // What was accepted is lost at once.
  if (state === 'lost') await deps.disputes.recordArrivedAnswer(known, 'accepted', at)
  return eventEntered
}

/** Not by a report that a newer one has overtaken. */
async function undoIfLost(deps: Deps, payment: PaymentRecord, { id }: KnownDispute): Promise<Undone> {
  const disputes = await deps.disputes.listOfPayment(payment.merchantId, payment.id)
  const isLost = disputes.some((one) => one.id === id && one.stage === 'lost')
  return isLost ? undoHandReturn(deps, payment, id) : 'none'
}

function alertText(
  { state, isInquiry, dispute, reasonCode, evidenceDueAt }: ChangedEvent,
  known: KnownDispute | null,
  undone: Undone = 'none',
): string {
  const isDecided = state === 'won' || state === 'lost'
  const words = isInquiry && isDecided ? 'closed' : states[state][0]
  const text = `The ${isInquiry ? 'inquiry' : 'dispute'} ${dispute} is ${words} (reason ${reasonCode}).`
  if (isInquiry && isDecided) return `${text} No money was taken.`
  return `${text}${isDecided ? moneyText(state, known, undone) : dueText(evidenceDueAt)}`
}

/** A decision moves no money by itself, because the acquirer reports its movements apart; but it undoes what people had recorded in place of a report. */
function moneyText(state: 'won' | 'lost', dispute: KnownDispute | null, undone: Undone): string {
  if (state === 'won') return dispute?.returnedAt === null ? ' Its money comes back by a report of its own.' : ''
  switch (undone) {
    case 'undone':
      return ' Its money had been returned by hand, which was posted back.'
    case 'impossible':
      return ` Its money had been returned by hand, and cannot be posted back: another chargeback has taken it. ${byHand}`
    case 'none':
      return dispute?.returnedAt ? ' Its money had come back: a second chargeback takes it again.' : ''
  }
}

const dueText = (at: Date | null): string =>
  at === null ? '' : ` Send evidence to the acquirer before ${utcText(at)}.`

/** Not while an open alert says the same. */
const alert = (deps: Deps, { merchantId, id: paymentId }: PaymentRecord, text: string): Promise<void> =>
  deps.alerts.raise({ kind: 'acquirer-event', merchantId, paymentId, text, once: true })
