/** Metrics of the request gate: admitted, waiting and refused requests. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const refusalReasons = ['queue-full', 'waited-too-long', 'too-many-open', 'connections', 'idle'] as const

export interface GateSample {
  readonly inside: number
  readonly waiting: number
  readonly limit: number
}

export interface GateMetrics {
  countAdmitted(waitedSeconds: number): void
  countRefused(reason: (typeof refusalReasons)[number]): void
}

// Up to the longest wait that an operator would configure.
const waitBuckets = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function gateMetrics(registry: Registry, sample?: () => GateSample): GateMetrics {
  const waits = new Histogram({
    name: 'gatehouse_gate_wait_seconds',
    help: 'Time that requests waited before processing.',
    buckets: waitBuckets,
    registers: [registry],
  })
  const refused = new Counter({
    name: 'gatehouse_gate_refused_total',
    help: 'Requests refused with 503, connections closed because there were too many, and idle connections closed because their caller had too many.',
    labelNames: ['reason'],
    registers: [registry],
  })
  for (const reason of refusalReasons) refused.inc({ reason }, 0)
  if (sample) requestGauge(registry, sample)
  return {
    countAdmitted: (waitedSeconds) => waits.observe(waitedSeconds),
    countRefused: (reason) => refused.inc({ reason }),
  }
}

function requestGauge(registry: Registry, sample: () => GateSample): void {
  new Gauge({
    name: 'gatehouse_gate_requests',
    help: 'Requests in progress, requests waiting, and the limit of concurrent requests.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { inside, waiting, limit } = sample()
      this.set({ state: 'inside' }, inside)
      this.set({ state: 'waiting' }, waiting)
      this.set({ state: 'limit' }, limit)
    },
  })
}
