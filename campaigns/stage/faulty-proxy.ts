/**
 * A proxy between the gateway and the acquirer that corrupts answers as real ones do: cut in half, repeated on a reused connection, given
 * to another request, or delayed together with the request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { portOf } from '../../server/test/hosts/port-of.ts'
import type { Barrier } from './stage.ts'

/** `hold` delays the request before the acquirer gets it; the others corrupt the answer to an executed request. */
export type ProxyFault = 'none' | 'half' | 'repeated' | 'swapped' | 'hold'

interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
}

export class FaultyProxy {
  fault: ProxyFault = 'none'
  holdMs = 0
  #corruptedCount = 0
  #target = ''
  /** The last answer on a connection. */
  readonly #former = new WeakMap<Socket, Answer>()
  /** An answer that waits for another one to be exchanged with. */
  #waiting: { readonly answer: Answer; readonly give: (answer: Answer) => void } | null = null

  get corruptedCount(): number {
    return this.#corruptedCount
  }

  readonly barrier: Barrier = async (url) => {
    this.#target = url
    const server = createServer((incoming, response) => {
      this.#pass(incoming, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { url: addressOf(server), close: () => closeServer(server) }
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const isCommand = incoming.method === 'POST'
    if (isCommand && this.fault === 'hold') {
      this.#corruptedCount += 1
      await sleep(this.holdMs)
    }
    const answer = await this.#ask(incoming, body)
    if (isCommand && answer.status === 200) await this.#corrupt(answer, response)
    else end(response, answer)
  }

  async #ask({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    const { 'content-type': type, 'idempotency-key': key } = headers
    const reply = await request(this.#target + url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...(type ? { 'content-type': type } : {}), ...(key ? { 'idempotency-key': String(key) } : {}) },
      ...(body.length > 0 ? { body } : {}),
    })
    const contentType = String(reply.headers['content-type'] ?? '')
    return { status: reply.statusCode, contentType, body: Buffer.from(await reply.body.arrayBuffer()) }
  }

  async #corrupt(answer: Answer, response: ServerResponse): Promise<void> {
    switch (this.fault) {
      case 'none':
      case 'hold':
        end(response, answer)
        return
      case 'half':
        this.#corruptedCount += 1
        response.writeHead(200, { 'content-type': answer.contentType, 'content-length': answer.body.length })
        response.write(answer.body.subarray(0, answer.body.length / 2), () => response.destroy())
        return
      case 'repeated':
        this.#repeat(answer, response)
        return
      case 'swapped':
        end(response, await this.#exchange(answer))
    }
  }

  /** The second request on a connection gets the answer to the first. */
  #repeat(answer: Answer, response: ServerResponse): void {
    const { socket } = response
    const former = socket ? this.#former.get(socket) : undefined
    if (socket) this.#former.set(socket, answer)
    if (former) this.#corruptedCount += 1
    end(response, former ?? answer)
  }

  /** Two concurrent requests get each other's answer. A single one keeps its own. */
  async #exchange(answer: Answer): Promise<Answer> {
    const other = this.#waiting
    if (other) {
      this.#waiting = null
      this.#corruptedCount += 2
      other.give(answer)
      return other.answer
    }
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const own = { answer, give: resolve }
    this.#waiting = own
    setTimeout(() => {
      if (this.#waiting !== own) return
      this.#waiting = null
      resolve(answer)
    }, exchangeWithinMs)
    return promise
  }
}

const exchangeWithinMs = 1_000

function end(response: ServerResponse, { status, contentType, body }: Answer): void {
  response.writeHead(status, { 'content-type': contentType }).end(body)
}

function addressOf(server: Server): string {
  const port = portOf(server)
  return `http://127.0.0.1:${port}`
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
