/**
 * Chooses the traces that are recorded, as OpenTelemetry's samplers do. A choice by ratio depends on the trace id alone, so that every process
 * chooses alike, and a trace of a smaller share is also one of a larger share.
 */
import type { SamplerName } from './trace-settings.ts'

/** The caller's span, from the header of a proxy. */
export interface RemoteParent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

export type Sampler = (traceId: string, parent: RemoteParent | null) => boolean

export function createSampler(name: SamplerName, share: number): Sampler {
  const judge = judgeOf(name, share)
  return name.startsWith('parentbased_')
    ? (traceId, parent) => (parent === null ? judge(traceId) : parent.isSampled)
    : (traceId) => judge(traceId)
}

function judgeOf(name: SamplerName, share: number): (traceId: string) => boolean {
  if (name.endsWith('always_on')) return () => true
  if (name.endsWith('always_off')) return () => false
  const bound = share * 2 ** 52
  // The lower half of the id against the share of its range, as OpenTelemetry for Go, Python and Ruby do it. 52 of the 64 bits are exact in a number.
  return (traceId) => Number.parseInt(traceId.slice(16, 29), 16) < bound
}
