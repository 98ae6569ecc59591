/**
 * A chargeback that only a settlement file reports. Chapter 60 §5, decisions/disputes#chargebacks-of-files. It is recorded like one that
 * the acquirer notified us of, and counts once however it becomes known: before, after, or at the same moment as a notification.
 */
import { formatAmount } from '#domain/money/money.ts'
import { type Conclusion, chargeback } from '#domain/payment/decide.ts'
import type { KnownDispute } from '../../contracts/dispute-ports.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { today } from '../exchange/today.ts'
import type { Deps } from '../request/deps.ts'
import { chargebackId, findInquiry, openDispute, type ReportedChargeback, writeConcluded } from './dispute-record.ts'

export interface SettledChargeback {
  readonly midId: string
  readonly paymentId: string
  /** The acquirer's identifier of the row. */
  readonly row: string
  /** The acquirer's reference of the chargeback; null if the row has none. */
  readonly reference: string | null
  readonly currency: string
  readonly amountMinor: bigint
  /** `YYYY-MM-DD`. */
  readonly bookedOn: string
  readonly reasonCode: string
  /** Those of the transactions that another row has settled. */
  readonly listSettledAmong: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** Those that two people posted as not settled. */
  readonly listPostedAmong: (ids: readonly string[]) => Promise<ReadonlySet<string>>
}

export type SettledResult =
  | { readonly kind: 'recorded'; readonly payment: PaymentRecord; readonly transactionId: string }
  | { readonly kind: 'refused'; readonly reason: string }

type Finding =
  | { readonly kind: 'known'; readonly transaction: TransactionRecord }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'new'; readonly reference: string; readonly conclusion: Conclusion }

const unknownPayment = 'The payment is not known at this MID.'

export async function recordSettledChargeback(deps: Deps, request: SettledChargeback): Promise<SettledResult> {
  const read = () => deps.payments.findAtMid(request.midId, request.paymentId)
  const written = await writeCurrent({
    record: await read(),
    write: (payment) => writeSettled(deps, payment, request),
    read,
  })
  if (!written) throw new Error(`The chargeback of row ${request.row} could not be stored: the payment kept changing.`)
  return written
}

export async function findSettledChargebackFault(deps: Deps, request: SettledChargeback): Promise<string | null> {
  const payment = await deps.payments.findAtMid(request.midId, request.paymentId)
  if (!payment) return unknownPayment
  const finding = await findSettled(deps, payment, request)
  return finding.kind === 'refused' ? finding.reason : null
}

async function writeSettled(
  deps: Deps,
  before: PaymentRecord | null,
  request: SettledChargeback,
): Promise<SettledResult | null> {
  if (!before) return { kind: 'refused', reason: unknownPayment }
  const finding = await findSettled(deps, before, request)
  if (finding.kind === 'refused') return finding
  const { midId, row, bookedOn, reasonCode, amountMinor, paymentId } = request
  const at = deps.clock.now()
  const reported = { kind: 'chargeback', paymentId, amountMinor, at, bankDate: bookedOn, reasonCode } as const
  if (finding.kind === 'known') {
    const { id, reference, facts } = finding.transaction
    // A process may have died before it opened the dispute.
    if (facts.settlementRow !== undefined)
      await openDispute(deps, before, { id, midId }, { ...reported, reference: reference ?? row })
    return { kind: 'recorded', payment: before, transactionId: id }
  }
  const { reference, conclusion } = finding
  const inquiry = await findInquiry(deps, before, midId, { reference: request.reference, amountMinor })
  const identity = { id: inquiry?.id ?? chargebackId(midId, reference), midId }
  const event = { ...reported, reference }
  const concluded = { before, identity, event, conclusion, facts: { settlementRow: row } }
  return (await writeConcluded(deps, concluded))
    ? { kind: 'recorded', payment: before, transactionId: identity.id }
    : null
}

async function findSettled(deps: Deps, payment: PaymentRecord, request: SettledChargeback): Promise<Finding> {
  const { midId, row, amountMinor, currency } = request
  if (currency !== payment.currency) return refuse(`The row is in ${currency}, and the payment in ${payment.currency}.`)
  const transactions = await deps.payments.listTransactions(payment.merchantId, payment.id)
  // A form may repeat the reference of the charge, which is none of the chargeback.
  const isOfCharge = transactions.some(
    ({ type, reference }) => type !== 'CHARGEBACK' && reference === request.reference,
  )
  const own = isOfCharge ? null : request.reference
  const known = await findKnown(deps, { payment, transactions }, { ...request, reference: own })
  if (known) return known

  const decision = chargeback(payment, amountMinor, today(deps, deps.configuration.mid(midId)))
  if (decision?.kind === 'ok') return { kind: 'new', reference: own ?? row, conclusion: decision.conclusion }
  if (payment.openTransaction !== null) return refuse('A transaction of the payment is still open. Try again later.')
  return refuse(
    decision?.refusal.message ?? `A chargeback cannot be recorded for a payment in status ${payment.status}.`,
  )
}

/** Null if no chargeback of the payment can be the one of the row. */
async function findKnown(
  deps: Deps,
  { payment, transactions }: { readonly payment: PaymentRecord; readonly transactions: readonly TransactionRecord[] },
  { midId, row, reference, amountMinor, listSettledAmong, listPostedAmong }: SettledChargeback,
): Promise<Finding | null> {
  const chargebacks = transactions.filter((one) => one.type === 'CHARGEBACK' && one.midId === midId)
  if (chargebacks.length === 0) return null
  const ids = chargebacks.map(({ id }) => id)
  const [settled, posted] = [await listSettledAmong(ids), await listPostedAmong(ids)]
  const names = namesOf(await deps.disputes.listOfPayment(payment.merchantId, payment.id))
  const isLike = (one: TransactionRecord): boolean => one.amountMinor === amountMinor
  const named = chargebacks.find(
    (one) => one.facts.settlementRow === row || (reference !== null && names(one).includes(reference)),
  )
  if (named && settled.has(named.id)) return refuse('Another row of a settlement file has settled this chargeback.')
  const unsettled = chargebacks.filter(({ id }) => !settled.has(id) && !posted.has(id))
  const likely = named ?? unsettled.find(isLike)
  // The row would settle what is not owed any more.
  const isPosted = likely ? posted.has(likely.id) : chargebacks.some((one) => posted.has(one.id) && isLike(one))
  if (isPosted) return refuse('The chargeback is known and was posted as not settled. Post this difference, too.')
  const found = likely ?? unsettled[0]
  if (!found && chargebacks.some(({ id }) => posted.has(id) && !settled.has(id)))
    return refuse(
      'The payment has a chargeback of another amount that was posted as not settled. If it is the same, post this difference, too. If it is a second one, record it at the payment first.',
    )
  if (found)
    return found.amountMinor === amountMinor
      ? { kind: 'known', transaction: found }
      : refuse('The payment has a chargeback of another amount that no row has settled. It may be the same.')
  // Without a reference of its own nothing tells it from the one that is settled.
  const isLikeSettled = chargebacks.some(isLike)
  return reference === null && isLikeSettled
    ? refuse('Another row has settled a chargeback of the same amount, and this row has no reference of its own.')
    : null
}

/** Ours, and the one that the acquirer gave the dispute later. */
function namesOf(disputes: readonly KnownDispute[]): (of: TransactionRecord) => readonly (string | null)[] {
  const references = new Map(disputes.map(({ id, reference }) => [id, reference]))
  return ({ id, reference }) => [reference, references.get(id) ?? null]
}

const refuse = (reason: string): Finding => ({ kind: 'refused', reason })

interface Notified {
  readonly payment: PaymentRecord
  readonly transactions: readonly TransactionRecord[]
  readonly midId: string
  readonly event: ReportedChargeback
  /** A person has compared it with the acquirer: of another amount it is a second one. */
  readonly isDecided: boolean
}

/**
 * A notification of a chargeback that a settlement file reported before, or that a person recorded, under another reference: the dispute takes the reference, and no money moves.
 * One of another amount may be the same or a second one, so that nothing is written and people decide: decisions/disputes#another-amount.
 * `changed`: another process was first.
 */
export async function takeForSettled(
  deps: Deps,
  { payment, transactions, midId, event, isDecided }: Notified,
): Promise<'taken' | 'doubtful' | 'new' | 'changed'> {
  // What a person records beside a chargeback that a person recorded is a second one.
  const recorded = transactions.filter(
    ({ facts }) => facts.settlementRow !== undefined || (facts.isEnteredByHand === true && !isDecided),
  )
  if (recorded.length === 0 || event.follows) return 'new'
  const disputes = await deps.disputes.listOfPayment(payment.merchantId, payment.id)
  const disputeOf = (of: TransactionRecord) => disputes.find(({ id }) => id === of.id)
  if (recorded.some((one) => disputeOf(one)?.reference === event.reference)) return 'taken'
  const possible = recorded.filter((one) => {
    const dispute = disputeOf(one)
    const isNamed = dispute !== undefined && dispute.reference !== one.reference
    return !isNamed && !dispute?.returnedAt
  })
  const same = possible.find(({ amountMinor }) => amountMinor === event.amountMinor)
  if (!same) {
    const [other] = possible
    if (other === undefined || isDecided) return 'new'
    await alertOtherAmount(deps, payment, event, other)
    return 'doubtful'
  }
  const { merchantId, id, reference } = same
  // A process may have died before it opened the dispute; it has the event's reference then, and is found when this is tried again.
  await openDispute(deps, payment, { id, midId }, event)
  const named = { merchantId, id, reference: event.reference, reasonCode: event.reasonCode }
  const at = deps.clock.now()
  if (!(await deps.disputes.name(named, reference ?? '', at))) return 'changed'
  // Its inquiry was reported after the file, or was of another amount.
  const inquiry = disputes.find((one) => !one.isChargedBack && one.reference === event.reference)
  const ended = {
    stage: 'lost',
    dueOn: null,
    caseReference: event.reference,
    reportedAt: at,
    isChargedBack: false,
    at,
  } as const
  if (inquiry) await deps.disputes.report(inquiry, ended)
  await deps.alerts.raise({
    kind: 'acquirer-event',
    merchantId,
    paymentId: payment.id,
    text: `The chargeback ${event.reference} counts as the one that ${sourceOf(same)}. If the acquirer took its amount twice, record the second chargeback at the payment.`,
  })
  return 'taken'
}

const sourceOf = ({ facts: { settlementRow } }: TransactionRecord): string =>
  settlementRow === undefined
    ? 'a person recorded at the payment'
    : `was recorded from row ${settlementRow} of a settlement file`

/** Acquirers repeat notifications: not while the alert is open. */
async function alertOtherAmount(
  deps: Deps,
  { merchantId, id: paymentId, currency, amountDecimals }: PaymentRecord,
  event: ReportedChargeback,
  recorded: TransactionRecord,
): Promise<void> {
  const [notified, taken] = [event, recorded].map(
    ({ amountMinor }) => `${formatAmount(amountMinor, currency, amountDecimals)} ${currency}`,
  )
  const text =
    `The acquirer notified of the chargeback ${event.reference} of ${notified} and ${recorded.facts.settlementRow === undefined ? 'there is' : 'settled'} one of ${taken}, which ${sourceOf(recorded)}. ` +
    'Nothing was recorded again. Ask the acquirer whether they are the same, and record a second chargeback at the payment.'
  await deps.alerts.raise({ kind: 'acquirer-event', merchantId, paymentId, text, once: true })
}
