/** Settings of traces, named and read as OpenTelemetry defines them. Chapter 80 §3. */
import { z } from 'zod'

/** With `parentbased_` the flag of a trusted `traceparent` decides; the rest of the name judges traces that begin here. */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplers)[number]

const samplerFault = `Must be one of ${samplers.join(', ')}.`
const shareFault = 'Must be a number from 0 to 1, such as 0.1.'

// biome-ignore format: a table is read in columns.
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'Must be a web address such as http://127.0.0.1:4318.' }).optional().describe('Address of an OpenTelemetry collector, for example http://127.0.0.1:4318; traces are sent to /v1/traces below it. Without it there are no traces.'),
  OTEL_TRACES_SAMPLER:      z.enum(samplers, samplerFault).default('parentbased_always_on').describe('Which requests and jobs are traced: always_on, always_off, or traceidratio for the share OTEL_TRACES_SAMPLER_ARG. With parentbased_ before it, the flag of a traceparent header from TRUSTED_PROXIES decides first.'),
  OTEL_TRACES_SAMPLER_ARG:  z.string().regex(/^(?:0?\.[0-9]{1,15}|0|1|1\.0{1,15})$/, shareFault).transform(Number).default(1).describe('Share of traces for traceidratio and parentbased_traceidratio, from 0 to 1; 0.1 traces a tenth.'),
} as const

const schema = z.object(traceSettings)
type Values = z.output<typeof schema>

export interface TraceConfig {
  /** The base address of the collector. */
  readonly endpoint: string
  readonly sampler: SamplerName
  /** The share for the samplers by ratio. */
  readonly share: number
}

/** Null if there are no traces. */
export function traceConfig(values: Values): TraceConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share } = values
  return endpoint === undefined || sampler === 'always_off' ? null : { endpoint, sampler, share }
}
