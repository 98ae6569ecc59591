/** A connection between the gateway and the database or the acquirer that can be cut: everything on it breaks at once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { portOf } from '../../server/test/hosts/port-of.ts'
import type { Barrier } from './stage.ts'

export class Line {
  readonly #sockets = new Set<Socket>()
  #isCut = false
  #cuts = 0

  get cuts(): number {
    return this.#cuts
  }

  /** For a server that is reached over TCP. */
  readonly toHttp: Barrier = async (url) => {
    const { hostname, port } = new URL(url)
    const server = this.#serverTo({ host: hostname, port: Number(port) })
    await startListening(server, { port: 0, host: '127.0.0.1' })
    return { url: `http://127.0.0.1:${portOf(server)}`, close: () => this.#close(server) }
  }

  /** For PostgreSQL, which is reached over a socket in the folder that its address names. */
  readonly toDatabase: Barrier = async (url) => {
    const target = new URL(url.replace('@/', '@localhost/'))
    const socket = '.s.PGSQL.5432'
    const server = this.#serverTo({ path: join(target.searchParams.get('host') ?? '', socket) })
    const folder = mkdtempSync(join(tmpdir(), 'line-'))
    await startListening(server, { path: join(folder, socket) })
    const close = async (): Promise<void> => {
      await this.#close(server)
      rmSync(folder, { recursive: true, force: true })
    }
    const [before = ''] = url.split('?')
    return { url: `${before}?host=${encodeURIComponent(folder)}`, close }
  }

  /** Breaks every connection, and new ones for this time. */
  async cut(milliseconds: number): Promise<void> {
    this.#cuts += 1
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
    await sleep(milliseconds)
    this.#isCut = false
  }

  #serverTo(target: NetConnectOpts): Server {
    return createServer({ allowHalfOpen: true }, (caller) => {
      if (this.#isCut) {
        caller.destroy()
        return
      }
      const called = connect({ ...target, allowHalfOpen: true })
      for (const socket of [caller, called]) {
        this.#sockets.add(socket)
        socket.once('close', () => this.#sockets.delete(socket))
      }
      caller.on('error', () => called.destroy())
      called.on('error', () => caller.destroy())
      caller.pipe(called)
      called.pipe(caller)
    })
  }

  async #close(server: Server): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}

function startListening(server: Server, where: { port: number; host: string } | { path: string }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(where, () => resolve())
  return promise
}
