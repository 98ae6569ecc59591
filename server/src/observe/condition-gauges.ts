/** Gauges about the condition of a process: its health by part, and its database connections. */
import { Gauge, type Registry } from 'prom-client'
import { withinMs } from './deadline.ts'
import { type LastKnown, lastKnown } from './last-known.ts'

/** Longer than a health check may take, so that a check without an answer is reported as failing, in the next collection. */
const HEALTH_DEADLINE_MS = 3000

type HealthChecks = Readonly<Record<string, () => Promise<void>>>

export interface ConditionSource {
  /** Parts without which payments cannot be written. */
  readonly checks: HealthChecks
  /** Parts without which they can. */
  readonly notices: HealthChecks
}

export interface ConnectionSample {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** The alert rules name the part, so that an operator need not call the health address first. */
export function healthGauge(registry: Registry, source: () => ConditionSource): void {
  const looks = new Map<string, LastKnown<boolean>>()
  const lookOf = (part: string, check: () => Promise<void>): LastKnown<boolean> => {
    const look = looks.get(part) ?? lastKnown(() => hasFailed(check))
    looks.set(part, look)
    return look
  }
  new Gauge({
    name: 'gatehouse_health_failing',
    help: 'Parts of the health of this process: 1 while the part fails. Severity unhealthy: payments cannot be written.',
    labelNames: ['part', 'severity'],
    registers: [registry],
    async collect() {
      const { checks, notices } = source()
      const rows = [
        ...Object.entries(checks).map(([part, check]) => ({ part, check, severity: 'unhealthy' })),
        ...Object.entries(notices).map(([part, check]) => ({ part, check, severity: 'degraded' })),
      ]
      const failures = await Promise.all(rows.map(({ part, check }) => lookOf(part, check).read()))
      this.reset()
      for (const [index, { part, severity }] of rows.entries()) {
        const failure = failures[index] ?? null
        if (failure !== null) this.set({ part, severity }, failure ? 1 : 0)
      }
    },
  })
}

const hasFailed = (check: () => Promise<void>): Promise<boolean> =>
  withinMs(HEALTH_DEADLINE_MS, check).then(
    () => false,
    () => true,
  )

export function connectionGauge(registry: Registry, sample: () => ConnectionSample): void {
  new Gauge({
    name: 'gatehouse_database_connections',
    help: 'Database connections of this process: open ones, idle ones, and statements waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(sample())) this.set({ state }, count)
    },
  })
}
