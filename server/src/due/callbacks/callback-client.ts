/**
 * One POST to an address that a merchant chose, limited in time, in how much of the answer is read, and in where it may connect.
 *
 * Never rejects: every failure is a result, shown to the merchant as the fault of the attempt.
 *
 * It speaks to the dispatcher underneath the client's usual functions. These make a stream of every answer and an abort signal of every
 * time limit, which together cost as much as the delivery itself (decisions/callbacks#the-next-callback).
 */

import { Agent, type Dispatcher } from 'undici'
import { errorCode } from '#domain/error-code.ts'
import { AddressRefusedError, type AddressRules, addressGuard } from '../../network/address-guard.ts'

interface CallbackClientOptions {
  readonly addresses: AddressRules
  /** For the whole exchange, from name resolution to the end of the answer. */
  readonly timeoutMs: number
  /** The maximum number of connections to one origin. */
  readonly connections: number
}

export interface CallbackClient {
  post(url: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array): Promise<CallbackReply>
  close(): Promise<void>
}

export interface CallbackReply {
  readonly httpStatus: number | null
  /** The first part of the body. */
  readonly answer: string | null
  readonly fault: string | null
  readonly timedOut: boolean
  readonly durationMs: number
}

const answerBytes = 4096

export function callbackClient({ addresses, timeoutMs, connections }: CallbackClientOptions): CallbackClient {
  const guard = addressGuard(addresses, timeoutMs)
  const dispatcher = new Agent({ connect: guard.connect, connections, allowH2: false })

  const exchange = (url: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array) => {
    const { address, authorization } = withoutCredentials(guard.parse(url))
    const request: Dispatcher.DispatchOptions = {
      origin: address.origin,
      path: `${address.pathname}${address.search}`,
      method: 'POST',
      headers: authorization === null ? { ...headers } : { ...headers, authorization },
      body,
    }
    return new Promise<ExchangeResult>((resolve) => dispatcher.dispatch(request, new Exchange(resolve, timeoutMs)))
  }

  return {
    async post(url, headers, body) {
      const begun = performance.now()
      const reply = await catchFault(() => exchange(url, headers, body))
      return { ...reply, durationMs: Math.round(performance.now() - begun) }
    },

    async close() {
      if (!dispatcher.closed) await dispatcher.close()
    },
  }
}

type ExchangeResult = Omit<CallbackReply, 'durationMs'>

/** An address may be refused before anything is sent, and a closed client throws. */
async function catchFault(exchange: () => Promise<ExchangeResult>): Promise<ExchangeResult> {
  try {
    return await exchange()
  } catch (error) {
    return faultOf(error)
  }
}

/** The life of one request: queued, on a connection (`#controller` set), over. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: ExchangeResult) => void
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #size = 0
  #status = 0
  #isOver = false

  constructor(resolve: (result: ExchangeResult) => void, timeoutMs: number) {
    this.#resolve = resolve
    this.#timer = setTimeout(() => this.#abandon(late), timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // A callback whose time ended in the queue is sent by its next attempt, not twice.
    if (this.#isOver) controller.abort(new Error(unwanted))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // An interim answer (100 to 199) is followed by the real one.
    this.#status = status
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    // The connection is closed, so that an endless answer is not read on.
    if (this.#size >= answerBytes) this.#abandon(this.#reply())
  }

  onResponseEnd(): void {
    this.#end(this.#reply())
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: unknown): void {
    this.#end(faultOf(error))
  }

  #reply(): ExchangeResult {
    return { httpStatus: this.#status, answer: firstPartOf(this.#chunks), fault: null, timedOut: false }
  }

  #abandon(result: ExchangeResult): void {
    if (this.#isOver) return
    this.#end(result)
    this.#controller?.abort(new Error(unwanted))
  }

  #end(result: ExchangeResult): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#resolve(result)
  }
}

const unwanted = 'The answer is no longer wanted.'
const late: ExchangeResult = { httpStatus: null, answer: null, fault: 'No answer in time.', timedOut: true }

/** `https://name:password@host` means Basic authorization, as in browsers and other webhook senders. */
function withoutCredentials(url: URL): { readonly address: URL; readonly authorization: string | null } {
  if (url.username === '' && url.password === '') return { address: url, authorization: null }
  const pair = `${decodePart(url.username)}:${decodePart(url.password)}`
  const address = new URL(url)
  address.username = ''
  address.password = ''
  return { address, authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Text that is not percent-encoded correctly is used as written. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function firstPartOf(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks).subarray(0, answerBytes).toString('utf8')
  // PostgreSQL stores any character but this one.
  return text.replaceAll('\0', '\uFFFD')
}

const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

function faultOf(error: unknown): ExchangeResult {
  const none = { httpStatus: null, answer: null }
  if (error instanceof AddressRefusedError) return { ...none, fault: error.message, timedOut: false }

  const { name, code } = namesOf(error)
  if (timeoutCodes.has(code)) return late
  return { ...none, fault: `The exchange failed: ${code || name}.`, timedOut: false }
}

function namesOf(error: unknown): { readonly name: string; readonly code: string } {
  if (!(error instanceof Error)) return { name: typeof error, code: '' }
  return { name: error.name, code: errorCode(error) }
}
