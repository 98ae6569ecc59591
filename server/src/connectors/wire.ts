/**
 * The wire: how a connector reaches its acquirer over HTTP.
 *
 * One pool of kept-alive connections per acquirer, shared by all MIDs there; a `Wire` is a cheap view of it with the MID's
 * credentials and the time that is left for one exchange. Bodies go and come as JSON.
 *
 * Whether a request may have reached the acquirer decides whether money may have moved, so a `WireFault` always says so, and
 * says `sent: false` only where it is certain. What an answer means, including a status of 500, is the connector's to judge.
 *
 * What is deliberately not here: no retry, since only the reconciler may send again; no redirects, since an acquirer does
 * not move; no header ever reaches the log, since credentials travel there.
 */
import { type buildConnector, Pool } from 'undici'
import type { Credentials } from './credentials.ts'
import { scrub, secretsIn } from './scrub.ts'
import { type RawReply, send } from './send.ts'
import { WireFault } from './wire-fault.ts'

export { WireFault } from './wire-fault.ts'

export interface Wire {
  readonly baseUrl: string
  readonly credentials: Credentials
  /** Throws `WireFault` and nothing else. */
  post(path: string, body: unknown, options?: WireOptions): Promise<WireReply>
  /** Throws `WireFault` and nothing else. */
  get(path: string, options?: WireOptions): Promise<WireReply>
}

/** A wire on which the time of leaving can be bounded. */
export interface TimedWire extends Wire {
  /** The same wire, on which no request leaves after this moment of `performance.now()`: it then counts as not sent. */
  leavingBy(sendBy: number): Wire
}

export interface WireOptions {
  /** The transaction's id, fixed before the first send. */
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface WireReply {
  readonly status: number
  /** The parsed JSON; the plain text when the acquirer answered something else, null when it answered nothing. */
  readonly body: unknown
}

/** One exchange as a log may show it: already scrubbed. */
export interface WireEntry {
  readonly connector: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly request: unknown
  readonly status: number | null
  readonly answer: unknown
  readonly fault: string | null
  readonly durationMs: number
}

export interface Wires {
  /** `marginMs` is what the caller has used up or must keep of the time that the merchant waits. */
  to(connector: WireConnector, credentials: Credentials, options?: { readonly marginMs?: number }): TimedWire
  close(): Promise<void>
}

/** All that the wire needs to know of a connector. */
interface WireConnector {
  readonly id: string
  /** Dotted paths of the request that must never reach a log. */
  readonly secretFields: readonly string[]
}

export interface WireSettings {
  /** How long one exchange may take in all. Chapter 10 §1.1, "Answer time". */
  readonly budgetMs?: number
  readonly connectTimeoutMs?: number
  readonly connectionsPerAcquirer?: number
  readonly maxReplyBytes?: number
  /** How a connection is made, where not every address may be reached. */
  readonly connect?: buildConnector.connector
  /** Called after every exchange; costs a scrubbed copy of both bodies, so it is left out unless debugging. */
  readonly onEntry?: (entry: WireEntry) => void
}

export function createWires(settings: WireSettings = {}): Wires {
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
        pool: poolOf(url.origin),
        prefix: url.pathname.replace(/\/+$/, ''),
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

const wireOn = (line: Line, credentials: Credentials): Wire => ({
  baseUrl: credentials.base_url,
  credentials,
  post: (path, body, options) => exchangeOn(line, { method: 'POST', path, body, ...options }),
  get: (path, options) => exchangeOn(line, { method: 'GET', path, body: undefined, ...options }),
})

type Limits = typeof defaults & Pick<WireSettings, 'onEntry' | 'connect'>

const defaults = {
  budgetMs: 30_000,
  connectTimeoutMs: 5_000,
  connectionsPerAcquirer: 128,
  maxReplyBytes: 1_048_576,
}

interface Line {
  readonly connector: WireConnector
  readonly pool: Pool
  readonly prefix: string
  readonly timeoutMs: number
  readonly sendBy?: number
  readonly secrets: readonly string[]
  readonly limits: Limits
}

interface Ask extends WireOptions {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: unknown
}

/** They travel in headers, which no log sees, but an acquirer may quote one in its answer. */
function secretCredentials(credentials: Credentials): readonly string[] {
  return Object.entries(credentials)
    .filter(([name]) => /key|secret|password|token/i.test(name))
    .map(([, value]) => String(value))
}

function newPool(origin: string, limits: Limits): Pool {
  return new Pool(origin, {
    connections: limits.connectionsPerAcquirer,
    connect: limits.connect ?? { timeout: limits.connectTimeoutMs },
    // One request at a time per connection: after a broken one nobody has to ask whose bytes were lost.
    pipelining: 1,
    allowH2: false,
    // The deadline of the whole exchange is kept by `send`, more exactly than these coarse timers would.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

async function exchangeOn(line: Line, ask: Ask): Promise<WireReply> {
  const { onEntry } = line.limits
  if (!onEntry) return perform(line, ask)

  const { id, secretFields } = line.connector
  const startedAt = performance.now()
  const report = (status: number | null, answer: unknown, fault: string | null): void =>
    onEntry({
      connector: id,
      method: ask.method,
      path: String(scrub(ask.path, [])),
      request: scrub(ask.body, secretFields),
      status,
      answer: scrub(answer, secretFields, [...line.secrets, ...secretsIn(ask.body, secretFields)]),
      fault,
      durationMs: performance.now() - startedAt,
    })

  try {
    const reply = await perform(line, ask)
    report(reply.status, reply.body, null)
    return reply
  } catch (fault) {
    report(null, null, fault instanceof Error ? fault.message : String(fault))
    throw fault
  }
}

async function perform(line: Line, ask: Ask): Promise<WireReply> {
  const raw = await send(
    line.pool,
    {
      method: ask.method,
      path: line.prefix + ask.path,
      headers: headersOf(ask),
      body: ask.body === undefined ? null : JSON.stringify(ask.body),
    },
    { timeoutMs: line.timeoutMs, maxReplyBytes: line.limits.maxReplyBytes, sendBy: line.sendBy },
  )
  return { status: raw.status, body: readBody(raw) }
}

function headersOf(ask: Ask): Record<string, string> {
  return {
    accept: 'application/json',
    ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(ask.idempotencyKey === undefined ? {} : { 'idempotency-key': ask.idempotencyKey }),
    ...ask.headers,
  }
}

function readBody({ contentType, bytes }: RawReply): unknown {
  if (bytes.length === 0) return null
  const text = keepable(bytes.toString('utf8'))
  if (!/\bjson\b/i.test(contentType)) return text
  try {
    return JSON.parse(text, unkeepable.test(text) ? mended : undefined)
  } catch {
    throw new WireFault('The acquirer answered with malformed JSON.', { sent: true })
  }
}

/** JSON can write characters that PostgreSQL keeps in no text: the zero, and halves of characters. */
const unkeepable = /\\u(?:0000|d[89a-f])/i

const mended = (_name: string, value: unknown): unknown => (typeof value === 'string' ? keepable(value) : value)

/** What an acquirer says is written with the outcome. If the database refused it, the outcome would never be known, however often it is asked. */
const keepable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
