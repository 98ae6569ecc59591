/** Hosted fields: the frames, the values they send, and the calls of the merchant's server. Chapter 30 §8. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#domain/errors.ts'
import { isUuid } from '#domain/uuid.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import { callerAddress } from '../../../network/ip-list.ts'
import { noteRequest } from '../../../observe/requests.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import { bodyOf } from '../../checkout/dialect.ts'
import { checkoutErrorBody } from '../../checkout/error-body.ts'
import { jsonRoute } from '../../checkout/routes.ts'
import { checkSignature, isOnList, requireListed } from '../../kit/admission.ts'
import { runOnlyOnce } from '../../kit/idempotency.ts'
import { sentSignature } from '../../kit/merchant-request.ts'
import { beginTrace, type CheckTrace, recordRefusal } from '../../kit/refusals/check-trace.ts'
import type { Reply } from '../../kit/reply.ts'
import { isPlainHttp, renderPage } from '../../payer-pages/page.ts'
import { invalidPage } from '../../payer-pages/pages.ts'
import { wordingFor } from '../../payer-pages/texts.ts'
import { fieldEmbedders } from '../embedders.ts'
import type { HostedPageParts } from '../parts.ts'
import { queryOf, rawBody } from '../query.ts'
import { requireCaller } from '../session/session-caller.ts'
import { processingPaths, updatePath } from './calls.ts'
import { beginCollection, collectField } from './collection.ts'
import { framePage, isFrame } from './frame.ts'
import { processCard } from './processing.ts'
import { updateSession } from './update.ts'

export function fieldsRoutes(app: FastifyInstance, parts: HostedPageParts): void {
  app.get<{ Params: { frame: string } }>('/hosted-fields/:frame', { exposeHeadRoute: false }, (request, reply) =>
    showFrame(parts, request, reply),
  )
  jsonRoute(app, 'POST', '/page/v1/collection', async (request) => {
    noteRequest(request, { protocol: 'hosted-fields', action: 'fields-collect' })
    const context = await requireCaller(parts, request, collecting)
    return okReply(await beginCollection(parts, context, bodyOf(rawBody(request))))
  })
  jsonRoute(app, 'POST', '/page/v1/fields', async (request) => {
    noteRequest(request, { protocol: 'hosted-fields', action: 'fields-collect' })
    const context = await requireCaller(parts, request, collecting)
    return okReply(await collectField(parts, context, bodyOf(rawBody(request))))
  })
  for (const operation of ['purchase', 'debit'] as const) {
    const url = processingPaths[operation]
    jsonRoute(app, 'POST', url, async (request) => {
      noteRequest(request, { protocol: 'hosted-fields', action: 'fields-processing' })
      const context = await requireFieldsCaller(parts, request)
      await checkServer(parts, request, { path: url, action: 'fields-processing' }, context)
      return runOnce(parts, { request, path: url, session: context.session }, (attemptId) =>
        processCard(parts, {
          operation,
          context,
          body: bodyOf(rawBody(request)),
          requestId: request.id,
          attemptId,
        }),
      )
    })
  }
  jsonRoute(app, 'PUT', updatePath, (request, reply) =>
    showForbidden(request, reply, async () => {
      noteRequest(request, { protocol: 'hosted-fields', action: 'session-update' })
      const context = await requireCaller(parts, request, {
        kinds: ['fields', 'page'],
        refusal: errors.sessionTokenForbidden,
      })
      await requireUpdater(parts, request, context)
      return runOnce(parts, { request, path: updatePath, session: context.session }, () =>
        updateSession(parts, context, bodyOf(rawBody(request))),
      )
    }),
  )
}

/** The page's own calls, for which the token that lies in the page is enough. */
const collecting = { kinds: ['fields', 'terminal'], uses: ['session', 'collect'] } as const

/**
 * Whoever loads a page with the session's token can send it, so by default an update must come from the merchant's server. Headers of a browser
 * prove nothing, because another program leaves them out. Chapter 30 §8.5.
 */
async function requireUpdater(parts: HostedPageParts, request: FastifyRequest, context: SessionContext): Promise<void> {
  const { merchant, mapping } = context
  const needsSignature =
    mapping.sessionUpdate !== 'token' && !isOnList(merchant, callerAddress(request.raw, parts.trustedProxies))
  const call = { path: updatePath, action: 'session-update', looksAtSignature: needsSignature }
  const isSigned = await checkServer(parts, request, call, context)
  if (needsSignature && !isSigned) throw new RefusedError(errors.sessionUpdateUnproved)
}

/** A browser gets a page for an invalid token, other clients JSON. Chapter 30 §8.5. */
async function showForbidden(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  serve: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await serve()
  } catch (error) {
    const { accept = '' } = headers
    const isForbidden = error instanceof RefusedError && error.refusal === errors.sessionTokenForbidden
    if (!isForbidden || !accept.includes('text/html') || accept.includes('json')) throw error
    const page = renderPage(invalidPage(wordingFor(headers['accept-language'])))
    reply.headers(page.headers)
    return { http: 403, body: page.body, type: 'text/html; charset=utf-8' }
  }
}

async function requireFieldsCaller(parts: HostedPageParts, request: FastifyRequest): Promise<SessionContext> {
  const context = await requireCaller(parts, request, { kinds: ['fields'] })
  if (context.state === 'expired') throw new RefusedError(errors.sessionTokenInvalid)
  return context
}

interface ServerCall {
  readonly path: string
  readonly action: string
  /** Also where the mapping itself looks at no signature. */
  readonly looksAtSignature?: boolean
}

/** The merchant's server: its address, and a signature, which covers the token in place of a hash. True if it is signed. Chapter 10 §4.6. */
async function checkServer(
  parts: HostedPageParts,
  request: FastifyRequest,
  { path, action, looksAtSignature = false }: ServerCall,
  { merchant, mapping, session }: SessionContext,
): Promise<boolean> {
  const address = callerAddress(request.raw, parts.trustedProxies)
  const caller = { merchant, mode: session.mode }
  const tree = { order: { number: session.request.order.number } }
  const trace: CheckTrace = { ...beginTrace(), step: 'address', protocol: 'CHECKOUT', action, tree }
  const rule = mapping.requestSignature === 'hash' && looksAtSignature ? 'both' : mapping.requestSignature
  try {
    requireListed(merchant, address)
    trace.step = 'signature'
    return await checkSignature(parts, caller, sentSignature(request, path, address), { rule, trace })
  } catch (error) {
    if (error instanceof RefusedError) recordRefusal({ kit: parts, caller, requestId: request.id }, trace, error)
    throw error
  }
}

async function showFrame(
  parts: HostedPageParts,
  request: FastifyRequest<{ Params: { frame: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  noteRequest(request, { protocol: 'hosted-fields', action: 'frame' })
  const { frame } = request.params
  if (!isFrame(frame)) throw new RefusedError(errors.routeNotSupported)
  const query = queryOf(request)
  const { headers, body } = framePage(
    {
      name: frame,
      language: query.get('language'),
      embedders: await listEmbedders(parts, query.get('session')),
      plainHttp: isPlainHttp(parts.publicUrl()),
    },
    parts.files,
  )
  return reply.headers(headers).send(body)
}

/** The session's identifier gives no access; it only selects the list of origins that may embed the frame. */
async function listEmbedders({ operations, configuration }: HostedPageParts, session: string | null): Promise<string> {
  const found = session !== null && isUuid(session) ? await operations.payerSessions.find(session) : null
  const mapping = found && configuration.mapping(found.merchantId, 'CHECKOUT')
  return found && mapping ? fieldEmbedders(mapping, found) : '*'
}

/** `Idempotency-Key` as on every call of Checkout. Chapter 30 §1.1. */
async function runOnce(
  { idempotency, ids }: HostedPageParts,
  {
    request,
    path,
    session,
  }: Pick<SessionContext, 'session'> & {
    readonly request: FastifyRequest
    readonly path: string
  },
  run: (attemptId: string) => Promise<object>,
): Promise<Reply> {
  const [key] = [request.headers['idempotency-key']].flat()
  if (key === undefined) return okReply(await run(ids.next()))
  const body = Buffer.concat([Buffer.from(`${path}\n${session.id}\n`), rawBody(request)])
  const perform = async (useId: string): Promise<Reply> => okReply(await run(useId))
  const owner = { merchantId: session.merchantId, mode: session.mode }
  return runOnlyOnce(idempotency, { ...owner, key, body, errorBody: checkoutErrorBody }, perform, perform)
}

const okReply = (answer: object): Reply => ({ http: 200, body: JSON.stringify(answer) })
