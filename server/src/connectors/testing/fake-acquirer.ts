/** An HTTP server that replaces any acquirer in tests: it records requests and answers as the test specifies. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { parseJson } from '#domain/json.ts'

export interface FakeReply {
  readonly status: number
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly text?: string | undefined
  readonly type?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

function write(response: ServerResponse, { status, body, text, type = 'text/html', headers = {} }: FakeReply): void {
  const json = body !== undefined
  response.writeHead(status, { 'content-type': json ? 'application/json' : type, ...headers })
  response.end(json ? JSON.stringify(body) : text)
}

type Behaviour = (sent: Sent, response: ServerResponse) => void

export class FakeAcquirer {
  readonly #server = createServer((request, response) => this.#take(request, response))
  #behaviour: Behaviour = (_sent, response) => response.writeHead(500).end()
  #sent: Sent[] = []
  #connections = 0
  /** The latest at each port of the sender. */
  readonly #clients = new Map<number, Socket>()
  #abandoned: ReadonlySet<Socket | undefined> = new Set()
  #tokens: { readonly path: string; readonly reply: FakeReply } | undefined

  async listen(): Promise<void> {
    this.#server.on('connection', () => this.#connections++)
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get #port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port.')
    return address.port
  }

  /** Routes every connection here, whatever address the credentials have, so that no test request leaves this machine. */
  readonly connect: buildConnector.connector = (_address, done) => {
    const client = connectTo(this.#port, done)
    client.once('connect', () => this.#clients.set(client.localPort ?? 0, client))
  }

  get connections(): number {
    return this.#connections
  }

  /** Requests since the behaviour was last set. */
  get requests(): number {
    return this.#sent.length
  }

  get sent(): readonly Sent[] {
    return this.#sent
  }

  last(): Sent {
    const sent = this.#sent.at(-1)
    if (!sent) throw new Error('The connector sent no request.')
    return sent
  }

  /** On a busy machine a request may arrive after its sender gave it up: it belongs to what was tested before, and does not count. */
  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour
    this.#sent = []
    this.#abandoned = new Set([...this.#clients.values()].filter(({ destroyed }) => destroyed))
  }

  answer(reply: FakeReply): void {
    this.behave((_sent, response) => write(response, reply))
  }

  /** One after the other; the last one to every further request. */
  answerInTurn(replies: readonly FakeReply[]): void {
    let next = 0
    this.behave((_sent, response) => {
      const reply = replies[Math.min(next, replies.length - 1)]
      next += 1
      write(response, reply ?? { status: 500 })
    })
  }

  /** Requests to this path always get this reply, and are not counted. */
  issueTokens(path: string, reply: FakeReply): void {
    this.#tokens = { path, reply }
  }

  /** Answers with the request itself, in a separate field. */
  echo(): void {
    this.behave(({ path, body }, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: `${path}: cannot take ${body}`, seen: parseJson(body) }))
    })
  }

  /** Accepts the request, then does not answer or closes the connection. */
  trouble(kind: 'silent' | 'hang-up'): void {
    this.behave((_sent, response) => {
      if (kind === 'hang-up') response.socket?.destroy()
    })
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const { method = '', url = '', headers, socket } = request
      if (this.#abandoned.has(this.#clients.get(socket.remotePort ?? 0))) return
      if (url === this.#tokens?.path) return write(response, this.#tokens.reply)
      const bytes = Buffer.concat(chunks)
      const sent = { method, path: url, headers, body: bytes.toString('utf8'), bytes }
      this.#sent.push(sent)
      this.#behaviour(sent, response)
    })
  }
}

/** Nothing listens on port 1: a connection to it is refused. */
export const refusedConnection: buildConnector.connector = (_address, done) => {
  connectTo(1, done)
}

function connectTo(port: number, done: buildConnector.Callback): Socket {
  const socket = connect(port, '127.0.0.1')
  const fail = (error: Error): void => done(error, null)
  socket.once('error', fail)
  socket.once('connect', () => {
    socket.off('error', fail)
    done(null, socket)
  })
  return socket
}
