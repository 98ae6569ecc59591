/**
 * The helper process: `node program.ts FOLDER` loads the package hyperswitch-prism from FOLDER and translates between our messages and the
 * requests and replies of acquirers. It sends nothing itself; `protocol.ts` says what it is asked. It imports no module of the gateway, so
 * that it starts quickly and runs under another dynamic loader as well.
 */
import { createWriteStream } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

interface MessageType {
  encode(message: unknown): { finish(): Uint8Array }
  decode(bytes: Uint8Array): Readonly<Record<string, unknown>>
}

interface FlowTypes {
  readonly request: string
  readonly response: string
}

interface Library {
  callReq(flow: string, request: Uint8Array, options: Uint8Array): Uint8Array
  callRes(flow: string, reply: Uint8Array, request: Uint8Array, options: Uint8Array): Uint8Array
  callDirect(flow: string, request: Uint8Array, options: Uint8Array): Uint8Array
}

interface LongType {
  fromString(text: string): unknown
  isLong(value: unknown): boolean
}

interface HelperCall {
  readonly id: number
  readonly task: 'build' | 'read' | 'event'
  readonly flow: string
  readonly mode: 'live' | 'test'
  readonly config: unknown
  readonly request: unknown
  readonly reply?: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

const [folder = '.'] = process.argv.slice(2)
const load = createRequire(join(folder, 'package.json'))
const inPackage = (file: string) => load(`hyperswitch-prism/dist/src/payments/${file}`)
// The package has one module of message types and enumerations, both by their names.
const { types }: { types: Readonly<Record<string, MessageType & Readonly<Record<string, number>>>> } =
  inPackage('generated/proto.js')
const flows: { FLOWS: Record<string, FlowTypes>; SINGLE_FLOWS: Record<string, FlowTypes> } =
  inPackage('_generated_flows.js')
const { UniffiClient }: { UniffiClient: new () => Library } = inPackage('uniffi_client.js')
const { version }: { version: string } = load('hyperswitch-prism/package.json')
const Long: LongType = load('protobufjs/minimal').util.Long
const library = new UniffiClient()

const output = createWriteStream('', { fd: 3 })
const say = (message: unknown): void => {
  output.write(`${JSON.stringify(message, plain)}\n`)
}

const report = process.report.getReport()
const { glibcVersionRuntime = null } = Reflect.get(report, 'header') ?? {}
say({ hello: version, glibc: glibcVersionRuntime, rss: process.memoryUsage.rss() })

for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  const call: HelperCall = JSON.parse(line)
  say({ id: call.id, ...perform(call), rss: process.memoryUsage.rss() })
}
process.exit(0)

function perform(call: HelperCall): Readonly<Record<string, unknown>> {
  try {
    if (call.task === 'event') return { answer: readEvent(call) }
    return call.task === 'build' ? { built: build(call) } : { answer: read(call) }
  } catch (fault) {
    return { refused: refusalOf(fault) }
  }
}

function typesOf(flow: string, known: Readonly<Record<string, FlowTypes>>) {
  const { request = '', response = '' } = known[flow] ?? {}
  return { request: typeNamed(request), response: typeNamed(response), responseName: response }
}

function typeNamed(name: string) {
  const found = types[name]
  if (found === undefined) throw new Error(`The package has no type ${name}.`)
  return found
}

function encodeRequest({ flow, mode, config, request }: HelperCall, known: Readonly<Record<string, FlowTypes>>) {
  const environment = typeNamed('Environment')[mode === 'live' ? 'PRODUCTION' : 'SANDBOX']
  const options = typeNamed('FfiOptions').encode({ environment, connectorConfig: resolve(config) })
  return {
    options: options.finish(),
    message: typesOf(flow, known).request.encode(resolve(request)).finish(),
  }
}

function build(call: HelperCall) {
  const { message, options } = encodeRequest(call, flows.FLOWS)
  const built = typeNamed('FfiConnectorHttpRequest').decode(library.callReq(call.flow, message, options))
  const { method, url, headers, body } = built
  const bytes = body instanceof Uint8Array ? Buffer.from(body).toString('base64') : null
  return { method, url, headers, body: bytes }
}

function read(call: HelperCall) {
  const { status = 0, headers = {}, body = '' } = call.reply ?? {}
  const reply = typeNamed('FfiConnectorHttpResponse').encode({
    statusCode: status,
    headers,
    body: Buffer.from(body, 'base64'),
  })
  const { message, options } = encodeRequest(call, flows.FLOWS)
  const answered = typeNamed('FfiConnectorHttpResponse').decode(
    library.callRes(call.flow, reply.finish(), message, options),
  )
  const { response, responseName } = typesOf(call.flow, flows.FLOWS)
  const inside = answered.body
  return addNames(response.decode(inside instanceof Uint8Array ? inside : new Uint8Array()), responseName)
}

function readEvent(call: HelperCall) {
  const { message, options } = encodeRequest(call, flows.SINGLE_FLOWS)
  const { response } = typesOf(call.flow, flows.SINGLE_FLOWS)
  const answer = response.decode(library.callDirect(call.flow, message, options))
  const content = objectOf(answer.eventContent)
  return {
    ...answer,
    named: namedBy(call, options),
    eventTypeName: nameIn('WebhookEventType', answer.eventType),
    payment: content.paymentsResponse && addNames(objectOf(content.paymentsResponse), 'PaymentServiceGetResponse'),
    refund: content.refundsResponse && addNames(objectOf(content.refundsResponse), 'RefundResponse'),
    dispute: content.disputesResponse,
    eventContent: undefined,
  }
}

/** Whom the notification is about, which the package reads in a call of its own. */
function namedBy({ request }: HelperCall, options: Uint8Array): unknown {
  try {
    const { requestDetails } = objectOf(resolve(request))
    const { request: encoding, response } = typesOf('parse_event', flows.SINGLE_FLOWS)
    const message = encoding.encode({ requestDetails }).finish()
    return response.decode(library.callDirect('parse_event', message, options)).reference ?? null
  } catch {
    return null
  }
}

/** The name of the status in place of its number; what the acquirer said word for word stays here. */
function addNames(answer: Readonly<Record<string, unknown>>, type: string) {
  const { rawConnectorResponse: _reply, rawConnectorRequest: _request, responseHeaders: _headers, ...rest } = answer
  const form = objectOf(objectOf(answer.redirectionData).form)
  return {
    ...rest,
    statusName: nameIn(type === 'RefundResponse' ? 'RefundStatus' : 'PaymentStatus', answer.status),
    formMethod: nameIn('HttpMethod', form.method),
  }
}

function nameIn(type: string, value: unknown): string | null {
  const names = Object.entries(types[type] ?? {}).filter(([name]) => Number.isNaN(Number(name)))
  return names.find(([, number]) => number === value)?.[0] ?? null
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Our notation of enumerations, long numbers and bytes in the package's. */
function resolve(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolve)
  if (typeof value !== 'object' || value === null) return value
  const { $enum: inEnum, $long: long, $bytes: bytes }: { $enum?: string[]; $long?: string; $bytes?: string } = value
  if (inEnum !== undefined) return enumNumber(inEnum)
  if (long !== undefined) return Long.fromString(long)
  if (bytes !== undefined) return Buffer.from(bytes, 'base64')
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]))
}

function enumNumber([type = '', name = '']: readonly string[]): number {
  const number = types[type]?.[name]
  if (typeof number !== 'number') throw Object.assign(new Error(`${type} has no ${name}.`), { code: 'UNKNOWN_VALUE' })
  return number
}

/** JSON of what the package decoded: long numbers as text, bytes as base64. */
function plain(_name: string, value: unknown): unknown {
  if (Long.isLong(value)) return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value
}

function refusalOf(fault: unknown) {
  const { errorCode, code, message, proto } = Object(fault)
  return { code: String(errorCode ?? code ?? 'FAULT'), message: String(message ?? ''), error: proto?.errorInfo ?? null }
}
