/**
 * A thousand merchants' endpoints in one server: each is a loopback address of its own, so that to the gateway they are different hosts. Every
 * tenth accepts the request and never answers.
 */
import { createServer, type Server } from 'node:http'
import { portOf } from '../../server/test/hosts/port-of.ts'

const ofHanging = 10

export const isHanging = (index: number): boolean => index % ofHanging === 0

/** The host of an endpoint: 127.1.0.0 and the following. */
const hostOf = (index: number): string => `127.1.${Math.floor(index / 256)}.${index % 256}`

export class AddressReceiver {
  /** When the callback of an order first arrived, in milliseconds since 1970; those of hanging endpoints included. */
  readonly arrivals = new Map<string, number>()
  readonly #server: Server
  #port = 0

  constructor(count: number) {
    const hanging = new Set(
      Array.from({ length: count }, (_, index) => index)
        .filter(isHanging)
        .map(hostOf),
    )
    this.#server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
      const at = performance.timeOrigin + performance.now()
      let body = ''
      request.setEncoding('latin1').on('data', (chunk: string) => {
        body += chunk
      })
      request.once('end', () => {
        const order = orderIn(body)
        if (!this.arrivals.has(order)) this.arrivals.set(order, at)
        const host = request.headers.host?.split(':')[0] ?? ''
        if (!hanging.has(host)) response.end('OK')
      })
    })
  }

  urlOf(index: number): string {
    return `http://${hostOf(index)}:${this.#port}/notify`
  }

  async open(): Promise<void> {
    // All of 127.0.0.0/8 arrives here.
    await new Promise<void>((resolve) => this.#server.listen(0, '0.0.0.0', resolve))
    this.#port = portOf(this.#server)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export const orderIn = (body: string): string => /(?:^|&)order_id=([^&]*)/.exec(body)?.[1] ?? ''
