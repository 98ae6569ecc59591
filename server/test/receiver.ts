/** A merchant's endpoint for callbacks: records requests byte for byte, and answers as the test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { portOf } from './hosts/port-of.ts'

export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  /** The form's fields with their bracket names, or the JSON's members. */
  // biome-ignore lint/suspicious/noExplicitAny: decisions/tests#untyped-answers.
  readonly fields: Readonly<Record<string, any>>
}

export interface Receiver {
  readonly url: string
  readonly received: ReceivedRequest[]
  /** The answer to the next requests: a status and body, or silence until the client gives up. */
  answer: (received: ReceivedRequest) => { readonly status: number; readonly body: string } | 'silence'
  stop(): Promise<void>
}

const acknowledge = () => ({ status: 200, body: 'OK' })

export async function startReceiver(): Promise<Receiver> {
  const receiver = { received: [] as ReceivedRequest[], answer: acknowledge as Receiver['answer'] }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks).toString('utf8')
    const isJson = request.headers['content-type']?.includes('json')
    const fields = isJson ? JSON.parse(raw) : Object.fromEntries(new URLSearchParams(raw))
    const received = { path: request.url ?? '', headers: request.headers, raw, fields }
    receiver.received.push(received)
    const answer = receiver.answer(received)
    if (answer === 'silence') return
    response.writeHead(answer.status).end(answer.body)
  })
  // If an idle connection were closed just as it is reused, the callback would be retried a minute later.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/notify`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
