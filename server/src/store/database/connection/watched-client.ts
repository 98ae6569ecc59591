/**
 * Closes connections on which the server has fallen silent.
 *
 * A server that lost its power, or whose address has moved, does not even say that it is gone. TCP repeats a statement that is not acknowledged
 * for a quarter of an hour, and Node can set neither that time nor the number of keep-alive probes. But each statement has a time limit on the
 * server: one that has sent no byte for longer has vanished. Its connection is closed, and the statements on it fail as on any lost connection,
 * because they may have been committed. See decisions/high-availability#silent-servers.
 *
 * The limit is read from the statements that set it, so that no code can lift the server's and forget this one. Without a limit (imports,
 * migrations, removal of months) a long statement is left to TCP's keep-alive.
 */
import { Socket } from 'node:net'
import type { ClientConfig, Pool } from 'pg'
import { QueuedClient } from './openings.ts'

const tickMs = 1_000
/** What an answer may take on top of the server's limit. */
const marginMs = 5_000
/** Until a session has set its own. */
const firstLimitMs = 30_000

/** Those with a statement on its way. */
const waiting = new Set<WatchedClient>()
let ticking: NodeJS.Timeout | undefined
/** Counted while a statement is on its way. */
let tick = 0

export class WatchedClient extends QueuedClient {
  readonly #socket: Socket
  #limitMs: number | null = firstLimitMs
  /** A limit that was lifted for the rest of the transaction. */
  #isLifted = false
  #heard = 0
  #silentTicks = 0
  #answeredIn = 0

  constructor(config?: ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
    this.on('drain', () => this.#answered())
    this.once('end', () => waiting.delete(this))
  }

  /** In all forms of the driver; its type is that of `Client`. */
  override query(...words: readonly [never]): never {
    this.#note(textOf(words[0]))
    return super.query(...words)
  }

  /**
   * Closes it if it is idle: another connection to the same server got no answer. By its limit the server should have answered there before the
   * margin began; only what has answered since then shows that it lives.
   */
  closeIfIdle(): void {
    if (waiting.has(this) || tick - this.#answeredIn <= marginMs / tickMs) return
    this.#socket.destroy(new Error('Another connection to the database server has fallen silent.'))
  }

  /**
   * Time is counted in ticks of this process: between two of them it reads what has arrived, so that one that was paused does not take its own
   * pause for the server's.
   */
  tick(): void {
    const { bytesRead } = this.#socket
    this.#silentTicks = bytesRead === this.#heard ? this.#silentTicks + 1 : 0
    this.#heard = bytesRead
    if (this.#limitMs === null || this.#isLifted) return
    const limitMs = this.#limitMs + marginMs
    if (this.#silentTicks * tickMs < limitMs) return
    waiting.delete(this)
    this.#socket.destroy(new ServerSilent(limitMs))
  }

  #note(text: string): void {
    if (text.includes('statement_timeout')) {
      for (const { groups } of text.matchAll(limitSetting))
        this.#set(groups?.['local'] !== undefined, millisecondsOf(groups))
    }
    if (waiting.has(this) || this.#socket.destroyed) return
    this.#heard = this.#socket.bytesRead
    this.#silentTicks = 0
    waiting.add(this)
    ticking ??= setInterval(countSecond, tickMs).unref()
  }

  #set(isLocal: boolean, limitMs: number): void {
    // A shorter limit for one transaction is the server's concern.
    if (isLocal) this.#isLifted ||= limitMs === 0
    else this.#limitMs = limitMs === 0 ? null : limitMs
  }

  #answered(): void {
    waiting.delete(this)
    this.#answeredIn = tick
    if (this.getTransactionStatus() === 'I') this.#isLifted = false
  }
}

/** Once a server has left a statement of the pool unanswered, no other statement is sent to it on an idle connection. */
export function closeTogether(pool: Pool, log?: (line: string) => void): void {
  const clients = new Set<WatchedClient>()
  pool.on('connect', (client) => {
    if (!(client instanceof WatchedClient)) return
    clients.add(client)
    client.on('error', (error) => {
      if (!(error instanceof ServerSilent)) return
      log?.(error.message)
      for (const other of clients) other.closeIfIdle()
    })
  })
  pool.on('remove', (client) => {
    if (client instanceof WatchedClient) clients.delete(client)
  })
}

class ServerSilent extends Error {
  override readonly name = 'ServerSilent'

  constructor(limitMs: number) {
    super(`The database server has been silent for ${Math.round(limitMs / 1000)} s. The connection to it was closed.`)
  }
}

/** Tests count faster than the clock. */
export function countSecond(): void {
  tick += 1
  for (const client of waiting) client.tick()
  if (waiting.size > 0) return
  clearInterval(ticking)
  ticking = undefined
}

const limitSetting = /\bset (?<local>local )?statement_timeout = '?(?<size>\d+)(?<unit>[a-z]*)/gi

const unitMs: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }

const millisecondsOf = (groups: Readonly<Record<string, string | undefined>> | undefined): number =>
  Number(groups?.['size'] ?? 0) * (unitMs[groups?.['unit'] ?? ''] ?? 1)

/** The driver takes a text, or an object with one. */
function textOf(statement: unknown): string {
  const { text } = typeof statement === 'string' ? { text: statement } : (statement as { readonly text?: unknown })
  return typeof text === 'string' ? text : ''
}
