/** Traces as a collector receives them. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { newSchedule, startChain } from '../../chains.ts'
import { portOf } from '../../hosts/port-of.ts'
import { moveTo, planPayments } from '../../plans.ts'
import { openShop } from '../../shop.ts'

const attributeSchema = z.object({ key: z.string(), value: z.looseObject({ stringValue: z.string().optional() }) })
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(attributeSchema),
})
const requestSchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
})
type Span = z.infer<typeof spanSchema>

const bodies: string[] = []
let isDown = false
const collector = createServer((request, reply) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    if (request.url === '/v1/traces' && !isDown) bodies.push(Buffer.concat(parts).toString('utf8'))
    reply.writeHead(isDown ? 503 : 200).end('{}')
  })
})
before(() => new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', () => resolve())))
after(() => collector.close())

const spans = (): readonly Span[] =>
  bodies.flatMap((body) =>
    requestSchema
      .parse(JSON.parse(body))
      .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
const attributeOf = (span: Span | undefined, key: string) =>
  span?.attributes.find((one) => one.key === key)?.value.stringValue

const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`

const settingsOf = (proxies: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${portOf(collector)}`,
  TRUSTED_PROXIES: proxies,
})

/** Every request that a server of this process has received: the gateway, the sandbox acquirer, the merchant and the collector. */
const received: IncomingMessage[] = []
const note = (message: unknown): void => void received.push(requestSeen.parse(message).request)
const requestSeen = z.object({ request: z.instanceof(IncomingMessage) })
before(() => subscribe('http.server.request.start', note))
after(() => unsubscribe('http.server.request.start', note))
const traceHeaders = ['traceparent', 'tracestate', 'baggage', 'b3']

test('no trace header leaves the gateway: neither acquirers nor merchants nor the collector receive one', async () => {
  received.length = 0
  await using shop = await openShop(settingsOf('127.0.0.1'))
  const { body } = await shop.sale({}, { headers: { traceparent, tracestate: 'vendor=1', baggage: 'user=1' } })
  await shop.service.awaitIdle()
  assert.equal((await shop.callbacks(body.trans_id)).length, 1)
  const atAcquirer = received.filter(({ socket }) => String(socket.localPort) === new URL(shop.sandbox.url).port)
  assert.ok(
    atAcquirer.some(({ method, url }) => method === 'POST' && url?.startsWith('/v1/')),
    'the acquirer was asked',
  )
  const withTrace = received.filter(({ headers }) => traceHeaders.some((name) => name in headers))
  assert.deepEqual(
    withTrace.map(({ url }) => url),
    ['/post'],
    'only the request of the proxy has one',
  )
})

test('a sale is traced from request to callback, below the span of the proxy, without card data', async () => {
  bodies.length = 0
  const seen: IncomingHttpHeaders[] = []
  let paymentId = ''
  {
    await using shop = await openShop(settingsOf('127.0.0.1'))
    const answer = await shop.sale({}, { headers: { traceparent } })
    assert.equal(answer.body.result, 'SUCCESS')
    paymentId = answer.body.trans_id
    await shop.service.awaitIdle()
    for (const { headers } of await shop.callbacks(paymentId)) seen.push(headers)
  }
  const own = spans().filter(({ traceId }) => traceId === caller.traceId)
  const named = (name: string) => own.find((span) => span.name === name)
  const request = named('request')
  assert.equal(request?.parentSpanId, caller.spanId)
  assert.equal(attributeOf(request, 'gatehouse.payment_id'), paymentId)
  for (const name of ['intent', 'acquirer', 'outcome']) assert.equal(named(name)?.parentSpanId, request?.spanId, name)
  assert.equal(attributeOf(named('acquirer'), 'gatehouse.operation'), 'sale')
  assert.equal(attributeOf(named('acquirer'), 'gatehouse.outcome'), 'approved')
  const starts = ['request', 'intent', 'acquirer', 'outcome'].map((name) => BigInt(named(name)?.startTimeUnixNano ?? 0))
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => Number(a - b)),
  )
  const reported = spans().find(
    (span) => span.name === 'callback' && attributeOf(span, 'gatehouse.payment_id') === paymentId,
  )
  assert.equal(attributeOf(reported, 'gatehouse.outcome'), 'delivered')

  assert.doesNotMatch(bodies.join(''), /4111111111111111|411111|doe@example/i)
  assert.ok(
    seen.length === 1 && seen.every((headers) => !('traceparent' in headers)),
    'no trace header goes to merchants',
  )
})

test('a caller that is no proxy cannot choose the trace, and a collector that refuses traces fails no payment', async () => {
  bodies.length = 0
  {
    await using shop = await openShop(settingsOf(''))
    isDown = true
    assert.equal((await shop.sale()).body.result, 'SUCCESS')
    isDown = false
    assert.equal((await shop.sale({}, { headers: { traceparent } })).body.result, 'SUCCESS')
  }
  assert.ok(spans().length > 0)
  assert.ok(spans().every(({ traceId }) => traceId !== caller.traceId))
})

/** The spans below the jobs that name this payment, with the jobs themselves. */
function jobTraces(paymentId: string, job: string): readonly Span[] {
  const jobs = spans().filter(
    (span) =>
      span.name === 'job' &&
      attributeOf(span, 'gatehouse.payment_id') === paymentId &&
      attributeOf(span, 'gatehouse.job') === job,
  )
  return jobs.flatMap((one) => spans().filter((span) => [span.spanId, span.parentSpanId].includes(one.spanId)))
}

test("a plan's payment is traced below the job that made it, with its id", async () => {
  bodies.length = 0
  let paymentId = ''
  {
    await using shop = await openShop(settingsOf(''))
    await moveTo(shop, '2037-03-10')
    const scheduleId = await newSchedule(shop, { interval_length: '14', interval_unit: 'day', payments_count: '1' })
    const { recurring_token: token } = await startChain(shop, { schedule_id: scheduleId })
    await moveTo(shop, '2037-03-25')
    paymentId = (await planPayments(shop, token))[0]?.transId ?? assert.fail('no payment of the plan')
    await shop.service.awaitIdle()
  }
  const own = jobTraces(paymentId, 'schedules')
  assert.deepEqual(own.map(({ name }) => name).toSorted(), ['acquirer', 'intent', 'job', 'outcome'])
  const intent = own.find(({ name }) => name === 'intent')
  assert.equal(attributeOf(intent, 'gatehouse.payment_id'), paymentId)
  assert.equal(new Set(own.map(({ traceId }) => traceId)).size, 1)
})

test("a worker's query about an open outcome is traced below a job with the payment's id", async () => {
  bodies.length = 0
  let paymentId = ''
  {
    await using shop = await openShop(settingsOf(''))
    await shop.scenario({ drop_reply: { count: 1, of: 1 } })
    const { body } = await shop.sale()
    assert.equal(body.result, 'UNDEFINED')
    paymentId = body.trans_id
    await shop.advance(6_000)
  }
  const own = jobTraces(paymentId, 'reconcile')
  const query = own.find(({ name }) => name === 'acquirer')
  assert.equal(attributeOf(query, 'gatehouse.operation'), 'status')
  assert.ok(own.some((span) => span.name === 'outcome' && span.traceId === query?.traceId))
  for (const exchange of spans().filter(({ name }) => name === 'acquirer'))
    assert.ok(exchange.parentSpanId, attributeOf(exchange, 'gatehouse.operation'))
})
