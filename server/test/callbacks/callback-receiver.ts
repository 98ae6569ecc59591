/** A merchant's endpoint: a real HTTP server on the loopback address that records requests and answers as configured. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Answer = (response: ServerResponse, received: ReceivedRequest) => void

export interface CallbackReceiver {
  readonly port: number
  readonly received: ReceivedRequest[]
  url(path?: string): string
  /** Sets the answer to the next requests; initially `OK`. */
  answerWith(answer: Answer): void
  close(): Promise<void>
}

export const answers = {
  ok: reply(200, 'OK'),
  error: reply(200, 'ERROR'),
  broken: reply(500, 'OK'),
  reset: ((response) => response.socket?.resetAndDestroy()) satisfies Answer,
  hang: (() => undefined) satisfies Answer,
}

export function reply(status: number, body: string | Buffer, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end(body)
}

export async function startReceiver(): Promise<CallbackReceiver> {
  const received: ReceivedRequest[] = []
  let answer: Answer = answers.ok

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const entry = { path: request.url ?? '', headers: request.headers, body }
      received.push(entry)
      answer(response, entry)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    port,
    received,
    url: (path = '/notify') => `http://127.0.0.1:${port}${path}`,
    answerWith: (next) => {
      answer = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
