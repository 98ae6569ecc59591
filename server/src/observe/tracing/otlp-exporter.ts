/**
 * Sends spans to a collector by OTLP over HTTP, as JSON. It never delays or fails a payment: spans wait in a bounded list, and those that the
 * collector does not take are dropped.
 */
import type { Log } from '#server/contracts/ports.ts'
import type { Attributes, Span, SpanKind } from './tracer.ts'

interface ExporterOptions {
  /** The base address of the collector; spans go to `/v1/traces` below it. */
  readonly endpoint: string
  /** Of the process: its role, its release. */
  readonly resource: Attributes
  readonly log: Log
  readonly everyMs?: number
}

export interface Exporter {
  add(span: Span): void
  /** Sends what is left. */
  stop(): Promise<void>
}

const mostWaiting = 4096
const batchSize = 512
const defaultEveryMs = 2000
const sendWithinMs = 5000

export function otlpExporter({ endpoint, resource, log, everyMs = defaultEveryMs }: ExporterOptions): Exporter {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  let waiting: Span[] = []
  let dropped = 0
  let isFailing = false
  let sending: Promise<void> = Promise.resolve()

  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      waiting = waiting.slice(batchSize)
      const failure = await post(url, requestOf(resource, batch))
      if (failure === null) {
        isFailing = false
        continue
      }
      dropped += batch.length
      // Once per outage: a line per batch would fill the log.
      if (!isFailing) log.warn({ dropped, reason: failure }, 'Traces could not be sent to the collector.')
      isFailing = true
      return
    }
  }
  const flush = (): Promise<void> => {
    sending = sending.then(send)
    return sending
  }
  const timer = setInterval(() => void flush(), everyMs).unref()

  return {
    add: (span) => {
      if (waiting.length < mostWaiting) waiting.push(span)
      else dropped += 1
    },
    stop: () => {
      clearInterval(timer)
      return flush()
    },
  }
}

/** Null, or why it failed. */
async function post(url: string, body: object): Promise<string | null> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(sendWithinMs),
    })
    await reply.body?.cancel()
    return reply.ok ? null : `status ${reply.status}`
  } catch (error) {
    return error instanceof Error ? error.name : 'unknown'
  }
}

// biome-ignore format: a table is read in columns.
const kinds: Readonly<Record<SpanKind, number>> = {
  internal: 1,
  server:   2,
  client:   3,
}
const failedStatus = 2

const requestOf = (resource: Attributes, spans: readonly Span[]): object => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf({ 'service.name': 'gatehouse', ...resource }) },
      scopeSpans: [{ scope: { name: 'gatehouse' }, spans: spans.map(spanOf) }],
    },
  ],
})

const spanOf = ({ parentId, name, kind, startMs, endMs, attributes, hasFailed, ...ids }: Span): object => ({
  ...ids,
  ...(parentId === null ? {} : { parentSpanId: parentId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(startMs),
  endTimeUnixNano: nanoseconds(endMs),
  attributes: attributesOf(attributes),
  ...(hasFailed ? { status: { code: failedStatus } } : {}),
})

/** A number cannot hold nanoseconds since 1970 exactly. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n)

const attributesOf = (attributes: Attributes): readonly object[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }))
