/** A collector of traces that counts spans and keeps none. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { portOf } from '../../server/test/hosts/port-of.ts'

export class CountingCollector implements AsyncDisposable {
  /** Received so far. */
  spans = 0
  url = ''
  readonly #server = createServer({ keepAliveTimeout: 75_000 }, async (request, response) => {
    // Parsing them would take processor time from what is measured.
    this.spans += (await text(request)).split('"spanId"').length - 1
    response.end('{}')
  })

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${portOf(this.#server)}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
