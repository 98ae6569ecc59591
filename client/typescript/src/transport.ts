/**
 * Sends a request and repeats it where that is safe.
 *
 * A command carries an idempotency key, and every repetition the same key and the same bytes, so that the service processes it at most
 * once; only the signature is new. Look-ups change nothing and need no key.
 */
import { BusyError, RefusedError, UnknownOutcomeError, type Violation } from './errors.ts'

export interface TransportOptions {
  readonly fetch?: typeof fetch
  /** For one attempt. The service answers within 30 seconds. */
  readonly timeoutMs?: number
  /** How often a request is repeated after its first attempt. */
  readonly retries?: number
  /** Waits before a repetition; tests shorten it. */
  readonly wait?: (milliseconds: number) => Promise<void>
}

interface Exchange {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly idempotencyKey?: string | undefined
  /** The headers of a signature, made anew for every attempt. */
  readonly sign?: () => Promise<Readonly<Record<string, string>>>
}

type Members = Readonly<Record<string, unknown>>

type Attempt =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'busy'; readonly message: string; readonly afterMs: number | undefined }
  | { readonly kind: 'unknown'; readonly message: string; readonly cause: unknown }

/** The error code of a repeated request whose first attempt has not ended, or whose answer a proxy's repetition took. */
const stillRunning = 400

const defaults = { timeoutMs: 40_000, retries: 3, longestWaitMs: 30_000 } as const

export async function exchange(request: Exchange, options: TransportOptions): Promise<unknown> {
  const { retries = defaults.retries, wait = sleep } = options
  let isUnknown = false
  for (let round = 0; ; round += 1) {
    const attempt = await send(request, options)
    if (attempt.kind === 'answer') return attempt.answer
    // An earlier attempt without an answer may have been processed, even if the service was only busy at the last one.
    isUnknown ||= attempt.kind === 'unknown'
    if (round >= retries) {
      if (!isUnknown) throw new BusyError(attempt.message)
      throw new UnknownOutcomeError(
        attempt.message,
        request.idempotencyKey,
        attempt.kind === 'unknown' && attempt.cause,
      )
    }
    await wait(
      Math.min(attempt.kind === 'busy' && attempt.afterMs ? attempt.afterMs : backoff(round), defaults.longestWaitMs),
    )
  }
}

async function send(request: Exchange, options: TransportOptions): Promise<Attempt> {
  const { fetch: call = fetch, timeoutMs = defaults.timeoutMs } = options
  const { url, method, headers, body, idempotencyKey, sign } = request
  const signature = await sign?.()
  try {
    const reply = await call(url, {
      method,
      headers: { ...headers, ...signature, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
      ...(body !== undefined && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await reply.text()
    return interpret(reply, text)
  } catch (error) {
    if (error instanceof RefusedError) throw error
    return { kind: 'unknown', message: 'The service did not answer.', cause: error }
  }
}

function interpret(reply: Response, text: string): Attempt {
  const answer = parse(text)
  if (reply.ok && answer !== undefined) return { kind: 'answer', answer }
  const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN)
  const afterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined
  if (reply.status === 429 || (reply.status === 503 && afterMs !== undefined)) {
    return { kind: 'busy', message: `The service is busy (HTTP ${reply.status}).`, afterMs }
  }
  // The same request with the same key is still being processed by an earlier attempt, or has been under the same signature.
  if (reply.status === 409 && members(answer)['error_code'] === stillRunning) {
    return { kind: 'unknown', message: 'The request is still being processed.', cause: undefined }
  }
  if (reply.status < 500 && reply.status >= 400) throw refusalOf(reply, members(answer))
  return { kind: 'unknown', message: `The service failed (HTTP ${reply.status}).`, cause: undefined }
}

function refusalOf(reply: Response, { error_code, error_message, errors }: Members): RefusedError {
  return new RefusedError({
    http: reply.status,
    code: typeof error_code === 'number' ? error_code : 0,
    message: typeof error_message === 'string' ? error_message : `HTTP status ${reply.status}.`,
    violations: Array.isArray(errors) ? errors.map((row) => violationOf(members(row))) : [],
    requestId: reply.headers.get('x-request-id') ?? undefined,
  })
}

const violationOf = ({ error_code, error_message }: Members): Violation => ({
  code: typeof error_code === 'number' ? error_code : 0,
  message: typeof error_message === 'string' ? error_message : '',
})

const members = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One, two, four seconds, each up to a half longer, so that the requests of a failed moment do not come back together. */
const backoff = (round: number): number => 1000 * 2 ** round * (1 + randomShare() / 2)

const randomShare = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
