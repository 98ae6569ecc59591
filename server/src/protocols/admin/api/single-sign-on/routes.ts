/** `/admin/sso/…`: the browser goes to the identity provider and comes back. Refusals lead to the sign-in page. Chapter 70 §9. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress, countedAddress, type IpList } from '../../../../network/ip-list.ts'
import { noteRequest } from '../../../../observe/requests.ts'
import type { Site } from '../../../../panel/access/passkeys.ts'
import { AdminRefused } from '../../../../panel/admin-refused.ts'
import type { Visitor } from '../../../../panel/context.ts'
import type { PanelContext } from '../../../../panel/panel-context.ts'
import type { SingleSignOn } from '../../../../panel/single-sign-on/provider.ts'
import { attemptMs, beginSso, callbackPath, finishSso } from '../../../../panel/single-sign-on/single-sign-on.ts'
import { type SsoRefusal, SsoRefused } from '../../../../panel/single-sign-on/sso-refused.ts'
import { sessionCookie, stateCookie, stateOf } from '../cookie.ts'

interface SsoParts {
  readonly context: PanelContext
  readonly trustedProxies: IpList
  readonly isPanelHost: (host: string | undefined) => boolean
}

const startPath = '/admin/sso/start'

export const singleSignOnRoutes =
  (parts: SsoParts) =>
  async (app: FastifyInstance): Promise<void> => {
    const sso = parts.context.singleSignOn
    if (sso === null) return
    app.get(startPath, { exposeHeadRoute: false }, (request, reply) => start(parts, sso, request, reply))
    app.get(callbackPath, { exposeHeadRoute: false }, (request, reply) => finish(parts, sso, request, reply))
  }

async function start(
  parts: SsoParts,
  sso: SingleSignOn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context } = parts
  if (!admit(parts, request, reply)) return reply
  const query = queryOf(request)
  const { host, origin } = new URL(context.panelUrl())
  // The provider sends the browser back to the configured host, where the cookie has to be.
  if (request.headers.host !== host && origin.startsWith('http:'))
    return reply.redirect(`${context.panelUrl()}${startPath}?${String(query)}`, 302)
  try {
    const nextPath = pathIn(query.get('next') ?? '/')
    const wish = { nextPath, isFresh: query.get('fresh') === '1' }
    const { state, address } = await beginSso(context, sso, wish, visitorOf(parts, request))
    return reply.header('set-cookie', stateCookie(siteOf(context), state, attemptSeconds)).redirect(address, 302)
  } catch (error) {
    return leaveTo(parts, reply, refusalOf(error))
  }
}

async function finish(
  parts: SsoParts,
  sso: SingleSignOn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context } = parts
  if (!admit(parts, request, reply)) return reply
  const site = siteOf(context)
  try {
    const arrival = { query: queryOf(request), cookieState: stateOf(site, request.headers.cookie ?? '') }
    const { token, nextPath } = await finishSso(context, sso, arrival, visitorOf(parts, request))
    const cookies = [stateCookie(site, null, attemptSeconds), sessionCookie(site, token)]
    return reply.header('set-cookie', cookies).redirect(`${context.panelUrl()}/admin${nextPath}`, 302)
  } catch (error) {
    return leaveTo(parts, reply, refusalOf(error))
  }
}

function admit({ isPanelHost }: SsoParts, request: FastifyRequest, reply: FastifyReply): boolean {
  noteRequest(request, { protocol: 'admin' })
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  if (isPanelHost(request.headers.host)) return true
  reply.code(404).type('text/plain').send('The panel is not available at this address.')
  return false
}

function refusalOf(error: unknown): SsoRefusal | 'later' {
  if (error instanceof SsoRefused) return error.refusal
  if (error instanceof AdminRefused && error.code === 'too_many_attempts') return 'later'
  throw error
}

const leaveTo = ({ context }: SsoParts, reply: FastifyReply, refusal: string): FastifyReply =>
  reply
    .header('set-cookie', stateCookie(siteOf(context), null, attemptSeconds))
    .redirect(`${context.panelUrl()}/admin/sign-in?sso=${refusal}`, 302)

const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URL(url, 'http://panel').searchParams

/** Only addresses within the panel. */
const pathIn = (text: string): string => (/^\/(?!\/)[\w\-./?=&%:+]*$/.test(text) ? text : '/')

function visitorOf({ trustedProxies }: SsoParts, request: FastifyRequest): Visitor {
  const address = callerAddress(request.raw, trustedProxies)
  return { address, network: countedAddress(address), userAgent: request.headers['user-agent'] ?? '' }
}

function siteOf({ panelUrl }: PanelContext): Site {
  const { origin, hostname } = new URL(panelUrl())
  return { origin, host: hostname }
}

const attemptSeconds = attemptMs / 1000
