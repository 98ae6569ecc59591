/**
 * One HTTP request on a pool, with a deadline for the whole of it and exact knowledge of whether it went out.
 *
 * It speaks to the dispatcher underneath the client's usual functions, because only there is the moment visible at which a
 * request is put on a connection: before `onRequestStart` not one byte has been written, after it any number may have been.
 */
import type { Dispatcher } from 'undici'
import { WireFault } from './wire-fault.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RawRequest {
  readonly method: HttpMethod
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | null
}

interface RawReply {
  readonly status: number
  /** The headers by their lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

interface SendLimits {
  readonly timeoutMs: number
  readonly maxReplyBytes: number
  /** The latest moment to send, by `performance.now()`: a request that has found no connection by then is not sent any more. */
  readonly sendBy?: number | undefined
}

/** Rejects with `WireFault` and nothing else. */
export function send(pool: Dispatcher, request: RawRequest, limits: SendLimits): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const sending = new Sending(resolve, reject, limits)
    try {
      pool.dispatch(request, sending)
    } catch (error) {
      sending.onResponseError(undefined, error)
    }
  })
}

/** The life of one request: queued, on a connection (`#controller` set), over. */
class Sending implements Dispatcher.DispatchHandler {
  readonly #resolve: (reply: RawReply) => void
  readonly #reject: (fault: WireFault) => void
  readonly #maxReplyBytes: number
  readonly #sendBy: number
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #size = 0
  #status = 0
  #headers: Readonly<Record<string, string>> = {}
  #over = false

  constructor(resolve: (reply: RawReply) => void, reject: (fault: WireFault) => void, limits: SendLimits) {
    this.#resolve = resolve
    this.#reject = reject
    this.#maxReplyBytes = limits.maxReplyBytes
    this.#sendBy = limits.sendBy ?? Infinity
    this.#timer = setTimeout(() => this.#giveUp(`No answer within ${limits.timeoutMs} ms.`), limits.timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request that was given up while it waited for a connection must not go out after all. And one that went out
    // already must not go out again: the client puts it back into its queue when certain connections are reset.
    if (this.#over || this.#controller) {
      this.#giveUp('The connection was reset after the request was sent.')
      controller.abort(new Error('The request is not to be sent any more.'))
      return
    }
    // A process that was paused in between must not send what others have given up meanwhile.
    if (performance.now() > this.#sendBy) {
      this.#giveUp('The request came too late to be sent.')
      controller.abort(new Error('The request is not to be sent any more.'))
      return
    }
    this.#controller = controller
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // An interim answer (100 to 199) is followed by the real one.
    this.#status = status
    this.#headers = joinValues(headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#maxReplyBytes) {
      this.#giveUp(`The answer is longer than ${this.#maxReplyBytes} bytes.`)
      return
    }
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#over) return
    this.#end()
    this.#resolve({ status: this.#status, headers: this.#headers, bytes: Buffer.concat(this.#chunks) })
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: unknown): void {
    const text = error instanceof Error ? error.message || error.name : String(error)
    this.#fail(`The exchange failed: ${text}`, error)
  }

  #giveUp(message: string): void {
    this.#fail(message)
    this.#controller?.abort(new Error(message))
  }

  #fail(message: string, cause?: unknown): void {
    if (this.#over) return
    this.#end()
    this.#reject(new WireFault(message, { sent: this.#controller !== undefined, cause }))
  }

  #end(): void {
    this.#over = true
    clearTimeout(this.#timer)
  }
}

function joinValues(headers: Record<string, string | string[] | undefined>): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name] ?? ''
    joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return joined
}
