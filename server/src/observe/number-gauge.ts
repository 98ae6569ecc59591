import { Gauge, type Registry } from 'prom-client'
import { withinMs } from './deadline.ts'
import { GAUGE_DEADLINE_MS } from './wallet-gauges.ts'

/** A gauge that is queried when it is read; without an answer in time it is left out. */
export function gauge(registry: Registry, name: string, help: string, read: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await withinMs(GAUGE_DEADLINE_MS, read).catch(() => Number.NaN))
    },
  })
}
