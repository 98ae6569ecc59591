/**
 * Spans: what a process did for a request or a callback, and how long each step took. A step becomes a child of the request or job around it
 * by the asynchronous context, so that no function has to pass a span on. Work that is not sampled has no context, and its steps run as without
 * traces.
 *
 * Attributes come from fixed lists and our own identifiers, never from a request: a span leaves the machine and may contain no card data.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RemoteParent, Sampler } from './sampler.ts'
import { newSpanId, newTraceId, newTraceIdFor } from './trace-ids.ts'

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
  /** No name is in two of them. */
  readonly attributes: readonly Attributes[]
  readonly hasFailed: boolean
}

export interface OpenSpan {
  /** Steps of this work become children. */
  enter<T>(work: () => T): T
  /** Ends once; later calls do nothing. */
  end(attributes: Attributes, hasFailed?: boolean): void
}

interface SpanDraft {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
}

/** What is known only from the result. */
type Describe<T> = (result: T) => Attributes

export interface Tracer {
  /** Begins a trace, or continues the caller's; null if it is not sampled. */
  open(name: string, kind: SpanKind, parent: RemoteParent | null): OpenSpan | null
  /** A trace of its own for work on this payment, whatever caused it. Steps of the work become children. */
  traceWork<T>(paymentId: string | null, draft: SpanDraft, work: () => Promise<T>, describe?: Describe<T>): Promise<T>
  /** Whether the work that calls is recorded. If not, its steps need not be described. */
  isRecording(): boolean
  /** A step from its begin to its end, which has no steps of its own. A thrown error marks it as failed and is passed on. */
  traceStep<T>(draft: SpanDraft, work: () => Promise<T>, describe?: Describe<T>): Promise<T>
  /** Adds to the span of the work that calls it what is known only now. */
  describe(attributes: Attributes): void
}

export function createTracer(isSampled: Sampler, emit: (span: Span) => void): Tracer {
  const current = new AsyncLocalStorage<BegunSpan | undefined>()

  const open = (name: string, kind: SpanKind, parent: RemoteParent | null): OpenSpan | null => {
    const traceId = parent?.traceId ?? newTraceId()
    if (!isSampled(traceId, parent)) return null
    const span = new BegunSpan(traceId, parent?.spanId ?? null, { name, kind, attributes: {} })
    return {
      enter: (work) => current.run(span, work),
      end: (attributes, hasFailed = false) => {
        if (span.hasEnded) return
        emit(span.end(attributes, hasFailed))
      },
    }
  }

  const record = async <T>(span: BegunSpan, work: () => Promise<T>, describe?: Describe<T>): Promise<T> => {
    let result: T
    try {
      result = await work()
    } catch (error) {
      emit(span.end(null, true))
      throw error
    }
    emit(span.end(describe?.(result) ?? null))
    return result
  }

  return {
    open,
    traceWork: (paymentId, draft, work, describe) => {
      const traceId = paymentId === null ? newTraceId() : newTraceIdFor(paymentId)
      if (isSampled(traceId, null)) {
        const span = new BegunSpan(traceId, null, draft)
        return record(span, () => current.run(span, work), describe)
      }
      // A request of the same process may have woken the worker, and its context with it.
      return current.getStore() === undefined ? work() : current.run(undefined, work)
    },
    isRecording: () => current.getStore() !== undefined,
    traceStep: (draft, work, describe) => {
      const above = current.getStore()
      if (above === undefined) return work()
      return record(new BegunSpan(above.traceId, above.spanId, draft), work, describe)
    },
    describe: (attributes) => current.getStore()?.learn(attributes),
  }
}

class BegunSpan {
  readonly traceId: string
  readonly spanId = newSpanId()
  readonly #parentId: string | null
  readonly #draft: SpanDraft
  readonly #startMs = nowMs()
  #learned: Attributes | null = null
  hasEnded = false

  constructor(traceId: string, parentId: string | null, draft: SpanDraft) {
    this.traceId = traceId
    this.#parentId = parentId
    this.#draft = draft
  }

  learn(attributes: Attributes): void {
    this.#learned = { ...this.#learned, ...attributes }
  }

  end(further: Attributes | null, hasFailed = false): Span {
    this.hasEnded = true
    const { name, kind, attributes } = this.#draft
    const known = [attributes]
    if (further !== null) known.push(further)
    if (this.#learned !== null) known.push(this.#learned)
    return {
      traceId: this.traceId,
      spanId: this.spanId,
      parentId: this.#parentId,
      name,
      kind,
      startMs: this.#startMs,
      endMs: nowMs(),
      attributes: known,
      hasFailed,
    }
  }
}

const { timeOrigin } = performance

/** Real time, also on a sandbox whose clock was moved: traces of several programs are compared by it. */
const nowMs = (): number => timeOrigin + performance.now()

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

/** Reads the header `traceparent` (W3C Trace Context); null unless it is valid. */
export function readTraceparent(header: string | readonly string[] | undefined): RemoteParent | null {
  const [, traceId = '', spanId = '', flags = ''] = typeof header === 'string' ? (traceparent.exec(header) ?? []) : []
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
