/** A collector of traces, which keeps what it receives. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { portOf } from './port-of.ts'

const attributeSchema = z.object({ key: z.string(), value: z.looseObject({ stringValue: z.string().optional() }) })
const spanSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string().regex(/^[0-9]{19}$/),
  endTimeUnixNano: z.string().regex(/^[0-9]{19}$/),
  attributes: z.array(attributeSchema),
})
const requestSchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
})
export type ReceivedSpan = z.infer<typeof spanSchema>

export class TraceCollector {
  /** Received since the last `forget`, as they came. */
  bodies: string[] = []
  isDown = false
  /** It accepts connections and never answers. */
  isSilent = false
  readonly #server = createServer(async (request, reply) => {
    if (this.isSilent) return
    const body = await text(request)
    if (request.url === '/v1/traces' && !this.isDown) this.bodies.push(body)
    reply.writeHead(this.isDown ? 503 : 200).end('{}')
  })

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`
  }

  forget(): void {
    this.bodies = []
  }

  spans(): readonly ReceivedSpan[] {
    return this.bodies.flatMap((body) =>
      requestSchema
        .parse(JSON.parse(body))
        .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    )
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export const attributeOf = (span: ReceivedSpan | undefined, key: string): string | undefined =>
  span?.attributes.find((one) => one.key === key)?.value.stringValue

/** The header of a caller's span, with the flag that says whether the caller records it. */
export const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
export const traceparentOf = (isSampled: boolean): string =>
  `00-${caller.traceId}-${caller.spanId}-${isSampled ? '01' : '00'}`
