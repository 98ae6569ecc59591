/** Traces as a collector receives them. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { newSchedule, startChain } from '../../chains.ts'
import { attributeOf, caller, type ReceivedSpan, TraceCollector, traceparentOf } from '../../hosts/trace-collector.ts'
import { expiryFields } from '../../payments.ts'
import { moveTo, planPayments } from '../../plans.ts'
import { openShop } from '../../shop.ts'

const collector = new TraceCollector()
before(() => collector.open())
after(() => collector.close())
const traceparent = traceparentOf(true)

const settingsOf = (proxies: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
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
  collector.forget()
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
  const own = collector.spans().filter(({ traceId }) => traceId === caller.traceId)
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
  const reported = collector
    .spans()
    .find((span) => span.name === 'callback' && attributeOf(span, 'gatehouse.payment_id') === paymentId)
  assert.equal(attributeOf(reported, 'gatehouse.outcome'), 'delivered')

  assert.doesNotMatch(collector.bodies.join(''), /4111111111111111|411111|doe@example/i)
  assert.ok(
    seen.length === 1 && seen.every((headers) => !('traceparent' in headers)),
    'no trace header goes to merchants',
  )
})

test('a caller that is no proxy cannot choose the trace, and a collector that refuses traces fails no payment', async () => {
  collector.forget()
  {
    await using shop = await openShop(settingsOf(''))
    collector.isDown = true
    assert.equal((await shop.sale()).body.result, 'SUCCESS')
    collector.isDown = false
    assert.equal((await shop.sale({}, { headers: { traceparent } })).body.result, 'SUCCESS')
  }
  assert.ok(collector.spans().length > 0)
  assert.ok(collector.spans().every(({ traceId }) => traceId !== caller.traceId))
})

/** The spans below the jobs that name this payment, with the jobs themselves. */
function jobTraces(paymentId: string, job: string): readonly ReceivedSpan[] {
  const jobs = collector
    .spans()
    .filter(
      (span) =>
        span.name === 'job' &&
        attributeOf(span, 'gatehouse.payment_id') === paymentId &&
        attributeOf(span, 'gatehouse.job') === job,
    )
  return jobs.flatMap((one) =>
    collector.spans().filter((span) => [span.spanId, span.parentSpanId].includes(one.spanId)),
  )
}

test("a plan's payment is traced below the job that made it, with its id", async () => {
  collector.forget()
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
  collector.forget()
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
  for (const exchange of collector.spans().filter(({ name }) => name === 'acquirer'))
    assert.ok(exchange.parentSpanId, attributeOf(exchange, 'gatehouse.operation'))
})

test("what an acquirer reports is entered below a job with the payment's id", async () => {
  collector.forget()
  let paymentId = ''
  {
    await using shop = await openShop(settingsOf(''), ['chargebacks'])
    paymentId = (await shop.sale(expiryFields('04/2040'))).body.trans_id
    await shop.advance(90_000)
  }
  const own = jobTraces(paymentId, 'acquirer-reports')
  assert.deepEqual(own.map(({ name }) => name).toSorted(), ['job', 'outcome'])
})
