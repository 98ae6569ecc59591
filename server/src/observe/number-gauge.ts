import { Gauge, type Registry } from 'prom-client'
import type { LastKnown } from './last-known.ts'

/** A gauge of one figure; without one that is young enough it is left out. */
export function gauge(registry: Registry, name: string, help: string, figure: Pick<LastKnown<number>, 'read'>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set((await figure.read()) ?? Number.NaN)
    },
  })
}
