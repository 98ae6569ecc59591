/**
 * Pages of merchants' own that pay by wallet with the SDK. Chapter 30 §9: on domains that are registered for the merchant, and with
 * wallets only, because no card data may pass through a page of somebody else's.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#domain/errors.ts'
import { wallets } from '#domain/mid.ts'
import type { SessionStanding } from '../../operations/session-standing.ts'
import { RefusedError } from '../../refused-error.ts'
import type { HostedPageParts } from './parts.ts'
import { foreignOrigin } from './place.ts'

const allowed = {
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
  if (request.method !== 'OPTIONS' || !foreignOrigin(request, publicUrl())) return null
  return reply
    .code(204)
    .headers({ ...allowed, ...permission(request) })
    .send()
}

/** Refused on a domain that is not the merchant's. */
export async function admitForeignPage(
  { publicUrl, walletButtons }: HostedPageParts,
  { merchant, session }: SessionStanding,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
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
