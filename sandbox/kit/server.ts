/** The HTTP server of the sandbox. Plain `node:http` for speed, since every payment of a load test passes through it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EventSource, failure, type Reply } from './reply.ts'
import { createRouter, type Router, type Routes } from './routes.ts'

/** `onFault` is called for errors after which the sandbox cannot continue, such as a full disk. */
export function createSandboxServer(tables: readonly Routes[], onFault: (fault: unknown) => void): Server {
  const router = createRouter(tables)
  return createServer(
    {
      // Longer than clients keep idle connections, so that the client closes first and no request meets a closing connection.
      keepAliveTimeout: 75_000,
      requestTimeout: 30_000,
    },
    (request, response) => {
      handle(router, request, response).catch((fault: unknown) => {
        send(response, failure(500, 'internal_error', 'The sandbox failed.'))
        onFault(fault)
      })
    },
  )
}

async function handle(router: Router, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '/', query = ''] = (request.url ?? '/').split('?')
  const route = router(request.method ?? 'GET', path)
  if (!route) return send(response, failure(404, 'route_not_found', 'Not found.'))

  const bytes = await readBody(request, route.mostBytes)
  if (bytes === undefined) return send(response, failure(413, 'too_large', 'The body is too large.'))
  const body = readContent(request, bytes)
  if (body === undefined) return send(response, failure(400, 'invalid_request', 'The body is not JSON.'))

  const key = request.headers['idempotency-key']
  const reply = await route.run({
    parameters: route.parameters,
    query: new URLSearchParams(query),
    key: typeof key === 'string' ? key : undefined,
    languages: request.headers['accept-language'],
    host: request.headers.host,
    headers: headersOf(request),
    bytes,
    body,
  })
  // The delay must not keep the process from ending.
  if (reply.delayMs) await sleep(reply.delayMs, undefined, { ref: false })
  if (reply.drop) {
    response.socket?.destroy()
    return
  }
  if (reply.events) stream(response, reply.events)
  else send(response, reply)
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const single = Object.entries(headers).map(([name, value = '']) => [name, Array.isArray(value) ? value[0] : value])
  return Object.fromEntries(single)
}

const HEARTBEAT_MS = 15_000

/** Server-sent events. An empty comment from time to time keeps proxies from closing an idle connection. */
function stream(response: ServerResponse, events: EventSource): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
  const stop = events((data) => response.write(`data: ${JSON.stringify(data)}\n\n`))
  const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS)
  response.once('close', () => {
    clearInterval(heartbeat)
    stop()
  })
}

/** Undefined if the body is too large. Never resolves if the client disconnects, because then no answer is needed. */
function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= mostBytes) chunks.push(chunk)
    })
    request.on('end', () => resolve(size > mostBytes ? undefined : Buffer.concat(chunks)))
    request.on('error', () => undefined)
  })
}

/** Browsers send forms; files are read from the bytes by the few routes that take them; all other clients are assumed to send JSON, whatever type they declare. */
function readContent({ headers }: IncomingMessage, bytes: Buffer): unknown {
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))
  return type.startsWith('multipart/form-data') ? null : readJson(bytes)
}

/** Null for an empty body, undefined for one that is not JSON. */
function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return null
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  if (response.headersSent || response.destroyed) return
  if (body === undefined) {
    response.writeHead(status, { 'content-length': 0, ...headers })
    response.end()
    return
  }
  const html = typeof body === 'string'
  const text = html ? body : JSON.stringify(body)
  response.writeHead(status, {
    'content-type': html ? 'text/html; charset=utf-8' : 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(html && { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" }),
    ...headers,
  })
  response.end(text)
}
