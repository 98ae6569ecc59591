/**
 * The wire: how a connector reaches its acquirer over HTTP.
 *
 * One pool of kept-alive connections per acquirer, shared by all MIDs there; a `Wire` is a cheap view of it with the MID's
 * credentials and the time that is left for one exchange. A body is JSON, a form or text, and is serialised once: the
 * connector signs the bytes that are sent.
 *
 * Whether a request may have reached the acquirer decides whether money may have moved, so a `WireFault` always says so, and
 * says `sent: false` only where it is certain. What an answer means, including a status of 500, is the connector's to judge.
 *
 * What is deliberately not here: no retry, since only the reconciler may send again; no redirects, since an acquirer does
 * not move; no header ever reaches the log, since credentials travel there.
 */
import { type buildConnector, Pool } from 'undici'
import { bytesOf, type WireBody } from './body.ts'
import type { Credentials } from './credentials.ts'
import { describeReply, type WireReply, wireReply } from './reply.ts'
import { scrub, secretCredentials, secretsIn } from './scrub.ts'
import { type HttpMethod, type RawRequest, send } from './send.ts'
import { WireFault } from './wire-fault.ts'

export { type FormFields, formBody, jsonBody, textBody } from './body.ts'
export type { WireReply } from './reply.ts'
export { WireFault } from './wire-fault.ts'

export interface Wire<C extends Credentials> {
  readonly credentials: C
  /** Throws `WireFault` and nothing else. */
  send(request: WireRequest): Promise<WireReply>
  /** Throws `WireFault` and nothing else. */
  post(path: string, body: WireBody, options?: WireOptions): Promise<WireReply>
  /** Throws `WireFault` and nothing else. */
  get(path: string, options?: WireOptions): Promise<WireReply>
}

/** A wire on which the time of leaving can be bounded. */
export interface TimedWire<C extends Credentials> extends Wire<C> {
  /** The same wire, on which no request leaves after this moment of `performance.now()`: it then counts as not sent. */
  leavingBy(sendBy: number): Wire<C>
}

interface WireOptions {
  /** The transaction's id, fixed before the first send; goes as the header `idempotency-key`. */
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface WireRequest extends WireOptions {
  readonly method: HttpMethod
  /** Below the path of the base URL, with its query string. */
  readonly path: string
  readonly body?: WireBody | undefined
}

/** A request as it is about to leave. */
export interface UnsignedRequest {
  readonly method: HttpMethod
  readonly url: URL
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, byte for byte as it is sent; empty where there is none. */
  readonly bytes: Buffer
  /** For signatures that carry a time. */
  readonly at: Date
}

/** Returns the headers that prove who sends, such as an API key or a signature; they replace those of the same name. */
export type Signer<C extends Credentials> = (
  request: UnsignedRequest,
  credentials: C,
) => Readonly<Record<string, string>>

/** One exchange as a log may show it: already scrubbed. */
export interface WireEntry {
  readonly connector: string
  readonly method: HttpMethod
  readonly path: string
  readonly request: unknown
  readonly status: number | null
  readonly answer: unknown
  readonly fault: string | null
  readonly durationMs: number
}

export interface Wires {
  /** `marginMs` is what the caller has used up or must keep of the time that the merchant waits. */
  to<C extends Credentials>(
    connector: WireConnector<C>,
    credentials: C,
    options?: { readonly marginMs?: number },
  ): TimedWire<C>
  close(): Promise<void>
}

/** All that the wire needs to know of a connector. */
export interface WireConnector<C extends Credentials> {
  readonly id: string
  /** Dotted paths of the request that must never reach a log. */
  readonly secretFields: readonly string[]
  readonly sign?: Signer<C> | undefined
}

export interface WireSettings {
  /** How long one exchange may take in all. Chapter 10 §1.1, "Answer time". */
  readonly budgetMs?: number
  readonly connectTimeoutMs?: number
  readonly connectionsPerAcquirer?: number
  readonly maxReplyBytes?: number
  /** How a connection is made, where not every address may be reached. */
  readonly connect?: buildConnector.connector
  /** The time that signatures carry. */
  readonly clock: { now(): Date }
  /** Called after every exchange; costs a scrubbed copy of both bodies, so it is left out unless debugging. */
  readonly onEntry?: (entry: WireEntry) => void
}

export function createWires(settings: WireSettings): Wires {
  const limits: Limits = { ...defaults, ...settings }
  const pools = new Map<string, Pool>()

  const poolOf = (origin: string): Pool => {
    const existing = pools.get(origin)
    if (existing) return existing
    const pool = newPool(origin, limits)
    pools.set(origin, pool)
    return pool
  }

  return {
    to: (connector, credentials, { marginMs = 0 } = {}) => {
      const url = new URL(credentials.base_url)
      const line: Line = {
        connector,
        sign: (request) => connector.sign?.(request, credentials) ?? {},
        pool: poolOf(url.origin),
        baseUrl: url.origin + url.pathname.replace(/\/+$/, ''),
        timeoutMs: Math.max(1, limits.budgetMs - marginMs),
        secrets: secretCredentials(credentials),
        limits,
      }
      return {
        ...wireOn(line, credentials),
        leavingBy: (sendBy) => wireOn({ ...line, sendBy }, credentials),
      }
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
    },
  }
}

const wireOn = <C extends Credentials>(line: Line, credentials: C): Wire<C> => ({
  credentials,
  send: (request) => exchangeOn(line, request),
  post: (path, body, options) => exchangeOn(line, { method: 'POST', path, body, ...options }),
  get: (path, options) => exchangeOn(line, { method: 'GET', path, ...options }),
})

type Limits = typeof defaults & Pick<WireSettings, 'clock' | 'onEntry' | 'connect'>

const defaults = {
  budgetMs: 30_000,
  connectTimeoutMs: 5_000,
  connectionsPerAcquirer: 128,
  maxReplyBytes: 1_048_576,
}

interface Line {
  readonly connector: Pick<WireConnector<Credentials>, 'id' | 'secretFields'>
  readonly sign: (request: UnsignedRequest) => Readonly<Record<string, string>>
  readonly pool: Pool
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly sendBy?: number
  readonly secrets: readonly string[]
  readonly limits: Limits
}

function newPool(origin: string, limits: Limits): Pool {
  return new Pool(origin, {
    connections: limits.connectionsPerAcquirer,
    connect: limits.connect ?? { timeout: limits.connectTimeoutMs },
    // One request at a time per connection: after a broken one it is certain whose bytes were lost.
    pipelining: 1,
    allowH2: false,
    // The deadline of the whole exchange is kept by `send`, more exactly than these coarse timers would.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

async function exchangeOn(line: Line, request: WireRequest): Promise<WireReply> {
  const { onEntry } = line.limits
  if (!onEntry) return perform(line, request)

  const { id, secretFields } = line.connector
  const startedAt = performance.now()
  const { shown, secrets } = describeBody(request.body, secretFields)
  const report = (status: number | null, answer: unknown, fault: string | null): void =>
    onEntry({
      connector: id,
      method: request.method,
      path: String(scrub(request.path, [])),
      request: shown,
      status,
      answer: scrub(answer, secretFields, [...line.secrets, ...secrets]),
      fault,
      durationMs: performance.now() - startedAt,
    })

  try {
    const reply = await perform(line, request)
    report(reply.status, describeReply(reply), null)
    return reply
  } catch (fault) {
    report(null, null, fault instanceof Error ? fault.message : String(fault))
    throw fault
  }
}

/** The body as a log may show it, and what an acquirer must not be shown to quote of it. */
function describeBody(
  body: WireBody | undefined,
  secretFields: readonly string[],
): { readonly shown: unknown; readonly secrets: readonly string[] } {
  if (!body) return { shown: undefined, secrets: [] }
  if (body.kind === 'text') return { shown: scrub(body.text, [], body.secrets), secrets: body.secrets }
  const value = body.kind === 'json' ? body.value : body.fields
  return { shown: scrub(value, secretFields), secrets: secretsIn(value, secretFields) }
}

async function perform(line: Line, request: WireRequest): Promise<WireReply> {
  const { timeoutMs, sendBy, limits } = line
  const raw = await send(line.pool, signRequest(line, request), {
    timeoutMs,
    maxReplyBytes: limits.maxReplyBytes,
    sendBy,
  })
  return wireReply(raw)
}

/** The bytes are made here and nowhere else. */
function signRequest(line: Line, { method, path, body, ...options }: WireRequest): RawRequest {
  try {
    const url = new URL(line.baseUrl + path)
    const bytes = body ? bytesOf(body) : Buffer.alloc(0)
    const headers = headersOf(body, options)
    const proof = line.sign({ method, url, headers, bytes, at: line.limits.clock.now() })
    return {
      method,
      path: url.pathname + url.search,
      headers: { ...headers, ...inLowerCase(proof) },
      body: body ? bytes : null,
    }
  } catch (cause) {
    throw new WireFault('The connector could not write the request.', { sent: false, isBug: true, cause })
  }
}

function headersOf(body: WireBody | undefined, { idempotencyKey, headers = {} }: WireOptions): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body && { 'content-type': body.contentType }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...inLowerCase(headers),
  }
}

const inLowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
