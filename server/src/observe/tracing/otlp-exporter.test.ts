import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TraceCollector } from '../../../test/hosts/trace-collector.ts'
import { createLog } from '../log.ts'
import { otlpExporter } from './otlp-exporter.ts'
import { spanText } from './span-text.ts'
import type { Span } from './tracer.ts'

const collector = new TraceCollector()
before(() => collector.open())
beforeEach(() => {
  collector.forget()
  collector.isSilent = false
})
after(() => collector.close())

const span: Span = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  parentId: null,
  name: 'request',
  kind: 'server',
  startMs: 1_795_069_000_123.456,
  endMs: 1_795_069_000_200,
  attributes: [{ 'http.route': '/post', 'http.response.status_code': 200 }],
  hasFailed: false,
}

function open({ everyMs = 20, withinMs = 5000 } = {}) {
  const lines: string[] = []
  const log = createLog({ destination: { write: (line) => void lines.push(line) } })
  const resource = { 'service.version': '1.2.3', 'gatehouse.role': 'api' }
  return { lines, exporter: otlpExporter({ endpoint: `${collector.url}/`, resource, log, everyMs, withinMs }) }
}

test('a span is written as OTLP in JSON', () => {
  assert.deepEqual(JSON.parse(spanText(span)), {
    traceId: span.traceId,
    spanId: span.spanId,
    name: 'request',
    kind: 2,
    startTimeUnixNano: '1795069000123456000',
    endTimeUnixNano: '1795069000200000000',
    attributes: [
      { key: 'http.route', value: { stringValue: '/post' } },
      { key: 'http.response.status_code', value: { doubleValue: 200 } },
    ],
  })
})

test('a failed step has its parent and the status of an error, and values are escaped', () => {
  const text = spanText({
    ...span,
    kind: 'client',
    parentId: 'aaaaaaaaaaaaaaaa',
    attributes: [{ 'http.route': 'a"\\\n\u2028ü' }, {}, { 'gatehouse.outcome': '' }],
    hasFailed: true,
  })
  const { parentSpanId, kind, attributes, status } = JSON.parse(text)
  assert.deepEqual([parentSpanId, kind, status], ['aaaaaaaaaaaaaaaa', 3, { code: 2 }])
  assert.deepEqual(attributes, [
    { key: 'http.route', value: { stringValue: 'a"\\\n\u2028ü' } },
    { key: 'gatehouse.outcome', value: { stringValue: '' } },
  ])
})

test('a batch names the process once, with its release and role', async () => {
  const { exporter } = open()
  exporter.add(span)
  exporter.add(span)
  await exporter.stop()
  assert.equal(collector.bodies.length, 1)
  const { resourceSpans } = JSON.parse(collector.bodies[0] ?? '')
  assert.deepEqual(resourceSpans, [
    {
      resource: {
        attributes: [
          { key: 'service.name', value: { stringValue: 'gatehouse' } },
          { key: 'service.version', value: { stringValue: '1.2.3' } },
          { key: 'gatehouse.role', value: { stringValue: 'api' } },
        ],
      },
      scopeSpans: [{ scope: { name: 'gatehouse' }, spans: [JSON.parse(spanText(span)), JSON.parse(spanText(span))] }],
    },
  ])
})

test('more spans than a batch holds are all sent, each once and in their order', async () => {
  const { exporter } = open()
  const ids = Array.from({ length: 3000 }, (_, number) => number.toString(16).padStart(16, '0'))
  for (const spanId of ids) exporter.add({ ...span, spanId })
  await exporter.stop()
  assert.ok(collector.bodies.length > 1)
  assert.deepEqual(
    collector.spans().map(({ spanId }) => spanId),
    ids,
  )
})

test('nothing is sent if there are no spans', async () => {
  const { exporter } = open()
  await exporter.stop()
  assert.deepEqual(collector.bodies, [])
})

test('spans that a collector refuses are dropped with one log line when it begins and one when it ends, and later ones arrive', async () => {
  const { exporter, lines } = open()
  collector.isDown = true
  // Several times what may wait.
  for (let number = 0; number < 40_000; number += 1) exporter.add(span)
  // Longer than several tries take.
  await sleep(200)
  collector.isDown = false
  exporter.add({ ...span, spanId: 'bbbbbbbbbbbbbbbb' })
  await exporter.stop()
  assert.equal(lines.length, 2, lines.join(''))
  assert.match(lines[0] ?? '', /could not be sent/)
  assert.match(lines[1] ?? '', /"count":[1-9][0-9]{4}.*takes traces again/)
  assert.ok(collector.spans().some(({ spanId }) => spanId === 'bbbbbbbbbbbbbbbb'))
})

test('a collector that never answers does not fill the memory', async () => {
  collector.isSilent = true
  const { exporter } = open({ everyMs: 1, withinMs: 400 })
  const before = process.memoryUsage().arrayBuffers
  const end = performance.now() + 300
  while (performance.now() < end) {
    exporter.add(span)
    await sleep(1)
  }
  const waiting = process.memoryUsage().arrayBuffers - before
  assert.ok(waiting < 8 * 1024 * 1024, `${waiting} bytes`)
  await exporter.stop()
})

test('a collector that never answers holds up the end of the process for one try, and the log says how much was dropped', async () => {
  collector.isSilent = true
  const { exporter, lines } = open({ everyMs: 10, withinMs: 300 })
  for (let number = 0; number < 30_000; number += 1) exporter.add(span)
  await sleep(100)
  const begun = performance.now()
  await exporter.stop()
  // Sixteen batches wait: a try for each would take five seconds.
  assert.ok(performance.now() - begun < 2000, `${performance.now() - begun} ms`)
  assert.match(lines.at(-1) ?? '', /"count":30000\b/)
})

test('when a silent collector answers again, later spans arrive', async () => {
  collector.isSilent = true
  const { exporter } = open({ withinMs: 50 })
  exporter.add(span)
  await sleep(200)
  collector.isSilent = false
  exporter.add({ ...span, spanId: 'cccccccccccccccc' })
  await exporter.stop()
  assert.deepEqual(
    collector.spans().map(({ spanId }) => spanId),
    ['cccccccccccccccc'],
  )
})
