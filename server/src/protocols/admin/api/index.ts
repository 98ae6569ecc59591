/** The admin API over HTTP: JSON below `/admin/api`, a session cookie that scripts cannot read, and its own error body. */
import { Readable } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { writeJson } from '#domain/json.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import { callerAddress, countedAddress, type IpList } from '../../../network/ip-list.ts'
import { noteRequest } from '../../../observe/requests.ts'
import type { Site } from '../../../panel/access/passkeys.ts'
import { AdminRefused } from '../../../panel/admin-refused.ts'
import { isCutOff } from '../../../panel/cut-off-statement.ts'
import type { PanelContext } from '../../../panel/panel-context.ts'
import { letBodyTakeTime } from '../../service/body-time.ts'
import { cookieName, cookieOf, sessionCookie } from './cookie.ts'
import { Download, type Endpoint, Page, type Visit } from './endpoint.ts'
import { endpoints } from './endpoints/index.ts'
import { openApi } from './openapi.ts'
import { type AdminRequest, serve } from './serve.ts'
import { arrivingFile, isFile, streamSpacesUntil, waitUntilSlow } from './uploads/arriving-file.ts'

const adminPrefix = '/admin/api'

const bodyBytes = 512 * 1024

interface AdminOptions {
  readonly context: PanelContext
  readonly trustedProxies: IpList
  /** Whether the panel may be served under this host name. */
  readonly isPanelHost: (host: string | undefined) => boolean
}

export const adminApi =
  (options: AdminOptions) =>
  async (app: FastifyInstance): Promise<void> => {
    await app.register(
      async (api) => {
        speakJson(api)
        api.addHook('onRequest', async ({ headers }) => {
          if (!options.isPanelHost(headers.host)) throw new AdminRefused('not_found')
        })
        for (const endpoint of endpoints) if (endpoint.takesFile !== true) route(api, endpoint, options)
        await api.register(async (files) => {
          // The file is read by its endpoint, while it arrives; a body of another type is refused without being read.
          files.removeAllContentTypeParsers()
          files.addContentTypeParser('application/octet-stream', (_, payload, done) => done(null, payload))
          files.addContentTypeParser('*', (_, _payload, done) => done(null, undefined))
          files.addHook('onRequest', ({ raw }, reply, done) => {
            letBodyTakeTime(raw, reply.raw)
            done()
          })
          for (const endpoint of endpoints) if (endpoint.takesFile === true) route(files, endpoint, options)
        })
        api.get('/openapi.json', (request) => openApi(endpoints, cookieName(siteOf(request, options.context))))
        // A route, because every other unknown address below `/admin` is answered with the panel's page.
        api.all('/*', () => {
          throw new AdminRefused('not_found')
        })
      },
      { prefix: adminPrefix },
    )
  }

function speakJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: bodyBytes }, (_, body, done) => {
    try {
      // The option above makes the parser pass a text. A client may state the type of a body that it leaves out.
      done(null, body === '' ? undefined : JSON.parse(String(body)))
    } catch {
      done(new AdminRefused('invalid', { fields: [{ field: '', text: 'The body is not valid JSON.' }] }))
    }
  })
  app.addHook('onRequest', (request, reply, next) => {
    noteRequest(request, { protocol: 'admin' })
    reply.headers({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    next()
  })
  app.setErrorHandler(refuse)
}

function route(app: FastifyInstance, endpoint: Endpoint, { context, trustedProxies }: AdminOptions): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    exposeHeadRoute: false,
    ...(endpoint.bodyBytes === undefined ? {} : { bodyLimit: endpoint.bodyBytes }),
    handler: async (request, reply) => {
      const site = siteOf(request, context)
      const address = callerAddress(request.raw, trustedProxies)
      const visit: Visit = {
        kind: 'anonymous',
        context,
        site,
        visitor: {
          address,
          network: countedAddress(address),
          userAgent: request.headers['user-agent'] ?? '',
        },
      }
      const file = endpoint.takesFile === true ? arrivingFile(request, reply, endpoint.bodyBytes ?? bodyBytes) : null
      const serving = serve(endpoint, { ...adminRequest(request, context, site), file }, visit)
      if (file !== null && (await waitUntilSlow(request.raw, serving))) return sendSlowly(reply, serving, request)
      const { answer, cookie } = await serving
      if (cookie !== undefined) reply.header('set-cookie', sessionCookie(site, cookie))
      if (answer instanceof Page) return sendPage(reply, answer)
      return answer instanceof Download ? sendFile(reply, answer) : send(reply, 200, answer)
    },
  })
}

function adminRequest(request: FastifyRequest, context: PanelContext, site: Site): Omit<AdminRequest, 'file'> {
  const csrf = request.headers['x-csrf-token']
  return {
    params: textsOf(request.params),
    query: request.query,
    body: isFile(request.body) ? undefined : request.body,
    token: cookieOf(site, request.headers.cookie ?? ''),
    bearer: /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null,
    csrf: typeof csrf === 'string' ? csrf : '',
    sameOrigin: isSameOrigin(request, context),
    isBackground: request.headers['x-background'] !== undefined,
  }
}

/** Browsers state the origin of a request. Other clients do not, and they carry no other user's cookies. */
function isSameOrigin({ headers }: FastifyRequest, context: PanelContext): boolean {
  const fetchSite = headers['sec-fetch-site']
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return false
  const { origin } = headers
  if (origin === undefined) return true
  return (
    URL.canParse(origin) && (new URL(origin).host === headers.host || origin === new URL(context.panelUrl()).origin)
  )
}

/** The panel's address in the browser: behind a proxy the public address, otherwise the host of the request. */
function siteOf({ headers }: FastifyRequest, context: PanelContext): Site {
  const usual = new URL(context.panelUrl())
  const own = `${usual.protocol}//${headers.host ?? ''}`
  const { origin, hostname } = usual.protocol === 'http:' && URL.canParse(own) ? new URL(own) : usual
  return { origin, host: hostname }
}

const textsOf = (params: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]))

const send = (reply: FastifyReply, status: number, answer: unknown): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(writeJson(answer))

/** An answer that takes long begins with spaces, so that no proxy gives up on it. Its status says then only that the file has arrived. */
const sendSlowly = (reply: FastifyReply, serving: Promise<{ readonly answer: unknown }>, request: FastifyRequest) =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(
      Readable.from(
        streamSpacesUntil(
          serving.then(({ answer }) => writeJson(answer)).catch((error: Error) => refusalText(error, request)),
        ),
      ),
    )

const sendFile = (reply: FastifyReply, { fileName, fileType, parts }: Download): FastifyReply =>
  reply
    .header('content-type', fileType)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(parts))

const sendPage = (reply: FastifyReply, { headers, body }: Page): FastifyReply =>
  reply.headers({ ...headers, 'content-type': 'text/html; charset=utf-8' }).send(body)

function refuse(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = noteRefusal(error, request)
  if (refused.retryAfterSeconds !== null) reply.header('retry-after', String(refused.retryAfterSeconds))
  return send(reply, refused.http, errorOf(refused, request))
}

const refusalText = (error: Error, request: FastifyRequest): string =>
  writeJson(errorOf(noteRefusal(error, request), request))

function noteRefusal(error: FastifyError | Error, request: FastifyRequest): AdminRefused {
  const refused = refusedBy(error)
  if (refused.http >= 500 && refused.code !== 'ending') request.log.error({ err: error }, 'A request failed.')
  noteRequest(request, { protocol: 'admin', result: 'ERROR' })
  return refused
}

const errorOf = ({ code, message, fields }: AdminRefused, { id }: FastifyRequest) => ({
  error: { code, message, fields, requestId: id },
})

function refusedBy(error: FastifyError | Error): AdminRefused {
  if (error instanceof AdminRefused) return error
  if (error instanceof RefusedError) return new AdminRefused('refused', { message: error.message })
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return new AdminRefused('too_large')
  if (status === 415) return new AdminRefused('invalid', { message: 'The body must be application/json.' })
  if (isCutOff(error)) return new AdminRefused('too_slow')
  return status !== undefined && status < 500 ? new AdminRefused('invalid') : new AdminRefused('failed')
}
