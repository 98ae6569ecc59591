/** POST /page/v1/payment: one attempt of the payer. Chapter 30 §7.8, §7.10. */

import type { FastifyRequest } from 'fastify'
import { isAttemptOpen, mayPay } from '#domain/checkout/session.ts'
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import { callerAddress, countedAddress } from '../../../network/ip-list.ts'
import { noteRequest } from '../../../observe/requests.ts'
import type { PaymentWithTransaction } from '../../../payments/outcome/perform.ts'
import { refuseOtherAmount, totalText } from '../../../payments/sessions/session-amount.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import { bodyOf } from '../../checkout/dialect.ts'
import { readParams, type Values } from '../../kit/values/params.ts'
import { soundValue } from '../../kit/values/read.ts'
import { refuseForeignCard } from '../form/foreign-page.ts'
import type { HostedPageParts } from '../parts.ts'
import { payerReading } from '../payer-reading.ts'
import { rawBody } from '../query.ts'
import { languageFor, readConfirmation } from '../session/page-session.ts'
import { readAttempt } from './attempt.ts'
import { awaitUntilDeadline } from './attempt-deadline.ts'
import { attemptParams } from './attempt-params.ts'
import { declineMessage, declinesLeft, findRedirect, maySameCard, resultOf } from './outcome.ts'

export async function payOnPage(
  parts: HostedPageParts,
  context: SessionContext,
  request: FastifyRequest,
): Promise<object> {
  const { session, merchant } = context
  const { payerSessions, sessions } = parts.operations
  const tree = bodyOf(rawBody(request))
  const input = soundValue(readParams(attemptParams, tree, payerReading(parts, merchant, tree)))
  refuseForeignCard(parts, request, input.method)
  const before = await payerSessions.recall(session, input.attempt_id)
  if (before) return composeAnswer(parts, before, context, input.language)

  admitAttempt(context)
  refuseOtherAmountShown(context, input)
  const address = callerAddress(request.raw, parts.trustedProxies)
  const attempt = readAttempt(input, {
    configuration: parts.configuration,
    context,
    offer: await sessions.offer(merchant, session),
    savedCards: await sessions.listSavedCards(merchant, session),
    payerIp: address,
    language: languageFor(context, input.language).code,
    requestId: request.id,
    headers: { acceptHeaders: request.headers.accept ?? null, userAgent: request.headers['user-agent'] ?? null },
  })
  const result = await whileCounted(await countAttempt(parts, context, address), () =>
    awaitUntilDeadline(parts, payerSessions.pay(context, attempt), () =>
      payerSessions.recall(session, input.attempt_id),
    ),
  )
  noteRequest(request, { transId: result.payment.id })
  return composeAnswer(parts, result, context, input.language)
}

/** Refuses an attempt on a session that has ended or has another attempt in progress. */
export function admitAttempt({ state }: SessionContext): void {
  if (mayPay(state)) return
  if (isAttemptOpen(state)) throw new RefusedError(errors.duplicateRequest)
  throw new RefusedError(state === 'expired' ? errors.sessionTokenInvalid : errors.sessionComplete)
}

/**
 * Charges only what the payer saw. The payer of a transfer types the amount, which is part of the attempt. A page of an earlier release does not
 * name what it showed, which is safe where nothing can have changed since: attempts raise the version of the session, too.
 */
function refuseOtherAmountShown(
  { session, merchant, crypto }: SessionContext,
  { shown, amount: typed }: Pick<Values<typeof attemptParams>, 'shown' | 'amount'>,
): void {
  const { request, version, attempts, visitorAmount } = session
  if (!shown) {
    const isUnchanged = version - attempts === 1 && visitorAmount === undefined
    if (isUnchanged) return
    throw new RefusedError(errors.amountChanged)
  }
  const present = { amount: totalText(request, merchant, crypto), currency: request.order.currency }
  const isTyped = session.operation === 'transfer' && typed !== undefined
  const named = { currency: shown.currency, amount: isTyped ? present.amount : (shown.amount ?? null) }
  refuseOtherAmount(named, present, { amount: 'shown.amount', currency: 'shown.currency', crypto })
}

type Release = () => Promise<void>

/** Counts valid attempts only, because a mistyped number is no attempt. Developers and their tests may be declined without a limit. */
async function countAttempt(
  { attempts }: Pick<HostedPageParts, 'attempts'>,
  { session, mapping }: SessionContext,
  address: string,
): Promise<Release | null> {
  if (session.attempts >= limits.checkout.attemptsPerSession) throw new RefusedError(errors.tooManyRequests)
  if (session.mode === 'test') return null
  const payer = { merchantId: session.merchantId, address: countedAddress(address) }
  const attempt = await attempts.take(payer, mapping.declinesPerAddress)
  if (attempt.allowed) return () => attempt.release()
  throw new RefusedError(errors.tooManyRequests, { retryAfterSeconds: attempt.retryAfterSeconds })
}

/** Only declines stay counted: payers behind one address must not be refused because others paid before them. */
async function whileCounted(
  release: Release | null,
  pay: () => Promise<PaymentWithTransaction>,
): Promise<PaymentWithTransaction> {
  let isDeclined = false
  try {
    const result = await pay()
    isDeclined = resultOf(result) === 'decline'
    return result
  } finally {
    if (!isDeclined) await release?.()
  }
}

async function composeAnswer(
  parts: HostedPageParts,
  step: PaymentWithTransaction,
  before: SessionContext,
  language: string | undefined,
): Promise<object> {
  const context = await readContextAfter(parts, before)
  const result = resultOf(step)
  return {
    result,
    payment_id: step.payment.id,
    redirect: await findRedirect(parts, context, result),
    ...(await readConfirmation(parts, context)),
    decline_message:
      result === 'decline' ? declineMessage(step.payment, context, languageFor(context, language).code) : null,
    same_card: result === 'decline' && maySameCard(step.payment, context),
    declines_left: declinesLeft(context),
    state: context.state,
  }
}

/** The session with the payment that was just made. */
export async function readContextAfter(
  { operations: { payerSessions } }: Pick<HostedPageParts, 'operations'>,
  before: SessionContext,
): Promise<SessionContext> {
  const session = await payerSessions.find(before.session.id, before.session.visitorAmount)
  return (session && (await payerSessions.load(session))) ?? before
}
