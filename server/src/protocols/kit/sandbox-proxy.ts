/**
 * The way from this service's own address to the sandbox, which is another program. Only in sandbox mode.
 *
 * The proxy is strict, because what it lets through runs in our origin: it takes plain paths only, so that nobody can leave the part
 * of the sandbox that he was let into; it carries no cookie in either direction; of the answer it passes on the listed headers only;
 * and a page that brings no rules of its own may load and run nothing.
 */
import type { Readable } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Agent, request as exchange } from 'undici'

export interface SandboxProxy {
  /** Answers the request with what the sandbox answers at the path, query included. */
  forward(request: FastifyRequest, reply: FastifyReply, path: string, body?: Buffer): Promise<FastifyReply>
  /** The same for an answer that never ends by itself: it is passed on piece by piece until either side goes. */
  stream(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply>
  /** What the sandbox answers to JSON, for whoever adds to it; null when it does not answer. */
  ask(request: FastifyRequest, path: string, body: unknown): Promise<SandboxAnswer | null>
}

interface SandboxAnswer {
  readonly status: number
  readonly body: unknown
}

/** Prepares the plugin to forward whatever it is sent. `url` is asked every time, since the sandbox may be started anew elsewhere. */
export function sandboxProxy(app: FastifyInstance, url: () => string): SandboxProxy {
  const agent = new Agent({ connections: 32, connect: { timeout: 2_000 }, allowH2: false })
  const streams = new Set<Readable>()
  // Before the server waits for its connections to end, which a stream does not.
  app.addHook('preClose', async () => {
    for (const open of streams) open.destroy()
  })
  app.addHook('onClose', () => agent.destroy())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: longestBodyBytes }, (_, body, done) => done(null, body))
  app.setErrorHandler(refuse)

  const send = (request: FastifyRequest, path: string, body: Buffer | null, signal: AbortSignal) =>
    exchange(new URL(path, url()), {
      method: request.method === 'POST' ? 'POST' : 'GET',
      headers: pickHeaders(request.headers, requestHeaders),
      body,
      signal,
      bodyTimeout: 0,
      dispatcher: agent,
    })

  return {
    forward: async (request, reply, path, body) => {
      const page = await askSandbox(request, async () => {
        const sent = body ?? (Buffer.isBuffer(request.body) ? request.body : null)
        const answer = await send(request, path, sent, AbortSignal.timeout(waitMs))
        return { ...answer, whole: await wholeBody(answer.body) }
      })
      if (!page) return sayAway(reply)
      return reply.code(page.statusCode).headers(passedOn(page.headers)).send(page.whole)
    },
    stream: async (request, reply, path) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const answer = await askSandbox(request, () => send(request, path, null, gone.signal))
      if (!answer) return sayAway(reply)
      const { body } = answer
      streams.add(body)
      body.once('close', () => streams.delete(body))
      return reply.code(answer.statusCode).headers(passedOn(answer.headers)).send(body)
    },
    ask: async (request, path, body) =>
      askSandbox(request, async () => {
        const sent = Buffer.from(JSON.stringify(body))
        const answer = await send(request, path, sent, AbortSignal.timeout(waitMs))
        const whole: unknown = JSON.parse((await wholeBody(answer.body)).toString('utf8'))
        return { status: answer.statusCode, body: whole }
      }),
  }
}

interface PlainPath {
  readonly segments: readonly string[]
  /** With its question mark; empty without one. */
  readonly query: string
}

/** Null for a path that another reader might take for one elsewhere. */
export function plainPath(url: string): PlainPath | null {
  const [path = '', query] = url.split('?', 2)
  const segments = path.replace(/\/$/, '').split('/').slice(1)
  const plain = segments.every((segment) => /^[\w~.-]+$/.test(segment) && !/^\.+$/.test(segment))
  return plain ? { segments, query: query === undefined ? '' : `?${query}` } : null
}

export const notFound = (reply: FastifyReply): FastifyReply => say(reply, 404, 'There is no such page.')

const longestBodyBytes = 65_536
const longestPageBytes = 1_048_576
/** For the whole exchange: a page that is not there by then is of no use to a payer. */
const waitMs = 10_000

async function askSandbox<T>(request: FastifyRequest, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    request.log.warn({ err: error }, 'The sandbox did not answer.')
    return null
  }
}

const sayAway = (reply: FastifyReply): FastifyReply => say(reply, 502, 'The sandbox does not answer. Please try again.')

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

type Headers = Readonly<Record<string, string | string[] | undefined>>

const passedOn = (headers: Headers): Record<string, string> => ({ ...standing, ...pickHeaders(headers, replyHeaders) })

function pickHeaders(headers: Headers, names: readonly string[]): Record<string, string> {
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
