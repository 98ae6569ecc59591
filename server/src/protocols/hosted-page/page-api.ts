/** The page's own JSON API (chapter 30 §7.10): same origin, the header `Token`, and the error bodies of Checkout. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAttemptOpen } from '#domain/checkout/session.ts'
import { errors } from '#domain/errors.ts'
import { languageOf } from '#domain/place/language.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { noteRequest } from '../../observe/requests.ts'
import type { SessionContext } from '../../payments/sessions/session-context.ts'
import { bodyOf } from '../checkout/dialect.ts'
import { jsonRoute, type Method } from '../checkout/routes.ts'
import { admitForeignPage, answerPreflight, permitSandboxedForm } from './form/foreign-page.ts'
import { pageAddressOf } from './page-address.ts'
import type { HostedPageParts } from './parts.ts'
import { payOnPage, readContextAfter } from './payment/page-payment.ts'
import { validateWallet } from './payment/wallet-validation.ts'
import { queryOf, rawBody } from './query.ts'
import { countriesIn } from './session/countries.ts'
import { missingReports } from './session/missing-button.ts'
import { composePageSession, composeStateAnswer, languageFor } from './session/page-session.ts'
import { awaitStateAfter, waitOf } from './session/page-state.ts'
import { requireCaller } from './session/session-caller.ts'
import { redirectFor } from './session/session-return.ts'

type ServePage = (context: SessionContext, request: FastifyRequest, reply: FastifyReply) => Promise<object | string>

export function pageApi(app: FastifyInstance, parts: HostedPageParts): void {
  const stopping = new AbortController()
  app.addHook('preClose', (done) => {
    stopping.abort()
    done()
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/page/v1/')) return answerPreflight(parts, request, reply) ?? undefined
  })
  const { publicUrl } = parts
  const route = (method: Method, url: string, name: string, serve: ServePage): void =>
    jsonRoute(app, method, url, async (request, reply) => {
      noteRequest(request, { protocol: 'page', action: name })
      permitSandboxedForm(request, reply)
      const context = await requireCaller(parts, request, { kinds: ['page'] })
      await admitForeignPage(parts, context, request, reply)
      const answer = await serve(context, request, reply)
      // An open connection would delay the stop of the service until it times out.
      if (stopping.signal.aborted) reply.header('connection', 'close')
      return { http: 200, body: typeof answer === 'string' ? answer : JSON.stringify(answer) }
    })

  route('GET', '/page/v1/session', 'page-session', (context, request) => {
    noteOpening(parts, context)
    return composePageSession(
      parts,
      context,
      pageAddressOf(request, publicUrl()),
      queryOf(request).get('language') ?? undefined,
    )
  })
  route('POST', '/page/v1/payment', 'page-payment', (context, request) => payOnPage(parts, context, request))
  route('GET', '/page/v1/state', 'page-state', async (context, request, reply) => {
    const query = queryOf(request)
    const over = AbortSignal.any([stopping.signal, disconnectSignal(reply)])
    const latest = await awaitStateAfter(parts, context, waitOf(query, over))
    return composeStateAnswer(parts, latest, languageFor(latest, query.get('language') ?? undefined).code)
  })
  route('POST', '/page/v1/cancel-step', 'page-cancel-step', async (context, request) => {
    const latest = await cancelOpenStep(parts, context)
    return composeStateAnswer(parts, latest, languageFor(latest, queryOf(request).get('language') ?? undefined).code)
  })
  route('POST', '/page/v1/close', 'page-close', (context) => close(parts, context))
  route('POST', '/page/v1/wallet-session', 'page-wallet-session', (context, request) =>
    validateWallet(parts, context, bodyOf(rawBody(request)), pageAddressOf(request, publicUrl())),
  )
  const recordMissing = missingReports(parts)
  route('POST', '/page/v1/wallet-missing', 'page-wallet-missing', (context, request) =>
    Promise.resolve(recordMissing(context, bodyOf(rawBody(request)))),
  )
  route('GET', '/page/v1/countries', 'page-countries', (context, request) => {
    const language = queryOf(request).get('language')
    return Promise.resolve(countriesIn(languageFor(context, language === null ? undefined : languageOf(language))))
  })
}

/**
 * Only a browser that runs the page asks for its session, not a program that previews links. The page does not wait for this count, and is served
 * without it.
 */
function noteOpening({ operations, log }: HostedPageParts, { session }: SessionContext): void {
  operations.payerSessions
    .noteOpening(session)
    .catch((err: unknown) => log.warn({ err, sessionId: session.id }, 'The opening of a hosted page was not recorded.'))
}

/** The payer leaves the bank's page unconfirmed, to pay in another way. The answer says whether that was still possible. */
async function cancelOpenStep(parts: HostedPageParts, context: SessionContext): Promise<SessionContext> {
  const [newest] = context.payments
  if (context.state !== 'away' || !newest) return context
  await parts.operations.payerSessions.cancelStep(newest)
  return readContextAfter(parts, context)
}

/**
 * The payer goes back to the shop without paying, and may return as long as the session lives. An open step ends first. Refused while an
 * attempt is running, because its outcome decides where the payer goes. Chapter 30 §7.8.
 */
async function close(parts: HostedPageParts, context: SessionContext): Promise<object> {
  const after = await cancelOpenStep(parts, context)
  if (isAttemptOpen(after.state)) throw new RefusedError(errors.duplicateRequest)
  const why = after.state === 'complete' ? 'success' : 'cancel'
  return { state: after.state, redirect: await redirectFor(parts, after, why) }
}

/** Aborts when the browser has closed the connection. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}
