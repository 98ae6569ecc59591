/** Charges the card that the frames of the virtual terminal have collected. Chapter 70 §8. */
import { networkOf } from '#domain/card.ts'
import { isAttemptOpen, isPaid, mayPay } from '#domain/checkout/session.ts'
import { errors } from '#domain/errors.ts'
import type { Secret } from '#domain/secret.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { SessionRecord } from '../../contracts/session-records.ts'
import type { PaymentWithTransaction } from '../../payments/outcome/perform.ts'
import { payerOf } from '../../payments/sessions/people.ts'
import type { SessionContext } from '../../payments/sessions/session-context.ts'
import type { PaidWith, SessionAttempt } from '../../payments/sessions/session-payment.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { resultOf } from './payment-commands.ts'
import { requireTerminal } from './terminal.ts'
import { mailReceipt } from './terminal-receipt.ts'

interface TerminalWish {
  readonly merchantId: string
  readonly terminalId: string
  /** Chosen by the browser: the same attempt sent twice is charged once. */
  readonly attemptId: string
  readonly sendsReceipt: boolean
}

type TerminalResult = 'approved' | 'declined' | 'open'

interface TerminalCharge {
  readonly result: TerminalResult
  readonly paymentId: string
  readonly status: string
  readonly declineReason: string | null
  readonly cardMask: string | null
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
  /** Another card may be tried in the same session. */
  readonly mayTryAgain: boolean
  readonly isReceiptSent: boolean
}

export async function chargeTerminal(
  context: PanelContext,
  wish: TerminalWish,
): Promise<{ readonly charge: TerminalCharge; readonly audit: AuditNote }> {
  const { payerSessions } = context.operations
  const session = await requireTerminal(context, wish.merchantId, wish.terminalId)
  const before = await requireContext(context, session)
  const repeated = await payerSessions.recall(session, wish.attemptId)
  const done =
    repeated ?? (await payerSessions.pay(requireAdmitted(before), await prepareAttempt(context, before, wish)))
  const { payment } = done
  const after = await requireContext(context, await requireTerminal(context, wish.merchantId, wish.terminalId))
  const result = resultFor(done)
  const isReceiptSent =
    wish.sendsReceipt && result === 'approved' && repeated === null && (await mailReceipt(context, after, payment))
  return {
    charge: {
      result,
      paymentId: payment.id,
      status: payment.status,
      declineReason: payment.declineReason,
      cardMask: payment.cardMask,
      amountMinor: payment.amountMinor,
      amountDecimals: payment.amountDecimals,
      currency: payment.currency,
      mayTryAgain: mayPay(after.state),
      isReceiptSent,
    },
    audit: {
      action: 'terminal.charge',
      subject: `payment ${payment.id}`,
      merchantId: session.merchantId,
      after: { ...resultOf(done), terminal: session.id, orderNumber: session.request.order.number },
    },
  }
}

async function requireContext({ operations }: PanelContext, session: SessionRecord): Promise<SessionContext> {
  const context = await operations.payerSessions.load(session)
  if (context === null) throw notFound()
  return context
}

function requireAdmitted(context: SessionContext): SessionContext {
  const { state } = context
  if (mayPay(state)) return context
  if (isAttemptOpen(state))
    throw new AdminRefused('conflict', {
      message: 'The outcome of the last attempt is not known yet. Do not charge again.',
    })
  throw new AdminRefused('conflict', {
    message: state === 'complete' ? 'The order is already paid.' : 'No further attempt is possible. Start again.',
  })
}

async function prepareAttempt(
  { operations, ids }: PanelContext,
  { session, merchant }: SessionContext,
  { attemptId }: TerminalWish,
): Promise<SessionAttempt> {
  const { methods, refusal } = await operations.sessions.offer(merchant, session)
  const [method] = methods
  if (!method) throw new RefusedError(refusal ?? errors.noMid)
  return {
    id: attemptId,
    method,
    paidWith: await readCollectedCard({ operations }, session),
    payer: payerOf(session.request),
    payee: {},
    payeeCard: null,
    amount: null,
    // Staff type the card: their address would be counted against every payer of the shop.
    payerIp: null,
    language: 'en',
    consent: null,
    browser: null,
    requestId: ids.next(),
  }
}

async function readCollectedCard(
  { operations: { payerSessions } }: Pick<PanelContext, 'operations'>,
  session: SessionRecord,
): Promise<PaidWith> {
  const { number, expiry } = await payerSessions.readCollected(session)
  if (!number || !expiry) throw new RefusedError(errors.cardDataMissing)
  const code = await payerSessions.takeCode(session)
  if (code !== null && !fits(code, number)) throw new RefusedError(errors.cardDataMissing)
  return { kind: 'card', number, expiry, code }
}

/** The frame of the code checks its length by the network that is typed; the card may have changed since. */
const fits = (code: Secret<string>, number: Secret<string>): boolean =>
  code.reveal().length === (networkOf(number.reveal()) === 'amex' ? 4 : 3)

function resultFor({ payment }: PaymentWithTransaction): TerminalResult {
  if (payment.status === 'DECLINED') return 'declined'
  return isPaid(payment) ? 'approved' : 'open'
}
