/**
 * A long-lived connection to a host: opened by the first request, signed on, watched by echoes, and opened again when it breaks.
 *
 * Requests wait while the line is being opened. A host that refuses is left alone for a while, longer each time; until then requests fail
 * at once, as not sent, so that the payment goes to another MID. A fault while opening the line means that the request was not sent.
 */

import type { Socket } from 'node:net'
import { growingPauseMs } from '#domain/time.ts'
import { WireFault } from '../wire-fault.ts'
import { Connection } from './connection.ts'
import type { LineProtocol } from './protocol.ts'

export interface LineTiming {
  /** Within which the host answers a sign-on or an echo. */
  readonly signOnWithinMs: number
  /** Between the echoes. */
  readonly echoEveryMs: number
  /** Before the second attempt to open the line; doubled for each further one. */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** Requests that wait or are in progress. */
  readonly maxRequests: number
}

export const usualTiming: LineTiming = {
  signOnWithinMs: 10_000,
  echoEveryMs: 60_000,
  firstPauseMs: 250,
  longestPauseMs: 30_000,
  maxRequests: 1_000,
}

/** The host is there and does not take the line. */
export class SignOnRefusedError extends Error {
  override readonly name = 'SignOnRefusedError'
}

interface LineParts {
  readonly protocol: LineProtocol
  readonly connect: () => Promise<Socket>
  readonly clock: { now(): Date }
  readonly timing: LineTiming
}

interface ExchangeLimits {
  readonly timeoutMs: number
  /** The latest moment to send, by `performance.now()`: a request that has found no line by then is not sent any more. */
  readonly sendBy?: number | undefined
}

export class Line {
  readonly #parts: LineParts
  #connection: Connection | null = null
  #opening: Promise<Connection> | null = null
  #echo: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #failures = 0
  #retryAt = 0
  #requests = 0
  #isClosed = false

  constructor(parts: LineParts) {
    this.#parts = parts
  }

  /** Rejects with `WireFault` and nothing else. */
  async exchange(message: Buffer, { timeoutMs, sendBy = Infinity }: ExchangeLimits): Promise<Buffer> {
    if (this.#requests >= this.#parts.timing.maxRequests) throw notSent('Too many requests wait on the line.')
    const deadline = performance.now() + timeoutMs
    this.#requests += 1
    try {
      const connection = this.#connection?.isOpen ? this.#connection : await this.#connectBy(deadline)
      const now = performance.now()
      if (now > sendBy || now >= deadline) throw notSent('The request came too late to be sent.')
      return await connection.ask(message, deadline - now)
    } finally {
      this.#requests -= 1
      if (this.#isClosed && this.#requests === 0) this.end()
    }
  }

  /** Ends the line once the requests in progress are answered. A later request opens it for as long as it takes. */
  close(): void {
    this.#isClosed = true
    if (this.#requests === 0) this.end()
  }

  /** Ends the line now. */
  end(): void {
    this.#isClosed = true
    clearInterval(this.#echo)
    clearTimeout(this.#retry)
    this.#connection?.end('The line was closed by us.')
    this.#connection = null
  }

  async #connectBy(deadline: number): Promise<Connection> {
    if (performance.now() < this.#retryAt) throw notSent('The line to the host is down.')
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null
    })
    return awaitBefore(deadline, this.#opening)
  }

  async #open(): Promise<Connection> {
    const { protocol, connect } = this.#parts
    clearTimeout(this.#retry)
    try {
      const connection = new Connection(await connect(), protocol, () => this.#onEnd(connection))
      await this.#signOn(connection)
      this.#connection = connection
      this.#failures = 0
      this.#retryAt = 0
      if (this.#isClosed && this.#requests === 0) this.end()
      else this.#startEchoes(connection)
      return connection
    } catch (cause) {
      this.#failures += 1
      this.#retryLater(this.#pauseMs())
      throw notSent(`The line could not be opened: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
    }
  }

  async #signOn(connection: Connection): Promise<void> {
    const { protocol, clock, timing } = this.#parts
    const message = protocol.signOn(clock.now())
    if (!message) return
    try {
      const reply = await connection.ask(message, timing.signOnWithinMs)
      if (!protocol.isAccepted(reply)) throw new SignOnRefusedError('The host refused the sign-on.')
    } catch (fault) {
      connection.end('The sign-on failed.')
      throw fault
    }
  }

  /** A line on which nothing moves may be dead without either side knowing. */
  #startEchoes(connection: Connection): void {
    const { protocol, clock, timing } = this.#parts
    clearInterval(this.#echo)
    this.#echo = setInterval(() => {
      const message = protocol.echo(clock.now())
      if (!message) return
      connection.ask(message, timing.signOnWithinMs).then(
        // A host that was started again wants a new sign-on.
        (reply) => protocol.isAccepted(reply) || connection.end('The host refused the echo.'),
        () => connection.end('The host is silent.'),
      )
    }, timing.echoEveryMs).unref()
  }

  #onEnd(connection: Connection): void {
    if (this.#connection !== connection) return
    this.#connection = null
    clearInterval(this.#echo)
    // A request that comes earlier opens it at once.
    if (!this.#isClosed) this.#reopenAfter(this.#parts.timing.firstPauseMs)
  }

  #retryLater(pauseMs: number): void {
    this.#retryAt = performance.now() + pauseMs
    if (!this.#isClosed) this.#reopenAfter(pauseMs)
  }

  #reopenAfter(pauseMs: number): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      this.#retryAt = 0
      this.#connectBy(Infinity).catch(() => undefined)
    }, pauseMs).unref()
  }

  #pauseMs(): number {
    const { firstPauseMs, longestPauseMs } = this.#parts.timing
    return growingPauseMs(this.#failures, firstPauseMs, longestPauseMs)
  }
}

function awaitBefore(deadline: number, opening: Promise<Connection>): Promise<Connection> {
  if (deadline === Infinity) return opening
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(notSent('The line was not open in time.'))
    const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()))
    opening.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

const notSent = (message: string, cause?: unknown): WireFault => new WireFault(message, { sent: false, cause })
