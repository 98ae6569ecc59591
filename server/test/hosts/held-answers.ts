/** Holds back the answers of a MID's acquirer, so that a test can act while a payment waits for one, however slow the machine is. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { reachAcquirerAt } from '../crash.ts'
import type { Shop } from '../shop.ts'
import { portOf } from './port-of.ts'

interface HeldAnswers extends AsyncDisposable {
  /** Settles when the acquirer has executed the first request. */
  readonly reached: Promise<void>
  /** Lets the held answers go, and later ones pass at once. */
  release(): void
}

export async function holdAnswers(shop: Shop, mid: string): Promise<HeldAnswers> {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const reply = await forward(shop.sandbox.url, request)
    const body = Buffer.from(await reply.arrayBuffer())
    reached.resolve()
    await released.promise
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const port = portOf(server)
  await reachAcquirerAt(shop, `http://127.0.0.1:${port}`, mid)
  return {
    reached: reached.promise,
    release: () => released.resolve(),
    [Symbol.asyncDispose]: async () => {
      released.resolve()
      await reachAcquirerAt(shop, shop.sandbox.url, mid)
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The connection is ours; all else is passed on. */
const ownHeaders = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding']

async function forward(origin: string, request: IncomingMessage): Promise<Response> {
  const { method = 'GET', url = '/', headers } = request
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    ownHeaders.includes(name) || value === undefined ? [] : [[name, String(value)]],
  )
  const body = await buffer(request)
  return fetch(`${origin}${url}`, {
    method,
    headers: passed,
    ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
  })
}
