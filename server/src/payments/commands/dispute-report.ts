/** How a dispute goes on, as its acquirer reports it: a deadline, the decision, and the money of a chargeback that comes back. Chapter 60 §5, chapter 70 §4. */

import { isClosed } from '#domain/dispute/dispute.ts'
import { returnChargeback } from '#domain/payment/decide.ts'
import { utcDay, utcText } from '#domain/time.ts'
import type { AcquirerEvent } from '../../connectors/connector.ts'
import type { DisputeReport, KnownDispute, ReturnedChargeback } from '../../contracts/dispute-ports.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { type EventEntry, eventEntered, tryLater } from '../exchange/event-entry.ts'
import type { Deps } from '../request/deps.ts'

type ReturnedEvent = Extract<AcquirerEvent, { kind: 'chargeback-returned' }>
type ChangedEvent = Extract<AcquirerEvent, { kind: 'dispute-changed' }>

const unknownPayment = tryLater('The payment is not known at this MID.')

export async function enterReturned(deps: Deps, midId: string, event: ReturnedEvent): Promise<EventEntry> {
  const payment = await deps.payments.findAtMid(midId, event.paymentId)
  if (!payment) return unknownPayment
  const disputes = await listDisputesNamed(deps, payment, event.chargeback)
  const [dispute, ...others] = disputes.filter(({ returnedAt }) => returnedAt === null)
  if (!dispute) {
    // Reported again, or entered by a person before.
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
  const returned = { disputeId: dispute.id, amountMinor, isWon: false }
  if (amountMinor <= dispute.amountMinor && (await returnMoney(deps, payment, returned))) return eventEntered
  await alert(deps, payment, `More money of the chargeback ${dispute.reference} came back than was taken. ${byHand}`)
  return eventEntered
}

const byHand = 'Compare the payment with the acquirer, and decide the dispute in the panel.'

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
      if (!before || !dispute) return 'refused'
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

/** All of the payment, where the acquirer does not name the chargeback. */
export async function listDisputesNamed(
  deps: Deps,
  { merchantId, id }: PaymentRecord,
  chargeback: string | null,
): Promise<readonly KnownDispute[]> {
  const disputes = await deps.disputes.listOfPayment(merchantId, id)
  return chargeback === null ? disputes : disputes.filter(({ reference }) => reference === chargeback)
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

/** Without its chargeback the report waits for it; people are told at once, since an inquiry may never become one. */
export async function enterDisputeChange(
  deps: Deps,
  midId: string,
  event: ChangedEvent,
  { isPostponed }: { readonly isPostponed: boolean },
): Promise<EventEntry> {
  const payment = await deps.payments.findAtMid(midId, event.paymentId)
  if (!payment) return unknownPayment
  const { state, evidenceDueAt, at: reportedAt } = event
  const [words, stage] = states[state]
  const dueOn = evidenceDueAt === null ? null : utcDay(evidenceDueAt)
  const disputes = await listDisputesNamed(deps, payment, event.chargeback)
  // Several are not told apart by an acquirer that names only the payment: people decide them.
  const [dispute, ...others] = disputes
  const known = dispute && others.length === 0 ? dispute : null
  if (!isPostponed) {
    const text = `The dispute ${event.dispute} is ${words} (reason ${event.reasonCode}).`
    const isDecided = state === 'won' || state === 'lost'
    const remark = isDecided ? moneyText(state, known) : dueText(evidenceDueAt)
    await alert(deps, payment, `${text}${remark}`)
  }
  if (!dispute && (stage ?? dueOn) !== null) return tryLater('The chargeback is not known.', { isFault: false })
  const at = deps.clock.now()
  if (known) await deps.disputes.report(known, { stage, dueOn, caseReference: event.dispute, reportedAt, at })
  if (known && state === 'under-review') await deps.disputes.recordArrivedAnswer(known, 'contested', at)
  // What was accepted is lost at once.
  if (known && state === 'lost') await deps.disputes.recordArrivedAnswer(known, 'accepted', at)
  return eventEntered
}

/** A decision moves no money by itself: the acquirer reports its movements apart. */
function moneyText(state: 'won' | 'lost', dispute: KnownDispute | null): string {
  if (state === 'won') return dispute?.returnedAt === null ? ' Its money comes back by a report of its own.' : ''
  return dispute?.returnedAt ? ' Its money had come back: a second chargeback takes it again.' : ''
}

const dueText = (at: Date | null): string =>
  at === null ? '' : ` Send evidence to the acquirer before ${utcText(at)}.`

/** Not while an open alert says the same. */
const alert = (deps: Deps, { merchantId, id: paymentId }: PaymentRecord, text: string): Promise<void> =>
  deps.alerts.raise({ kind: 'acquirer-event', merchantId, paymentId, text, once: true })
