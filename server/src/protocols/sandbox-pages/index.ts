/**
 * `/sandbox/*`: the pages of the sandbox, which is another program, under this service's own address. Only in sandbox mode.
 * Chapter 10 §12, "3DS page" and "Redirect page".
 *
 * The proxy is strict, because what it lets through runs in our origin: it forwards GET and POST to plain paths below `/sandbox` and
 * nowhere else, so that the sandbox's ledger, clock and scenarios stay out of reach; it carries no cookie in either direction; of the
 * answer it passes on the listed headers only; and a page that brings no rules of its own may load and run nothing.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Agent, request as exchange } from 'undici'
import { noteRequest } from '../../observe/requests.ts'

export interface SandboxPagesOptions {
  /** Where the sandbox listens now; asked for every request, since it may be started anew elsewhere. */
  readonly url: () => string
}

export const sandboxPages =
  ({ url }: SandboxPagesOptions) =>
  async (app: FastifyInstance): Promise<void> => {
    const agent = new Agent({ connections: 32, connect: { timeout: 2_000 }, allowH2: false })
    app.addHook('onClose', () => agent.destroy())
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: longestBodyBytes }, (_, body, done) =>
      done(null, body),
    )
    app.setErrorHandler(refuse)
    app.route({
      method: ['GET', 'POST'],
      url: '/sandbox/*',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        noteRequest(request, { protocol: 'page' })
        const path = forwardedPath(request.url)
        if (path === null) return say(reply, 404, 'There is no such page.')
        const page = await fetchPage(agent, new URL(path, url()), request).catch((error: unknown) => {
          request.log.warn({ err: error }, 'The sandbox did not answer.')
          return null
        })
        if (!page) return say(reply, 502, 'The sandbox does not answer. Please try again.')
        return reply.code(page.status).headers(page.headers).send(page.body)
      },
    })
  }

const longestBodyBytes = 65_536
const longestPageBytes = 1_048_576
/** For the whole exchange: a page that is not there by then is of no use to a payer. */
const waitMs = 10_000

interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Null for a path that another reader might take for one outside of `/sandbox`. */
function forwardedPath(url: string): string | null {
  const [path = '', query] = url.split('?', 2)
  const segments = path.replace(/\/$/, '').split('/').slice(1)
  const plain = segments.every((segment) => /^[\w~.-]+$/.test(segment) && !/^\.+$/.test(segment))
  if (!plain || segments[0] !== 'sandbox' || segments.length < 2) return null
  return `/${segments.join('/')}${query === undefined ? '' : `?${query}`}`
}

async function fetchPage(dispatcher: Agent, address: URL, request: FastifyRequest): Promise<Page> {
  const reply = await exchange(address, {
    method: request.method === 'POST' ? 'POST' : 'GET',
    headers: picked(request.headers, requestHeaders),
    body: Buffer.isBuffer(request.body) ? request.body : null,
    signal: AbortSignal.timeout(waitMs),
    dispatcher,
  })
  const body = await wholeBody(reply.body)
  return { status: reply.statusCode, headers: { ...standing, ...picked(reply.headers, replyHeaders) }, body }
}

async function wholeBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > longestPageBytes) throw new Error('The page is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const requestHeaders = ['content-type', 'accept', 'accept-language'] as const
const replyHeaders = [
  'content-type',
  'content-language',
  'content-security-policy',
  'cache-control',
  'location',
  'referrer-policy',
  'x-content-type-options',
] as const

/** What holds unless the page says otherwise. */
const standing = {
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

function picked(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

function refuse(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = error.statusCode ?? 500
  if (status >= 500) request.log.error({ err: error }, 'A request failed.')
  return status === 413 ? say(reply, 413, 'The form is too large.') : say(reply, status, 'The page cannot be shown.')
}

const say = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).headers(standing).type('text/plain; charset=utf-8').send(text)
