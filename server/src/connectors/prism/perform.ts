/** One exchange of a flow: the helper builds the request, the guard looks at it, our wire sends it, the helper reads the reply. */
import { z } from 'zod'
import type { Mode } from '#domain/merchant.ts'
import type { JsonObject } from '../../contracts/json.ts'
import { secretCredentials } from '../scrub.ts'
import { textBody, type Wire, WireFault, type WireReply } from '../wire.ts'
import { valuesOf } from './body-values.ts'
import type { PrismCredentials } from './credentials.ts'
import { guardAddress, moneyFault } from './guard.ts'
import { withShortReferences } from './messages/short-reference.ts'
import type { HeldAccessToken } from './prepared.ts'
import type { AcquirerRow, ReadBack } from './table/row.ts'
import type { BuiltRequest, PrismCall, PrismFlow, PrismRefusal, PrismResult } from './transformer/protocol.ts'
import { askTwice, HelperFault, type Transformer } from './transformer/transformer.ts'

/** How an acquirer of the family is reached by one MID. */
export interface PrismLink {
  readonly row: AcquirerRow
  readonly mode: Mode
  readonly config: JsonObject
  readonly credentials: PrismCredentials
  readonly transformer: Transformer
  readonly wire: Wire<PrismCredentials>
  /** The wire's name of each origin of the row. */
  readonly hostNames: ReadonlyMap<string, string>
  /** Shared by all requests of the MID. */
  readonly held: HeldAccessToken
}

export interface FlowRequest {
  readonly flow: PrismFlow
  readonly message: JsonObject
  readonly idempotencyKey?: string
  /** What the body must ask for, where the flow moves money. */
  readonly money?: { readonly amountMinor: bigint; readonly currency: string; readonly readBack: ReadBack | undefined }
}

export type FlowReading =
  | (Worded & {
      readonly kind: 'read'
      readonly status: number
      readonly answer: unknown
      readonly saysNothing: boolean
    })
  /** The package reads it as an error of the acquirer, or cannot read it. */
  | (Worded & { readonly kind: 'refused'; readonly status: number; readonly refusal: PrismRefusal })
  /** It was sent, and the helper ended before it had read the reply. */
  | { readonly kind: 'unread'; readonly status: number }
  /** The package does not build it: nothing was sent. */
  | (Worded & { readonly kind: 'not-built'; readonly refusal: PrismRefusal })

/** It has words of the acquirer or of the package, which may quote what they were given. */
interface Worded {
  /** What must not be quoted to a merchant. */
  readonly secrets: readonly string[]
}

export async function performFlow(link: PrismLink, request: FlowRequest): Promise<FlowReading> {
  const message = link.row.shortReferences ? withShortReferences(request.message) : request.message
  const call: PrismCall = { flow: request.flow, mode: link.mode, config: link.config, request: message }
  const built = await buildRequest(link.transformer, call)
  const secrets = [...secretsOf(request.message), ...secretCredentials(link.credentials)]
  if (built.kind === 'refused') return { kind: 'not-built', refusal: built.refusal, secrets }
  const reply = await sendBuilt(link, built.value, request)
  return readReply(link.transformer, call, { reply, secrets })
}

/** A token that was withdrawn before its time is not used again. */
export async function performWithToken(link: PrismLink, request: FlowRequest): Promise<FlowReading> {
  const reading = await performFlow(link, request)
  if (reading.kind !== 'not-built' && reading.status === 401) link.held.drop()
  return reading
}

/** Nothing has left yet, so that a helper that dies now has executed nothing. Chapter 60 §1.2. */
async function buildRequest(transformer: Transformer, call: PrismCall): Promise<PrismResult<BuiltRequest>> {
  try {
    return await askTwice(() => transformer.build(call))
  } catch (fault) {
    throw new WireFault(fault instanceof HelperFault ? fault.message : 'The helper process failed.', {
      sent: false,
      cause: fault,
    })
  }
}

async function sendBuilt(link: PrismLink, built: BuiltRequest, request: FlowRequest): Promise<WireReply> {
  const passed = guardAddress(built, link.row, link.mode)
  if (passed.kind === 'stopped') throw new WireFault(passed.reason, { sent: false, isBug: true })
  const { money } = request
  const fault = money ? moneyFault(built, money.readBack, money) : null
  if (fault !== null) throw new WireFault(fault, { sent: false, isBug: true })
  const method = methodSchema.safeParse(built.method.toUpperCase())
  const host = link.hostNames.get(passed.origin)
  if (!method.success || host === undefined)
    throw new WireFault('The built request cannot be sent.', { sent: false, isBug: true })
  return link.wire.send({
    method: method.data,
    path: passed.path,
    host,
    // What is fetched before a charge is a token of some kind.
    ...(request.money === undefined && fetching.has(request.flow) && { hidesAnswer: true }),
    headers: headersOf(link.row, built, request),
    body: bodyOf(built, request),
  })
}

const fetching: ReadonlySet<PrismFlow> = new Set([
  'create_server_authentication_token',
  'create_server_session_authentication_token',
  'tokenize',
])

const methodSchema = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Those that belong to a connection are ours. */
const ofConnection: ReadonlySet<string> = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'via'])

function headersOf(
  { idempotency }: AcquirerRow,
  { headers }: BuiltRequest,
  { idempotencyKey }: FlowRequest,
): Readonly<Record<string, string>> {
  const own = Object.entries(headers).filter(([name]) => !ofConnection.has(name.toLowerCase()))
  const key = idempotency && idempotencyKey !== undefined ? [[idempotency.header.toLowerCase(), idempotencyKey]] : []
  return Object.fromEntries([...own.map(([name, value]) => [name.toLowerCase(), value]), ...key])
}

function bodyOf(built: BuiltRequest, request: FlowRequest) {
  if (built.body === null || built.body.length === 0) return undefined
  const type = Object.entries(built.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const text = built.body.toString('utf8')
  return {
    ...textBody(type ?? 'application/json', text, secretsOf(request.message)),
    shown: shownValues(built, request),
  }
}

/**
 * What a log may show of a body: the names of its fields, and the values of those that are known to be harmless. A package that encodes card data
 * in a way of its own cannot bring it into a log like this.
 */
function shownValues(built: BuiltRequest, { money, message }: FlowRequest): JsonObject {
  const known = new Set([money?.currency, String(money?.amountMinor ?? ''), ...referencesIn(message)])
  // An amount of 1.23 looks like a verification code, and a code must not be shown because an amount looks like it.
  for (const secret of secretsOf(message)) known.delete(secret)
  return Object.fromEntries([...valuesOf(built)].map(([path, value]) => [path, known.has(value) ? value : '***']))
}

const referencesIn = (message: JsonObject): readonly string[] =>
  [
    'merchantTransactionId',
    'merchantChargeId',
    'merchantCaptureId',
    'merchantVoidId',
    'merchantRefundId',
    'connectorTransactionId',
  ]
    .map((name) => message[name])
    .filter((value) => typeof value === 'string')

/** Everything that the package's own types call secret: what an acquirer quotes of it must not reach a log either. */
function secretsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'value' && typeof inner === 'string' && inner.length > 2 ? [inner] : secretsOf(inner),
  )
}

/** Nothing, an empty object, or a page for people, which comes from a proxy: the package takes some of them for an answer. */
const saysNothing = (bytes: Buffer): boolean =>
  /^\s*(\{\s*\}|\[\s*\]|null|""|<(!doctype\s+)?html[\s\S]*)?\s*$/i.test(bytes.toString('utf8'))

async function readReply(
  transformer: Transformer,
  call: PrismCall,
  { reply, secrets }: Worded & { readonly reply: WireReply },
): Promise<FlowReading> {
  const { status, headers, bytes } = reply
  try {
    const result = await askTwice(() => transformer.read(call, { status, headers, body: bytes }))
    return result.kind === 'done'
      ? { kind: 'read', status, answer: result.value, saysNothing: saysNothing(bytes), secrets }
      : { kind: 'refused', status, refusal: result.refusal, secrets }
  } catch {
    return { kind: 'unread', status }
  }
}
