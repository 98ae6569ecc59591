/** An HTTP server that stands in for any acquirer in tests: it remembers what it was sent and answers as it was told. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'

export interface FakeReply {
  readonly status: number
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly text?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Behaviour = (sent: Sent, response: ServerResponse) => void

export class FakeAcquirer {
  readonly #server = createServer((request, response) => this.#take(request, response))
  #behaviour: Behaviour = (_sent, response) => response.writeHead(500).end()
  #sent: Sent[] = []
  #connections = 0

  async listen(): Promise<void> {
    this.#server.on('connection', () => this.#connections++)
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port.')
    return `http://127.0.0.1:${address.port}`
  }

  get connections(): number {
    return this.#connections
  }

  /** Requests since it was last told how to behave. */
  get requests(): number {
    return this.#sent.length
  }

  last(): Sent {
    const sent = this.#sent.at(-1)
    if (!sent) throw new Error('Nothing was sent.')
    return sent
  }

  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour
    this.#sent = []
  }

  answer({ status, body, text, type = 'text/html', headers = {} }: FakeReply): void {
    this.behave((_sent, response) => {
      const json = body !== undefined
      response.writeHead(status, { 'content-type': json ? 'application/json' : type, ...headers })
      response.end(json ? JSON.stringify(body) : text)
    })
  }

  /** Answers with what it was sent, in a field of its own. */
  echo(): void {
    this.behave(({ path, body }, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ error: `${path}: cannot take ${body}`, seen: body === '' ? null : JSON.parse(body) }),
      )
    })
  }

  /** Takes the request, then says nothing or closes the connection. */
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
      const { method = '', url = '', headers } = request
      const sent = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') }
      this.#sent.push(sent)
      this.#behaviour(sent, response)
    })
  }
}
