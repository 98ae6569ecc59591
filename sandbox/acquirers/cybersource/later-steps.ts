/** Captures, refunds, reversals and voids: by CyberSource's id, or by the merchant's own after a time-out. */
import type { Execution } from '../kit/idempotency.ts'
import { notFound } from './errors.ts'
import { amountIn, effectOf, type Fields, headOf, isUsed, refuse } from './payments.ts'
import { holdsMoney } from './test-amounts.ts'
import { executedVerdict, isExecuted, type Transaction, type Transactions } from './transaction.ts'
import { answerTo } from './views.ts'
import { noticeOf } from './webhook.ts'

interface Step {
  readonly body: Fields
  readonly account: string
  readonly known: Transactions
}

const isPayment = ({ kind }: Transaction): boolean => kind === 'sale' || kind === 'authorize'

export function capture(payment: Transaction | undefined, { body, account, known }: Step): Execution<Transaction> {
  const { minor, currency } = amountIn(body, 'orderInformation')
  if (payment?.kind !== 'authorize' || !isExecuted(payment)) return unknownPayment()
  if (payment.isCanceled) return refuse('AUTH_ALREADY_REVERSED')
  if (minor === null || minor === 0 || currency !== payment.currency)
    return refuse('INVALID_DATA', 'orderInformation.amountDetails.totalAmount')
  if (minor > payment.amount - known.sumOf(payment.id, 'capture')) return refuse('EXCEEDS_AUTH_AMOUNT')
  return execute({ ...headOf(body, account), kind: 'capture', amount: minor }, payment, known)
}

/** Of a sale by its own id, of a hold by the id of its capture. */
export function refund(target: Transaction | undefined, { body, account, known }: Step): Execution<Transaction> {
  const { minor, currency } = amountIn(body, 'orderInformation')
  const isCaptured = target && isExecuted(target) && (target.kind === 'sale' || target.kind === 'capture')
  if (!isCaptured) return unknownPayment()
  if (target.isCanceled) return refuse('CAPTURE_ALREADY_VOIDED')
  if (minor === null || minor === 0 || currency !== target.currency)
    return refuse('INVALID_DATA', 'orderInformation.amountDetails.totalAmount')
  if (minor > target.amount - known.sumOf(target.id, 'refund')) return refuse('INVALID_AMOUNT')
  return execute({ ...headOf(body, account), kind: 'refund', amount: minor }, target, known)
}

/** Releases a hold, or what is left of it. */
export function reverse(payment: Transaction | undefined, { body, account, known }: Step): Execution<Transaction> {
  const { minor } = amountIn(body, 'reversalInformation')
  const isHold = payment && isPayment(payment) && holdsMoney(payment.verdict)
  if (!isHold) return refuse('MISSING_AUTH')
  if (payment.isCanceled) return refuse('AUTH_ALREADY_REVERSED')
  // The capture of a sale stands as long as it is not voided.
  if (payment.kind === 'sale' && isExecuted(payment)) return refuse('TRANSACTION_ALREADY_SETTLED')
  const rest = payment.amount - known.sumOf(payment.id, 'capture')
  if (minor === null || minor !== rest) return refuse('INVALID_AMOUNT')
  return execute({ ...headOf(body, account), merchantId: null, kind: 'reverse', amount: minor }, payment, known)
}

/** Only what moves money, until it is sent to the processor; that never happens here. */
export function cancel(target: Transaction | undefined, { body, account, known }: Step): Execution<Transaction> {
  const isVoidable = target && isExecuted(target) && target.kind !== 'authorize' && !target.isCanceled
  if (!isVoidable || target.kind === 'reverse' || target.kind === 'void') return refuse('NOT_VOIDABLE')
  const { amount } = target
  return execute({ ...headOf(body, account), merchantId: null, kind: 'void', amount }, target, known)
}

type NewStep = ReturnType<typeof headOf> & Pick<Transaction, 'kind' | 'amount'>

const statuses = { capture: 'PENDING', refund: 'PENDING', reverse: 'REVERSED', void: 'VOIDED' } as const

function execute(step: NewStep, target: Transaction, known: Transactions): Execution<Transaction> {
  const { kind } = step
  if (isUsed(step, known)) return refuse('INVALID_DATA', 'clientReferenceInformation.transactionId')
  const isRelease = kind === 'reverse' || kind === 'void'
  const transaction: Transaction = {
    ...step,
    currency: target.currency,
    lastFour: target.lastFour,
    verdict: executedVerdict(isLaterKind(kind) ? statuses[kind] : 'PENDING'),
    of: target.id,
    isCanceled: false,
  }
  return {
    reply: answerTo(transaction),
    line: {
      items: [transaction, ...(isRelease ? [{ ...target, isCanceled: true }] : [])],
      effects: [effectOf(transaction)],
      ...(kind === 'capture' && { notices: [noticeOf('payments.capture.status.accepted', transaction)] }),
    },
  }
}

const isLaterKind = (kind: Transaction['kind']): kind is keyof typeof statuses => kind in statuses

const unknownPayment = (): Execution<Transaction> => ({ reply: notFound(), isRefused: true })
