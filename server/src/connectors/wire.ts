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
import type { buildConnector, Dispatcher } from 'undici'
import type { TraceNumbers } from '../contracts/trace-numbers.ts'
import { type AccessToken, HeldToken, type IssuedToken } from './access-token.ts'
import { bytesOf, type WireBody } from './body.ts'
import type { Credentials } from './credentials.ts'
import type { LineTiming } from './lines/line.ts'
import { createLines, type Lines } from './lines/lines.ts'
import { type AcquirerPools, createPools } from './pools.ts'
import { noTransformer, type Transformer } from './prism/transformer/transformer.ts'
import { describeReply, type WireReply, wireReply } from './reply.ts'
import { scrub, secretCredentials, secretsIn } from './scrub.ts'
import { type RawRequest, send } from './send.ts'
import type { WireEntry } from './wire-entry.ts'
import { WireFault } from './wire-fault.ts'
import type { ClientCertificate, Hosts, Signer, UnsignedRequest, WireOptions, WireRequest } from './wire-request.ts'

export { type FormFields, formBody, jsonBody, partsBody, textBody } from './body.ts'
export type { WireReply } from './reply.ts'
export type { WireEntry } from './wire-entry.ts'
export { WireFault } from './wire-fault.ts'
export type { UnsignedRequest } from './wire-request.ts'

export interface Wire<C extends Credentials> {
  readonly credentials: C
  /** The same for every request of one exchange; for signatures and times that a body states. */
  now(): Date
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

export interface Wires {
  to<C extends Credentials>(connector: WireConnector<C>, credentials: C, options: WireTarget): TimedWire<C>
  /** The lines of acquirers that do not speak HTTP. */
  readonly lines: Lines
  /** The helper process that writes the requests of the family `prism`. */
  readonly prism: Transformer
  close(): Promise<void>
}

interface WireTarget {
  readonly hosts: Hosts
  /** What the caller has used up or must keep of the time that the merchant waits. */
  readonly marginMs?: number
}

/** All that the wire needs to know of a connector. */
export interface WireConnector<C extends Credentials> {
  readonly id: string
  /** Dotted paths of the request that must never reach a log. */
  readonly secretFields: readonly string[]
  readonly sign?: Signer<C> | undefined
  readonly accessToken?: AccessToken<C> | undefined
  readonly clientCertificate?: ((credentials: C) => ClientCertificate | null) | undefined
}

export interface WireSettings {
  /** How long one exchange may take in all. Chapter 10 §1.1, "Answer time". */
  readonly budgetMs?: number
  readonly connectTimeoutMs?: number
  readonly connectionsPerAcquirer?: number
  readonly maxReplyBytes?: number
  /** How a connection is made, where not every address may be reached. */
  readonly connect?: (certificate: ClientCertificate | null) => buildConnector.connector
  /** The times of lines, where the usual ones do not fit. */
  readonly lineTiming?: Partial<LineTiming>
  /** The numbers of the lines of all processes; without them numbers are unique in this process alone. */
  readonly traceNumbers?: TraceNumbers
  /** Writes the requests of the family `prism`; without it they are refused. */
  readonly prism?: Transformer
  /** The time that signatures carry. */
  readonly clock: { now(): Date }
  /** Called after every exchange; costs a scrubbed copy of both bodies, so it is left out unless debugging. */
  readonly onEntry?: (entry: WireEntry) => void
}

export function createWires(settings: WireSettings): Wires {
  const limits: Limits = { ...defaults, ...settings }
  const pools = createPools(limits)
  const lines = createLines(limits)
  const prism = settings.prism ?? noTransformer

  return {
    lines,
    prism,
    to: (connector, credentials, { hosts, marginMs = 0 }) => {
      const { accessToken: possible } = connector
      const accessToken = possible?.isUsed?.(credentials) === false ? undefined : possible
      const line: Line = {
        connector,
        sign: (request) => connector.sign?.(request, credentials) ?? {},
        pools,
        hosts,
        certificate: connector.clientCertificate?.(credentials) ?? null,
        token: null,
        timeoutMs: Math.max(1, limits.budgetMs - marginMs),
        secrets: secretCredentials(credentials),
        limits,
      }
      const held = accessToken && new HeldToken(() => fetchToken(line, accessToken, credentials))
      const whole: Line = held && accessToken ? { ...line, token: { held, headers: accessToken.headers } } : line
      return {
        ...wireOn(whole, credentials),
        leavingBy: (sendBy) => wireOn({ ...whole, sendBy }, credentials),
      }
    },
    close: async () => {
      lines.close()
      prism.close()
      await pools.close()
    },
  }
}

const wireOn = <C extends Credentials>(line: Line, credentials: C): Wire<C> => ({
  credentials,
  now: () => line.limits.clock.now(),
  send: (request) => exchangeOn(line, request),
  post: (path, body, options) => exchangeOn(line, { method: 'POST', path, body, ...options }),
  get: (path, options) => exchangeOn(line, { method: 'GET', path, ...options }),
})

type Limits = typeof defaults & Pick<WireSettings, 'clock' | 'onEntry' | 'connect' | 'lineTiming' | 'traceNumbers'>

const defaults = {
  budgetMs: 30_000,
  connectTimeoutMs: 5_000,
  connectionsPerAcquirer: 128,
  maxReplyBytes: 1_048_576,
}

interface Line {
  readonly connector: Pick<WireConnector<Credentials>, 'id' | 'secretFields'>
  readonly sign: (request: UnsignedRequest) => Readonly<Record<string, string>>
  readonly pools: AcquirerPools
  readonly hosts: Hosts
  readonly certificate: ClientCertificate | null
  readonly token: {
    readonly held: HeldToken
    readonly headers: (token: string) => Readonly<Record<string, string>>
  } | null
  readonly timeoutMs: number
  readonly sendBy?: number
  readonly secrets: readonly string[]
  readonly limits: Limits
}

/** Not through `exchangeOn`: it shows its bodies to the log, and these hold the secret and the token. */
async function fetchToken<C extends Credentials>(
  line: Line,
  { request, read }: AccessToken<C>,
  credentials: C,
): Promise<IssuedToken | null> {
  return read(await perform(line, request(credentials)))
}

async function exchangeOn(line: Line, request: WireRequest): Promise<WireReply> {
  const { onEntry } = line.limits
  if (!onEntry) return performAuthorised(line, request)

  const { id, secretFields } = line.connector
  const startedAt = performance.now()
  const { shown, secrets } = describeBody(request.body, secretFields)
  const report = (status: number | null, answer: unknown, fault: string | null): void =>
    onEntry({
      connector: id,
      method: request.method,
      path: String(scrub(request.path, [], [...line.secrets, ...line.secrets.map(encodeURIComponent)])),
      request: shown,
      status,
      answer: request.hidesAnswer ? '***' : scrub(answer, secretFields, [...line.secrets, ...secrets]),
      fault,
      durationMs: performance.now() - startedAt,
    })

  try {
    const reply = await performAuthorised(line, request)
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
  if (body.kind === 'parts') {
    // Evidence names payers, so that a log has the sizes alone.
    return {
      shown: Object.fromEntries(body.parts.map(({ name, bytes }) => [name, `${bytes.length} bytes`])),
      secrets: [],
    }
  }
  if (body.kind === 'text') return { shown: body.shown ?? scrub(body.text, [], body.secrets), secrets: body.secrets }
  const value = body.kind === 'json' ? body.value : body.fields
  return { shown: scrub(value, secretFields), secrets: secretsIn(value, secretFields) }
}

/**
 * With the MID's access token, where the acquirer wants one. A token that was withdrawn before its time is answered with 401: the acquirer
 * has not looked at the request, so that it goes out once more with a new token.
 */
async function performAuthorised(line: Line, request: WireRequest): Promise<WireReply> {
  if (!line.token) return perform(line, request)
  const { held, headers } = line.token
  const token = await held.get()
  const reply = await perform(line, request, headers(token))
  if (reply.status !== 401) return reply
  held.drop(token)
  return perform(line, request, headers(await held.get()))
}

async function perform(
  line: Line,
  request: WireRequest,
  authorisation: Readonly<Record<string, string>> = {},
): Promise<WireReply> {
  const { timeoutMs, sendBy, limits } = line
  const { pool, raw } = signRequest(line, request, authorisation)
  return wireReply(await send(pool, raw, { timeoutMs, maxReplyBytes: limits.maxReplyBytes, sendBy }))
}

/** The bytes are made here and nowhere else. */
function signRequest(
  line: Line,
  { method, path, body, host = 'api', ...options }: WireRequest,
  authorisation: Readonly<Record<string, string>>,
): { readonly pool: Dispatcher; readonly raw: RawRequest } {
  try {
    const address = line.hosts[host]
    if (address === undefined) throw new Error(`The connector has no host named "${host}".`)
    const url = new URL(address.replace(/\/+$/, '') + path)
    const bytes = body ? bytesOf(body) : Buffer.alloc(0)
    const headers = { ...headersOf(body, options), ...inLowerCase(authorisation) }
    const proof = line.sign({ method, url, headers, bytes, at: line.limits.clock.now() })
    return {
      pool: line.pools.to(url.origin, line.certificate),
      raw: {
        method,
        path: url.pathname + url.search,
        headers: { ...headers, ...inLowerCase(proof) },
        body: body ? bytes : null,
      },
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

/** Every request runs it several times: without a list of pairs in between it takes a fifth of the time. */
function inLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lowered: Record<string, string> = {}
  for (const name in headers) lowered[name.toLowerCase()] = headers[name] ?? ''
  return lowered
}
