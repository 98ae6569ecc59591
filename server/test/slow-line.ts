/**
 * A connection to the sandbox acquirer on which requests get stuck: the client loses its connection at once, and the request arrives only
 * when the test releases it. Status queries pass without delay, so meanwhile the acquirer does not know the request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { portOf } from './hosts/port-of.ts'

interface SlowLine extends AsyncDisposable {
  readonly url: string
  /** The number of stuck requests. */
  readonly stuck: number
  /** Lets every stuck request arrive; returns their number. */
  release(): Promise<number>
}

type Headers = Readonly<Record<string, string>>

export async function openSlowLine(acquirerUrl: string): Promise<SlowLine> {
  const stuck: { readonly path: string; readonly headers: Headers; readonly body: string }[] = []
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const body = await textOf(request)
    if (request.method === 'POST') {
      stuck.push({ path, headers: sentHeaders(request), body })
      request.socket.destroy()
      return
    }
    const reply = await fetch(acquirerUrl + path)
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'application/json' })
    response.end(await reply.text())
  }

  return {
    url: `http://127.0.0.1:${port}`,
    get stuck() {
      return stuck.length
    },
    release: async () => {
      const released = stuck.splice(0)
      for (const { path, headers, body } of released) await fetch(acquirerUrl + path, { method: 'POST', headers, body })
      return released.length
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

function sentHeaders({ headers }: IncomingMessage): Headers {
  const key = headers['idempotency-key']
  return { 'content-type': 'application/json', ...(typeof key === 'string' ? { 'idempotency-key': key } : {}) }
}
