/**
 * Where a payer goes after returning from the issuer or another page. Chapter 30 §6.1.
 *
 * Hosted fields lead to `return_url` for every outcome. On the hosted page a success and the last decline lead to the merchant; every other
 * outcome leads back to the page, which explains it and lets the payer try again.
 */
import type { PaymentRecord } from '../../../contracts/records.ts'
import type { SessionRecord } from '../../../contracts/session-records.ts'
import { withVisitorAmount } from '../../../payments/sessions/payer-sessions.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { HostedPageParts } from '../parts.ts'
import { redirectFor } from './session-return.ts'

interface WayBack {
  readonly url: string
  /** The window, from `url_target`. */
  readonly target: string
  /** The payer can go on with the payment there. */
  readonly leadsToPage?: boolean
  /** The session is paid on the hosted page, which may have shown the issuer's page in a frame. */
  readonly isPaidOnPage?: boolean
}

type Parts = Pick<HostedPageParts, 'configuration' | 'operations' | 'tokens' | 'pageUrl'>

/** Null if the payment has no session, or the session no longer exists. */
export async function prepareReturn(parts: Parts, payment: PaymentRecord): Promise<WayBack | null> {
  const { payerSessions } = parts.operations
  const session = await findSession(parts, payment)
  const context = session && (await payerSessions.load(session))
  if (!context) return null
  const back = (await prepareReturnToMerchant(parts, context)) ?? (await prepareReturnToPage(parts, context))
  return back && { ...back, isPaidOnPage: context.session.kind === 'page' }
}

/** A visitor of a payment link goes on with the amount that the visitor chose. The payer of a transfer chooses on the page itself. */
async function findSession({ operations }: Parts, { sessionId, facts }: PaymentRecord): Promise<SessionRecord | null> {
  const session = sessionId === null ? null : await operations.payerSessions.find(sessionId)
  const { amountAsSent } = facts
  const isOfVisitor =
    session?.operation === 'purchase' && amountAsSent !== undefined && amountAsSent !== session.request.order.amount
  return isOfVisitor ? withVisitorAmount(session, amountAsSent) : session
}

function prepareReturnToMerchant(parts: Parts, context: SessionContext): Promise<WayBack | null> {
  const { session, state } = context
  if (session.kind === 'fields') return redirectFor(parts, context, 'return')
  if (state === 'complete') return redirectFor(parts, context, 'success')
  return state === 'limit' ? redirectFor(parts, context, 'cancel') : Promise.resolve(null)
}

/** In the same window, because the payer stays on our pages. */
async function prepareReturnToPage(
  { tokens, pageUrl }: Parts,
  { session, merchant, mapping }: SessionContext,
): Promise<WayBack | null> {
  if (session.kind !== 'page') return null
  return {
    url: `${pageUrl(merchant, mapping)}/auth/${await tokens.issue(session)}`,
    target: '_self',
    leadsToPage: true,
  }
}
