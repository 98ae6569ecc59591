/**
 * Spans on their way to the collector, as the body of one request. They are encoded when they end: objects that wait for seconds would be
 * moved by the garbage collector, bytes outside of its heap are not.
 */
import { attributesText, spanText } from './span-text.ts'
import type { Attributes, Span } from './tracer.ts'

/** About 400 spans. */
const batchBytes = 256 * 1024
const tail = ']}]}]}'
const mostBytesPerUnit = 3

export class SpanBatch {
  readonly #bytes = Buffer.allocUnsafeSlow(batchBytes)
  readonly #headBytes: number
  #used: number
  spans = 0

  constructor(resource: Attributes) {
    const head = `{"resourceSpans":[{"resource":{"attributes":[${attributesText([resource])}]},"scopeSpans":[{"scope":{"name":"gatehouse"},"spans":[`
    this.#headBytes = this.#bytes.write(head)
    this.#used = this.#headBytes
  }

  /** False if it has no room for it. */
  add(span: Span): boolean {
    const text = spanText(span)
    if (this.#used + text.length * mostBytesPerUnit + 1 + tail.length > batchBytes) return false
    if (this.spans > 0) this.#used += this.#bytes.write(',', this.#used)
    this.#used += this.#bytes.write(text, this.#used)
    this.spans += 1
    return true
  }

  /** Valid until the batch is emptied. */
  body(): Uint8Array {
    return this.#bytes.subarray(0, this.#used + this.#bytes.write(tail, this.#used))
  }

  empty(): void {
    this.#used = this.#headBytes
    this.spans = 0
  }
}
