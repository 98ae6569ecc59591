/**
 * Merchants' own pages that pay by wallet with the SDK (chapter 30 §9): only on domains that are registered for the merchant, and only with
 * wallets, because no card data may pass through an external page.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#domain/errors.ts'
import { wallets } from '#domain/mid.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import { isStrangersFormHost } from '../../kit/form-host.ts'
import { foreignOrigin, isOpaque } from '../page-address.ts'
import type { HostedPageParts } from '../parts.ts'
import { findShownForm } from './custom-form.ts'

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'token, content-type',
  'access-control-max-age': '600',
} as const

/**
 * A preflight has no session and reveals nothing, so every origin is accepted; the request that follows is checked against the merchant's
 * domains.
 */
export function answerPreflight(
  { publicUrl }: HostedPageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | null {
  if (request.method !== 'OPTIONS' || !(isOpaque(request) || foreignOrigin(request, publicUrl()))) return null
  return reply
    .code(204)
    .headers({ ...preflightHeaders, ...permission(request) })
    .send()
}

/**
 * Set before the session is known, because a sandboxed form must be able to read why it was refused. No cookies are used, so the answer
 * contains nothing that a client without a browser could not request.
 */
export function permitSandboxedForm(request: FastifyRequest, reply: FastifyReply): void {
  if (isOpaque(request)) reply.headers(permission(request))
}

/**
 * Refuses pages on domains of other merchants. A document without an origin is accepted only for a session that shows an approved form in a
 * sandbox, so that no unreviewed page can take cards.
 */
export async function admitForeignPage(
  parts: HostedPageParts,
  context: SessionContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { publicUrl, walletButtons, formsDomain, formsDomainIsDefault } = parts
  const { merchant, session } = context
  if (isStrangersFormHost(request, merchant, formsDomain)) throw new RefusedError(errors.sessionTokenForbidden)
  if (isOpaque(request)) {
    const hasSandboxes = formsDomain === null || formsDomainIsDefault
    const isForm = hasSandboxes && (await findShownForm(parts, context)) !== null
    if (!isForm) throw new RefusedError(errors.sessionTokenForbidden)
    return
  }
  const origin = foreignOrigin(request, publicUrl())
  if (!origin) return
  // The page may read its refusal too: without it, its developer would see only that the service cannot be reached.
  reply.headers(permission(request))
  const isKnown = await walletButtons.isDomain(merchant.id, origin.hostname)
  if (!isKnown || session.kind !== 'page') throw new RefusedError(errors.sessionTokenForbidden)
}

/** Enforced by the service, because the page's script belongs to the merchant: cards and brands are entered on our own pages only. */
export function refuseForeignCard({ publicUrl }: HostedPageParts, request: FastifyRequest, method: string): void {
  const isWallet = wallets.some((wallet) => wallet === method)
  if (foreignOrigin(request, publicUrl()) && !isWallet) throw new RefusedError(errors.methodNotSupported)
}

const permission = ({ headers }: FastifyRequest): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': headers.origin ?? '',
  vary: 'origin',
})
