/** Transactions whose outcome people have to decide, and money that they have to give back. A second person approves. Chapter 70 §1. */
import { formatAmount } from '#domain/money/money.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import type { JsonObject, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { amountFault } from '../../payments/commands/decide-by-hand.ts'
import { type OwedReturn, type UnresolvedOutcome, unresolvedList } from '../../store/finance/unresolved-list.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import type { Grant } from '../access/permissions.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { askApproval, type Requester } from '../approvals/approvals.ts'
import type { AdminContext } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { midNamed } from '../payments/payments.ts'
import { scopeOf } from '../reports/dashboard.ts'

/** Returns are rare, so one page holds them all. */
const returnsShown = 200

interface UnresolvedPage {
  readonly merchantId: string | null
  /** The last transaction of the page before. */
  readonly after: string | null
  readonly limit: number
}

export async function listUnresolvedFor(context: PanelContext, grant: Grant, page: UnresolvedPage) {
  const list = unresolvedList(context.pool, scopeOf(grant, page.merchantId))
  const [{ count, outcomes }, owed] = await Promise.all([
    list.listOutcomes(page.after, page.limit),
    page.after === null ? list.listReturns(returnsShown) : [],
  ])
  const requests = await list.listRequests([
    ...outcomes.map(({ transactionId }) => outcomeSubject(transactionId)),
    ...owed.map(({ alertId }) => returnSubject(alertId)),
  ])
  return {
    now: context.clock.now(),
    count,
    outcomes: outcomes.map((one) => ({
      ...one,
      midName: midNamed(context, one.midId),
      approvalId: requests.get(outcomeSubject(one.transactionId)) ?? null,
    })),
    returns: await Promise.all(
      owed.map(async (one) => ({
        ...one,
        ...(await readPaymentFacts(context, one)),
        approvalId: requests.get(returnSubject(one.alertId)) ?? null,
      })),
    ),
  }
}

async function readPaymentFacts(context: PanelContext, { merchantId, paymentId }: OwedReturn) {
  const payment = await context.operations.find(merchantId, paymentId)
  if (payment === null) return { orderId: '', amountMinor: 0n, currency: '', amountDecimals: 0, midName: null }
  const { orderId, amountMinor, currency, amountDecimals, midId } = payment
  return { orderId, amountMinor, currency, amountDecimals, midName: midNamed(context, midId) }
}

interface Execution {
  readonly reference: string
  readonly amountMinor: bigint
  /** The acquirer's date, `YYYY-MM-DD`. */
  readonly date: string
}

export interface OutcomeWish {
  /** Null if it was not executed. */
  readonly executed: Execution | null
  readonly reason: string
  readonly evidence: string
}

interface OpenTransaction {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
}

/** Refused unless the plan of questions to the acquirer has ended. */
export async function askOutcome(
  context: AdminContext,
  asker: Requester,
  { payment, transaction }: OpenTransaction,
  { executed, reason, evidence }: OutcomeWish,
): Promise<ApprovalRow> {
  await requireUnresolved(context, transaction)
  const decision = executed === null ? 'not-executed' : 'executed'
  const amountMinor = executed?.amountMinor ?? null
  const fault = amountFault(payment, transaction, { byHand: { decision }, amountMinor })
  if (fault !== null) throw invalid('amountMinor', fault)
  if (executed) requirePast(context, executed.date)
  return askApproval(context, asker, {
    kind: 'outcome',
    merchantId: payment.merchantId,
    subject: outcomeSubject(transaction.id),
    request: {
      paymentId: payment.id,
      transactionId: transaction.id,
      decision,
      evidence,
      ...(executed ? membersOf(executed) : {}),
    },
    reason,
  })
}

async function requireUnresolved({ pool }: AdminContext, { id }: TransactionRecord): Promise<UnresolvedOutcome> {
  const unresolved = await unresolvedList(pool, null).findOutcome(id)
  if (unresolved) return unresolved
  throw new AdminRefused('refused', {
    message: 'The transaction has an outcome, or the acquirer is still being asked about it.',
  })
}

interface ReturnWish extends Execution {
  readonly reason: string
  readonly evidence: string
}

interface OwedPayment {
  readonly payment: PaymentRecord
  readonly transactions: readonly TransactionRecord[]
  readonly alertId: string
}

/** Asks a second person to confirm that the money of an alert was given back. */
export async function askGivenBack(
  context: AdminContext,
  asker: Requester,
  { payment, transactions, alertId }: OwedPayment,
  { reason, evidence, ...execution }: ReturnWish,
): Promise<ApprovalRow> {
  const owed = await unresolvedList(context.pool, [payment.merchantId]).findOwedReturn(alertId)
  if (owed?.paymentId !== payment.id) throw notFound()
  requireCharged(payment, transactions, execution.amountMinor)
  requirePast(context, execution.date)
  return askApproval(context, asker, {
    kind: 'give-back',
    merchantId: payment.merchantId,
    subject: returnSubject(alertId),
    request: { paymentId: payment.id, alertId, decision: 'given-back', evidence, ...membersOf(execution) },
    reason,
  })
}

/** No more than the payment's largest charge; a payer who chose the amount may have sent any. */
function requireCharged(payment: PaymentRecord, transactions: readonly TransactionRecord[], amountMinor: bigint): void {
  if (amountMinor <= 0n) throw invalid('amountMinor', 'Enter the amount that was given back.')
  const { currency, amountDecimals, facts } = payment
  if (facts.openAmount) return
  const charged = transactions.filter((one) => one.facts.byHand === undefined).map((one) => one.amountMinor)
  const mostMinor = charged.reduce((most, one) => (one > most ? one : most), payment.amountMinor)
  if (amountMinor > mostMinor)
    throw invalid(
      'amountMinor',
      `At most ${formatAmount(mostMinor, currency, amountDecimals)} ${currency} was charged. Enter what was given back of it.`,
    )
}

/** A day of grace, because the acquirer's calendar may be ahead of ours. */
function requirePast({ clock }: AdminContext, date: string): void {
  const tomorrow = utcDay(clock.now().getTime() + dayMs)
  if (date > tomorrow) throw invalid('date', 'Enter a date that is not in the future.')
}

const membersOf = ({ reference, amountMinor, date }: Execution): JsonObject => ({
  reference,
  amountMinor: String(amountMinor),
  date,
})

const outcomeSubject = (transactionId: string): string => `transaction ${transactionId}`
const returnSubject = (alertId: string): string => `alert ${alertId}`
