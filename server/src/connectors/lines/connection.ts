/**
 * One connection to a host, with any number of requests in progress on it.
 *
 * A reply belongs to the request with the same exchange key, in whatever order replies come. A reply without a request is dropped: its
 * request has been given up, and is resolved by its reversal. Bytes that are no messages end the connection, since nothing after them can be
 * read.
 */
import type { Socket } from 'node:net'
import { WireFault } from '../wire-fault.ts'
import { FrameReader, frame } from './framing.ts'
import type { LineProtocol } from './protocol.ts'

interface Pending {
  readonly resolve: (reply: Buffer) => void
  readonly reject: (fault: WireFault) => void
  readonly timer: NodeJS.Timeout
}

export class Connection {
  readonly #socket: Socket
  readonly #protocol: LineProtocol
  readonly #reader: FrameReader
  readonly #pending = new Map<string, Pending>()
  #endReason: string | null = null

  constructor(socket: Socket, protocol: LineProtocol, onEnd: (connection: Connection) => void) {
    this.#socket = socket
    this.#protocol = protocol
    this.#reader = new FrameReader(protocol.framing)
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', (error) => this.end(`The line broke: ${error.message || error.name}`))
    socket.on('end', () => this.end('The host closed the line.'))
    socket.on('close', () => {
      this.end('The line was closed.')
      onEnd(this)
    })
  }

  get isOpen(): boolean {
    return this.#endReason === null && this.#socket.writable
  }

  /** Rejects with `WireFault` and nothing else. Before the write no byte has left; after it any number may have. */
  ask(message: Buffer, timeoutMs: number): Promise<Buffer> {
    const key = this.#protocol.exchangeKey(message)
    if (key === null) return refuse('The connector could not write the request.', true)
    if (!this.isOpen) return refuse(this.#endReason ?? 'The line is down.')
    if (this.#pending.has(key)) return refuse('The same request is in progress on the line.')
    const bytes = tryFrame(this.#protocol, message)
    if (!bytes) return refuse('The connector could not write the request.', true)
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#pending.delete(key)
        reject(new WireFault(`No answer within ${Math.round(timeoutMs)} ms.`, { sent: true }))
      }
      this.#pending.set(key, { resolve, reject, timer: setTimeout(giveUp, timeoutMs) })
      this.#write(bytes)
    })
  }

  /** Messages of one turn of the event loop leave together: each write of its own costs the process as much as writing the message does. */
  #write(bytes: Buffer): void {
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      process.nextTick(() => this.#socket.uncork())
    }
    this.#socket.write(bytes)
  }

  /** Every request in progress may have been executed. */
  end(reason: string): void {
    if (this.#endReason !== null) return
    this.#endReason = reason
    this.#socket.destroy()
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer)
      reject(new WireFault(reason, { sent: true }))
    }
    this.#pending.clear()
  }

  #read(chunk: Buffer): void {
    try {
      for (const message of this.#reader.push(chunk)) this.#take(message)
    } catch (error) {
      this.end(`The host sent an invalid message: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  #take(message: Buffer): void {
    if (message.length === 0) return
    const key = this.#protocol.exchangeKey(message)
    const pending = key === null ? undefined : this.#pending.get(key)
    // The host's own request may have the number of one of ours.
    const reply = this.#protocol.replyTo(message)
    if (reply) {
      if (this.isOpen) this.#write(frame(this.#protocol.framing, reply))
      return
    }
    if (key === null || !pending) return
    this.#pending.delete(key)
    clearTimeout(pending.timer)
    pending.resolve(message)
  }
}

/** Null if the message is too long for its frame. */
function tryFrame({ framing }: LineProtocol, message: Buffer): Buffer | null {
  try {
    return frame(framing, message)
  } catch {
    return null
  }
}

const refuse = (reason: string, isBug = false): Promise<never> =>
  Promise.reject(new WireFault(reason, { sent: false, isBug }))
