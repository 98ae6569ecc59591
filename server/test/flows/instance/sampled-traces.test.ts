/** Which requests and jobs are traced, by the samplers that OpenTelemetry names. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { attributeOf, caller, TraceCollector, traceparentOf } from '../../hosts/trace-collector.ts'
import { openShop, type Shop } from '../../shop.ts'

const collector = new TraceCollector()
before(() => collector.open())
beforeEach(() => collector.forget())
after(() => collector.close())

const settingsOf = (sampler: string, share = '1', proxies = '127.0.0.1') => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_TRACES_SAMPLER: sampler,
  OTEL_TRACES_SAMPLER_ARG: share,
  TRUSTED_PROXIES: proxies,
})

/** The ids of the payments. Their spans have been sent when it returns. */
async function sell(settings: Readonly<Record<string, string>>, headers: Record<string, string> = {}, sales = 1) {
  await using shop = await openShop(settings)
  const sold: string[] = []
  for (let sale = 0; sale < sales; sale += 1) sold.push(await saleOf(shop, headers))
  await shop.service.awaitIdle()
  return sold
}

async function saleOf(shop: Shop, headers: Record<string, string>): Promise<string> {
  const { body } = await shop.sale({ order_id: `SAMPLED-${crypto.randomUUID()}` }, { headers })
  assert.equal(body.result, 'SUCCESS')
  return body.trans_id
}

const namesOfRequests = (): readonly string[] => {
  const requests = collector.spans().filter(({ name }) => name === 'request')
  return collector
    .spans()
    .filter(({ traceId }) => requests.some((request) => request.traceId === traceId))
    .map(({ name }) => name)
    .toSorted()
}

for (const sampler of ['always_off', 'parentbased_always_off'])
  test(`${sampler} sends nothing, and payments succeed`, async () => {
    await sell(settingsOf(sampler))
    assert.deepEqual(collector.bodies, [])
  })

for (const sampler of ['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio']) {
  test(`with ${sampler} a request is traced if the flag of a proxy says so`, async () => {
    await sell(settingsOf(sampler, '0'), { traceparent: traceparentOf(true) })
    assert.deepEqual(namesOfRequests(), ['acquirer', 'intent', 'outcome', 'request'])
    assert.ok(collector.spans().some(({ parentSpanId }) => parentSpanId === caller.spanId))
  })

  test(`with ${sampler} neither a request nor a step of it is traced if the flag of a proxy says so`, async () => {
    await sell(settingsOf(sampler), { traceparent: traceparentOf(false) })
    assert.deepEqual(
      collector.spans().filter(({ name }) => name !== 'callback'),
      [],
    )
  })
}

test('the flag of a caller that is no proxy changes nothing', async () => {
  await sell(settingsOf('parentbased_always_on', '1', ''), { traceparent: traceparentOf(false) })
  assert.deepEqual(namesOfRequests(), ['acquirer', 'intent', 'outcome', 'request'])
  collector.forget()
  await sell(settingsOf('parentbased_always_off', '1', ''), { traceparent: traceparentOf(true) })
  assert.deepEqual(collector.spans(), [])
})

test('without parentbased_ the flag of a proxy changes nothing', async () => {
  await sell(settingsOf('always_on'), { traceparent: traceparentOf(false) })
  assert.deepEqual(namesOfRequests(), ['acquirer', 'intent', 'outcome', 'request'])
  collector.forget()
  await sell(settingsOf('traceidratio', '0'), { traceparent: traceparentOf(true) })
  assert.deepEqual(collector.spans(), [])
})

test('a share of the requests is traced, each with all its steps or not at all, and the callbacks that the payment’s id chooses', async () => {
  const sales = 40
  const sold = await sell(settingsOf('parentbased_traceidratio', '0.5', ''), {}, sales)
  const traced = (name: string) =>
    new Set(
      collector
        .spans()
        .filter((span) => span.name === name)
        .map((span) => attributeOf(span, 'gatehouse.payment_id')),
    )
  const requests = traced('request')
  // Outside of these in one of 100 million runs.
  assert.ok(requests.size >= 3 && requests.size <= sales - 3, `${requests.size} of ${sales}`)
  assert.deepEqual(traced('intent'), requests)
  assert.deepEqual(traced('outcome'), requests)
  for (const { traceId } of collector.spans().filter(({ name }) => name === 'acquirer'))
    assert.ok(collector.spans().some((span) => span.name === 'request' && span.traceId === traceId))
  // Any process can say it of any payment, without asking another one.
  const isChosen = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(18, 31), 16) < 0.5 * 2 ** 52
  assert.deepEqual(new Set(traced('callback')), new Set(sold.filter(isChosen)))
})
