/**
 * Where a payer goes who comes back from the issuer or from another page. Chapter 30 §6.1.
 *
 * Hosted fields lead to `return_url` whatever became of the payment. On the page a payment that succeeded leads to the merchant, and so
 * does the last decline; everything else leads back to the page, which says what happened and lets the payer try again.
 */
import type { PaymentRecord } from '../../../contracts/records.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { HostedPageParts } from '../parts.ts'
import { redirectFor } from './session-return.ts'

interface WayBack {
  readonly url: string
  /** As `url_target` has it. */
  readonly target: string
}

type Parts = Pick<HostedPageParts, 'configuration' | 'operations' | 'tokens' | 'pageUrl'>

/** Null when the payment was not made on a session that is still there. */
export async function payerReturn(parts: Parts, payment: PaymentRecord): Promise<WayBack | null> {
  const { payerSessions } = parts.operations
  const session = payment.sessionId === null ? null : await payerSessions.find(payment.sessionId)
  const context = session && (await payerSessions.load(session))
  if (!context) return null
  return (await toMerchant(parts, context)) ?? toPage(parts, context)
}

function toMerchant(parts: Parts, context: SessionContext): Promise<WayBack | null> {
  const { session, state } = context
  if (session.kind === 'fields') return redirectFor(parts, context, 'return')
  if (state === 'complete') return redirectFor(parts, context, 'success')
  return state === 'limit' ? redirectFor(parts, context, 'cancel') : Promise.resolve(null)
}

/** In the window that the payer is in: nothing is left. */
async function toPage(
  { tokens, pageUrl }: Parts,
  { session, merchant, mapping }: SessionContext,
): Promise<WayBack | null> {
  if (session.kind !== 'page') return null
  return { url: `${pageUrl(merchant, mapping)}/auth/${await tokens.issue(session)}`, target: '_self' }
}
