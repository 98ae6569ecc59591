/** The merchant's endpoint under load: answers OK, and counts distinct callbacks. */
import { createServer, type Server } from 'node:http'
import { portOf } from '../server/test/hosts/port-of.ts'

export class CountingReceiver {
  readonly #seen = new Set<string>()
  readonly #server: Server
  #url = ''

  constructor() {
    this.#server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
      request.resume()
      request.once('end', () => {
        this.#seen.add(String(request.headers['webhook-id']))
        response.end('OK')
      })
    })
  }

  get url(): string {
    return this.#url
  }

  get count(): number {
    return this.#seen.size
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const port = portOf(this.#server)
    this.#url = `http://127.0.0.1:${port}/notify`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
