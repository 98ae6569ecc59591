/**
 * Pages of merchants' own that pay by wallet with the SDK. Chapter 30 §9: on domains that are registered for the merchant, and with
 * wallets only, because no card data may pass through an external page.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#domain/errors.ts'
import { wallets } from '#domain/mid.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import { isStrangersFormHost } from '../../kit/form-host.ts'
import type { HostedPageParts } from '../parts.ts'
import { foreignOrigin, isOpaque } from '../place.ts'
import { shownForm } from './custom-form.ts'

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'token, content-type',
  'access-control-max-age': '600',
} as const

/** Asking whether one may ask gives nothing away; the question itself is then held against the merchant's domains. */
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
 * Before the session is known: a form in its sandbox must be able to read why it was refused. No cookie is asked for or sent, so that the
 * answer tells a stranger nothing that he could not ask for without a browser.
 */
export function permitSandboxedForm(request: FastifyRequest, reply: FastifyReply): void {
  if (isOpaque(request)) reply.headers(permission(request))
}

/**
 * Refused on a domain that is not the merchant's. A document without an origin is believed only for a session that shows an approved
 * form in its sandbox, so that no unreviewed page takes cards that way.
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
    const isForm = hasSandboxes && (await shownForm(parts, context)) !== null
    if (!isForm) throw new RefusedError(errors.sessionTokenForbidden)
    return
  }
  const origin = foreignOrigin(request, publicUrl())
  if (!origin) return
  const isKnown = await walletButtons.isDomain(merchant.id, origin.hostname)
  if (!isKnown || session.kind !== 'page') throw new RefusedError(errors.sessionTokenForbidden)
  reply.headers(permission(request))
}

/** Whatever the page's script may say: what is not a wallet is entered on our own pages. */
export function refuseForeignCard({ publicUrl }: HostedPageParts, request: FastifyRequest, method: string): void {
  const isWallet = wallets.some((wallet) => wallet === method)
  if (foreignOrigin(request, publicUrl()) && !isWallet) throw new RefusedError(errors.methodNotSupported)
}

const permission = ({ headers }: FastifyRequest): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': headers.origin ?? '',
  vary: 'origin',
})
