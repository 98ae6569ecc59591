/**
 * Spans: what a process did for a request or a callback, and how long each step took. A step inside another one becomes its child by the
 * asynchronous context, so that no function has to pass a span on.
 *
 * Attributes come from fixed lists and our own identifiers, never from a request: a span leaves the machine and may contain no card data.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export type SpanKind = 'internal' | 'server' | 'client'
export type Attributes = Readonly<Record<string, string | number>>

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  readonly kind: SpanKind
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly hasFailed: boolean
}

/** What a child knows of the span above it: one of this process, or the caller's, from the header of a proxy. */
interface SpanIdentity {
  readonly traceId: string
  readonly spanId: string
}

/** A span of this process that has begun. */
interface BegunSpan extends SpanIdentity {
  learned: Attributes
}

export interface OpenSpan {
  /** Steps of this work become children. */
  enter<T>(work: () => T): T
  /** Ends once; later calls do nothing. */
  end(attributes: Attributes, hasFailed?: boolean): void
}

export interface Tracer {
  open(name: string, kind: SpanKind, parent?: SpanIdentity | null): OpenSpan
  /** A step from its begin to its end. A thrown error marks it as failed and is passed on. */
  traceStep<T>(draft: StepDraft, work: () => Promise<T>, describe?: (result: T) => Attributes): Promise<T>
  /** Adds to the span of the work that calls it what is known only now. */
  describe(attributes: Attributes): void
}

interface StepDraft {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
}

export function createTracer(emit: (span: Span) => void): Tracer {
  const current = new AsyncLocalStorage<BegunSpan>()

  const open = (name: string, kind: SpanKind, parent?: SpanIdentity | null): OpenSpan => {
    const above = parent ?? current.getStore() ?? null
    const ids = { traceId: above?.traceId ?? randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') }
    const own: BegunSpan = { ...ids, learned: {} }
    const startMs = nowMs()
    let hasEnded = false
    return {
      enter: (work) => current.run(own, work),
      end: (attributes, hasFailed = false) => {
        if (hasEnded) return
        hasEnded = true
        const known = { ...attributes, ...own.learned }
        const endMs = nowMs()
        emit({ ...ids, parentId: above?.spanId ?? null, name, kind, startMs, endMs, attributes: known, hasFailed })
      },
    }
  }

  return {
    open,
    describe: (attributes) => {
      const own = current.getStore()
      if (own) own.learned = { ...own.learned, ...attributes }
    },
    traceStep: async ({ name, kind, attributes }, work, describe) => {
      const span = open(name, kind)
      try {
        const result = await span.enter(work)
        span.end({ ...attributes, ...describe?.(result) })
        return result
      } catch (error) {
        span.end(attributes, true)
        throw error
      }
    },
  }
}

/** Real time, also on a sandbox whose clock was moved: traces of several programs are compared by it. */
const nowMs = (): number => performance.timeOrigin + performance.now()

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/

/** Reads the header `traceparent` (W3C Trace Context); null unless it is valid. */
export function readTraceparent(header: string | readonly string[] | undefined): SpanIdentity | null {
  const [, traceId = '', spanId = ''] = typeof header === 'string' ? (traceparent.exec(header) ?? []) : []
  return /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId) ? { traceId, spanId } : null
}
