/**
 * Sends spans to a collector by OTLP over HTTP, as JSON. It never delays or fails a payment: spans wait in a bounded number of batches, and those
 * that the collector does not take are dropped and counted in the log.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Log } from '#server/contracts/ports.ts'
import { SpanBatch } from './span-batch.ts'
import type { Attributes, Span } from './tracer.ts'

interface ExporterOptions {
  /** The base address of the collector; spans go to `/v1/traces` below it. */
  readonly endpoint: string
  /** What the spans say about the process: its role, its release. */
  readonly resource: Attributes
  readonly log: Log
  readonly everyMs?: number
  /** The time limit of one request, and of all spans that are left when the process ends. */
  readonly withinMs?: number
}

export interface Exporter {
  add(span: Span): void
  /** Sends what is left, as far as the collector takes it in time; once. */
  stop(): Promise<void>
}

/** Together with the batch that is sent and the one that is filled, 4 MB. */
const mostFull = 14
const defaultEveryMs = 2000
const defaultWithinMs = 5000

export function otlpExporter(options: ExporterOptions): Exporter {
  const { endpoint, resource, log, everyMs = defaultEveryMs, withinMs = defaultWithinMs } = options
  const { origin, pathname } = new URL(`${endpoint.replace(/\/+$/, '')}/v1/traces`)
  const collector = new Pool(origin, { connections: 1 })
  const spare: SpanBatch[] = []
  const nextBatch = () => spare.pop() ?? new SpanBatch({ 'service.name': 'gatehouse', ...resource })
  let filling = nextBatch()
  const full: SpanBatch[] = []
  let dropped = 0
  let isFailing = false
  let sending: Promise<void> | null = null

  const sendFull = async (): Promise<void> => {
    for (let batch = full.shift(); batch !== undefined; batch = isFailing ? undefined : full.shift()) {
      const failure = await post(collector, { path: pathname, body: batch.body(), withinMs })
      if (failure !== null) dropped += batch.spans
      batch.empty()
      spare.push(batch)
      // Once per outage: a line per batch would fill the log.
      if (failure !== null && !isFailing)
        log.warn({ count: dropped, reason: failure }, 'Traces could not be sent to the collector.')
      isFailing = failure !== null
    }
    if (!isFailing) report('The collector takes traces again. Spans were dropped meanwhile.')
  }
  const report = (message: string): void => {
    if (dropped > 0) log.warn({ count: dropped }, message)
    dropped = 0
  }
  /** One at a time: a silent collector would otherwise be waited for once per interval. */
  const send = (): Promise<void> => {
    sending ??= sendFull().finally(() => {
      sending = null
    })
    return sending
  }
  const flush = (): Promise<void> => {
    if (filling.spans > 0 && full.length < mostFull) {
      full.push(filling)
      filling = nextBatch()
    }
    return send()
  }
  const timer = setInterval(() => void flush(), everyMs).unref()

  /** The batch that is being filled finds room only after the others were sent. */
  const sendRest = async (): Promise<void> => {
    await sending
    await flush()
    if (!isFailing) await flush()
  }

  return {
    add: (span) => {
      if (filling.add(span)) return
      if (full.length < mostFull) {
        void flush()
        if (filling.add(span)) return
      }
      dropped += 1
    },
    stop: async () => {
      clearInterval(timer)
      const rest = sendRest()
      await Promise.race([rest, sleep(withinMs, undefined, { ref: false })])
      await collector.destroy()
      await rest
      for (const batch of [...full, filling]) dropped += batch.spans
      report('Spans were dropped, because the collector did not take them before the process ended.')
    },
  }
}

interface Sent {
  readonly path: string
  readonly body: Uint8Array
  readonly withinMs: number
}

/** Null, or why it failed. Not by `fetch`, which copies the body twice. */
async function post(collector: Pool, { path, body, withinMs }: Sent): Promise<string | null> {
  try {
    const reply = await collector.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(withinMs),
    })
    // Read to its end, so that the connection serves the next batch, too.
    await reply.body.dump()
    return reply.statusCode < 300 ? null : `status ${reply.statusCode}`
  } catch (error) {
    return error instanceof Error ? error.name : 'unknown'
  }
}
