/**
 * Sends spans to a collector by OTLP over HTTP, as JSON. It never delays or fails a payment: spans wait in a bounded number of batches, and those
 * that the collector does not take are dropped.
 */
import { Pool } from 'undici'
import type { Log } from '#server/contracts/ports.ts'
import { SpanBatch } from './span-batch.ts'
import type { Attributes, Span } from './tracer.ts'

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
  /** Sends what is left; once. */
  stop(): Promise<void>
}

/** 4 MB wait at most. */
const mostFull = 15
const defaultEveryMs = 2000
const sendWithinMs = 5000

export function otlpExporter({ endpoint, resource, log, everyMs = defaultEveryMs }: ExporterOptions): Exporter {
  const { origin, pathname } = new URL(`${endpoint.replace(/\/+$/, '')}/v1/traces`)
  const collector = new Pool(origin, { connections: 1 })
  const spare: SpanBatch[] = []
  const nextBatch = () => spare.pop() ?? new SpanBatch({ 'service.name': 'gatehouse', ...resource })
  let filling = nextBatch()
  const full: SpanBatch[] = []
  let dropped = 0
  let isFailing = false
  let sending: Promise<void> = Promise.resolve()

  const send = async (): Promise<void> => {
    for (let batch = full.shift(); batch !== undefined; batch = isFailing ? undefined : full.shift()) {
      const failure = await post(collector, pathname, batch.body())
      if (failure !== null) dropped += batch.spans
      batch.empty()
      spare.push(batch)
      // Once per outage: a line per batch would fill the log.
      if (failure !== null && !isFailing)
        log.warn({ dropped, reason: failure }, 'Traces could not be sent to the collector.')
      isFailing = failure !== null
    }
  }
  const flush = (): Promise<void> => {
    if (filling.spans > 0) {
      full.push(filling)
      filling = nextBatch()
    }
    sending = sending.then(send)
    return sending
  }
  const timer = setInterval(() => void flush(), everyMs).unref()

  return {
    add: (span) => {
      if (filling.add(span)) return
      if (full.length >= mostFull) {
        dropped += 1
        return
      }
      void flush()
      filling.add(span)
    },
    stop: async () => {
      clearInterval(timer)
      await flush()
      await collector.close()
    },
  }
}

/** Null, or why it failed. Not by `fetch`, which copies the body twice. */
async function post(collector: Pool, path: string, body: Uint8Array): Promise<string | null> {
  try {
    const reply = await collector.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(sendWithinMs),
    })
    // Read to its end, so that the connection serves the next batch, too.
    await reply.body.dump()
    return reply.statusCode < 300 ? null : `status ${reply.statusCode}`
  } catch (error) {
    return error instanceof Error ? error.name : 'unknown'
  }
}
