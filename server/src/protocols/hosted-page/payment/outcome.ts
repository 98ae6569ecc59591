/** The result of an attempt as the page and hosted fields report it. Chapter 30 §7.10, §8.4. */
import { declineCause, mayRetrySameCard } from '#domain/checkout/decline-cause.ts'
import { declines, isPaid } from '#domain/checkout/session.ts'
import type { PaymentRecord } from '../../../contracts/records.ts'
import type { Operations } from '../../../payments/index.ts'
import type { PaymentWithTransaction } from '../../../payments/outcome/perform.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import { type Redirect, redirectFor, redirectTo, type SessionReturnParts } from '../session/session-return.ts'
import { declineReasonText, declineText } from '../texts.ts'

const results = ['success', 'decline', 'redirect', 'waiting', 'undefined'] as const
type Result = (typeof results)[number]

export function resultOf({ payment, transaction }: Pick<PaymentWithTransaction, 'payment' | 'transaction'>): Result {
  if (payment.status === 'DECLINED') return 'decline'
  if (isPaid(payment)) return 'success'
  if (isAway(payment) && transaction.state === 'waiting') return 'redirect'
  return transaction.state === 'undefined' && payment.facts.brand === undefined ? 'undefined' : 'waiting'
}

const isAway = ({ status, facts }: PaymentRecord): boolean =>
  (status === '3DS' || status === 'REDIRECT') && facts.redirect !== undefined

type RedirectParts = SessionReturnParts & { readonly operations: Pick<Operations, 'payerSessions'> }

/** The redirect for the payer's confirmation, with an address that was not used yet; null if the payment waits for none. */
export async function readAwayRedirect(
  parts: RedirectParts,
  context: SessionContext,
): Promise<ChallengeRedirect | null> {
  const [payment] = context.payments
  const next = payment && isAway(payment) ? await parts.operations.payerSessions.findNextRedirect(payment) : null
  return next && { ...redirectTo(parts, context, next.url), frame: next.frame }
}

/** With `frame`, the page may show the address in a frame. */
interface ChallengeRedirect extends Redirect {
  readonly frame: boolean
}

/** `context` is the session after the attempt. */
export async function findRedirect(
  parts: RedirectParts,
  context: SessionContext,
  result: Result,
): Promise<Redirect | null> {
  switch (result) {
    case 'success':
      return redirectFor(parts, context, 'success')
    case 'redirect':
      return readAwayRedirect(parts, context)
    case 'decline':
      return context.state === 'limit' ? redirectFor(parts, context, 'cancel') : null
    case 'waiting':
    case 'undefined':
      return redirectFor(parts, context, 'error')
  }
}

/** The payer's decline message in a language. `context` is the session after the attempt. */
export function declineMessage(
  { declineClass, declineReason }: PaymentRecord,
  { state }: Pick<SessionContext, 'state'>,
  language: string,
): string {
  const cause = declineCause(declineClass, declineReason)
  return state === 'limit' ? declineReasonText(cause, language) : declineText(cause, language)
}

/** True if the payer may try the declined card again: then the page keeps it. */
export const maySameCard = (
  { declineClass, declineReason }: PaymentRecord,
  { state }: Pick<SessionContext, 'state'>,
): boolean => state !== 'limit' && mayRetrySameCard(declineCause(declineClass, declineReason))

export const declinesLeft = ({ payments, mapping }: SessionContext): number =>
  Math.max(0, mapping.maxDeclines - declines(payments))
