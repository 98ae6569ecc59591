/** Starts traces if they are configured. Otherwise none of their code is loaded, and nothing is wrapped. */
import type { Tracing } from '../observe/tracing/tracing.ts'
import { release } from '../process/release.ts'
import type { ProcessContext } from './process-context.ts'

export async function startTracing({ config, log }: ProcessContext): Promise<Tracing | null> {
  const { traces, trustedProxies, role } = config
  if (traces === null) return null
  const [{ otlpExporter }, { openTracing }, { createSampler }] = await Promise.all([
    import('../observe/tracing/otlp-exporter.ts'),
    import('../observe/tracing/tracing.ts'),
    import('../observe/tracing/sampler.ts'),
  ])
  const resource = { 'service.version': release, 'gatehouse.role': role }
  return openTracing({
    exporter: otlpExporter({ endpoint: traces.endpoint, resource, log }),
    isSampled: createSampler(traces.sampler, traces.share),
    isProxy: (address) => trustedProxies.includes(address),
  })
}
