/** Starts traces if they are configured. Otherwise none of their code is loaded, and nothing is wrapped. */
import type { Tracing } from '../observe/tracing/tracing.ts'
import { release } from '../process/release.ts'
import type { ProcessContext } from './process-context.ts'

export async function startTracing({ config, log }: ProcessContext): Promise<Tracing | null> {
  const { traceEndpoint: endpoint, trustedProxies, role } = config
  if (endpoint === null) return null
  const { otlpExporter } = await import('../observe/tracing/otlp-exporter.ts')
  const { openTracing } = await import('../observe/tracing/tracing.ts')
  const resource = { 'service.version': release, 'gatehouse.role': role }
  return openTracing(otlpExporter({ endpoint, resource, log }), (address) => trustedProxies.includes(address))
}
