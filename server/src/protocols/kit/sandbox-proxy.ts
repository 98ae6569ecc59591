/**
 * Forwards requests from this service's own address to the sandbox, which is a separate program. Only in sandbox mode.
 *
 * The proxy is strict, because forwarded pages run in our origin. It accepts plain paths only, so that a caller cannot leave the permitted
 * part of the sandbox; it forwards no cookies in either direction; it passes on only the listed headers of the answer; and a page without
 * its own Content Security Policy may load and run nothing.
 */
import type { Readable } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Agent } from 'undici'

export interface SandboxProxy {
  /** Answers the request with the sandbox's answer at the path, query included. */
  forward(request: FastifyRequest, reply: FastifyReply, path: string, body?: Buffer): Promise<FastifyReply>
  /** The same for an endless answer, which is streamed until the caller or the sandbox disconnects. */
  stream(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply>
  /** Posts JSON to the sandbox and returns its answer, for callers that extend it; null if the sandbox does not answer. */
  ask(request: FastifyRequest, path: string, body: unknown): Promise<SandboxAnswer | null>
}

interface SandboxAnswer {
  readonly status: number
  readonly body: unknown
}

/**
 * Lets the plugin accept bodies of every type. `url` is called for every request, because the sandbox may be restarted at another address.
 */
export function sandboxProxy(app: FastifyInstance, url: () => string): SandboxProxy {
  const agent = new Agent({ connections: 32, connect: { timeout: 2_000 }, allowH2: false })
  const streams = new Set<Readable>()
  // Streams never end by themselves, so they are closed before the server waits for its connections.
  app.addHook('preClose', async () => {
    for (const open of streams) open.destroy()
  })
  app.addHook('onClose', () => agent.destroy())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: longestBodyBytes }, (_, body, done) => done(null, body))
  app.setErrorHandler(refuse)

  const send = (request: FastifyRequest, path: string, body: Buffer | null, signal: AbortSignal) => {
    const { origin, pathname, search } = new URL(path, url())
    return agent.request({
      origin,
      path: pathname + search,
      method: request.method === 'POST' ? 'POST' : 'GET',
      headers: pickHeaders(request.headers, requestHeaders),
      body,
      signal,
      bodyTimeout: 0,
    })
  }

  return {
    forward: async (request, reply, path, body) => {
      const page = await askSandbox(request, async () => {
        const sent = body ?? (Buffer.isBuffer(request.body) ? request.body : null)
        const answer = await send(request, path, sent, AbortSignal.timeout(waitMs))
        return { ...answer, whole: await readWholeBody(answer.body) }
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
        const whole: unknown = JSON.parse((await readWholeBody(answer.body)).toString('utf8'))
        return { status: answer.statusCode, body: whole }
      }),
  }
}

interface PlainPath {
  readonly segments: readonly string[]
  /** Includes the question mark; empty if there is no query. */
  readonly query: string
}

/** Null for a path that the sandbox might resolve differently. */
export function plainPath(url: string): PlainPath | null {
  const [path = '', query] = url.split('?', 2)
  const segments = path.replace(/\/$/, '').split('/').slice(1)
  const plain = segments.every((segment) => /^[\w~.-]+$/.test(segment) && !/^\.+$/.test(segment))
  return plain ? { segments, query: query === undefined ? '' : `?${query}` } : null
}

export const notFound = (reply: FastifyReply): FastifyReply => say(reply, 404, 'There is no such page.')

const longestBodyBytes = 65_536
const longestPageBytes = 1_048_576
/** The limit for the whole exchange; a payer would not wait longer for a page. */
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

async function readWholeBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
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

/** The headers of an answer without its own; a page without a policy may load nothing. */
const defaultHeaders = {
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

type Headers = Readonly<Record<string, string | string[] | undefined>>

const passedOn = (headers: Headers): Record<string, string> => ({
  ...defaultHeaders,
  ...pickHeaders(headers, replyHeaders),
})

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
  reply.code(status).headers(defaultHeaders).type('text/plain; charset=utf-8').send(text)
