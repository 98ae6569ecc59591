/**
 * A connection between gateway processes and their database that can be cut: every connection breaks, and for a while new ones are refused.
 * Or it falls silent, as when the server loses its power or its address moves: connections stay open, and nothing passes on them any more.
 */
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { portOf } from './port-of.ts'

interface State {
  readonly open: Set<Socket>
  isCut: boolean
}

export class DatabaseLine {
  readonly url: string
  readonly #server: Server
  readonly #state: State

  private constructor(url: string, server: Server, state: State) {
    this.url = url
    this.#server = server
    this.#state = state
  }

  static async open(databaseUrl: string): Promise<DatabaseLine> {
    // The driver parses the address itself, which may name a folder of sockets.
    const { host, port, user = '', password = '', database = '' } = new Client({ connectionString: databaseUrl })
    const state: State = { open: new Set(), isCut: false }
    const { open } = state
    const server = createServer((near) => {
      if (state.isCut) {
        near.destroy()
        return
      }
      const far = connectTo(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(one)
        one.on('error', () => undefined)
        one.on('close', () => {
          open.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@127.0.0.1:${portOf(server)}/${database}`
    return new DatabaseLine(url, server, state)
  }

  async cut(milliseconds: number): Promise<void> {
    this.#state.isCut = true
    for (const socket of this.#state.open) socket.destroy()
    await sleep(milliseconds)
    this.#state.isCut = false
  }

  /** What is open falls silent for both ends. New connections lead to the database as before. */
  fallSilent(): void {
    for (const socket of this.#state.open) {
      socket.unpipe()
      socket.resume()
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#state.open) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
