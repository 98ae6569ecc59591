/**
 * A span as the JSON of OTLP. Written by hand, because a payment has four and more: names and ids need no escaping, and no objects are built for
 * what is text a moment later.
 */
import type { Attributes, Span, SpanKind } from './tracer.ts'

// biome-ignore format: a table is read in columns.
const kinds: Readonly<Record<SpanKind, number>> = {
  internal: 1,
  server:   2,
  client:   3,
}
const failed = ',"status":{"code":2}'

export function spanText(span: Span): string {
  const { traceId, spanId, parentId, name, kind, startMs, endMs, attributes, hasFailed } = span
  const parent = parentId === null ? '' : `","parentSpanId":"${parentId}`
  const times = `"startTimeUnixNano":"${nanoseconds(startMs)}","endTimeUnixNano":"${nanoseconds(endMs)}"`
  const head = `{"traceId":"${traceId}","spanId":"${spanId}${parent}","name":"${name}","kind":${kinds[kind]},${times}`
  return `${head},"attributes":[${attributesText(attributes)}]${hasFailed ? failed : ''}}`
}

let second = 0
let secondText = ''

/** A number cannot hold nanoseconds since 1970 exactly. Most spans end in the second of the one before. */
function nanoseconds(ms: number): string {
  const microseconds = Math.round(ms * 1000)
  const wholeSeconds = Math.floor(microseconds / 1_000_000)
  if (wholeSeconds !== second) {
    second = wholeSeconds
    secondText = String(wholeSeconds)
  }
  return `${secondText}${String(microseconds - wholeSeconds * 1_000_000).padStart(6, '0')}000`
}

/** As elements of a list. */
export function attributesText(all: readonly Attributes[]): string {
  let text = ''
  for (const attributes of all)
    for (const key of Object.keys(attributes)) {
      const value = attributes[key]
      const valueText = typeof value === 'number' ? `"doubleValue":${value}` : `"stringValue":${JSON.stringify(value)}`
      text += `${text === '' ? '' : ','}{"key":"${key}","value":{${valueText}}}`
    }
  return text
}
