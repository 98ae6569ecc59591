import { Gauge, type Registry } from 'prom-client'
import type { LastKnown } from './last-known.ts'

/** A gauge of one figure; omitted while no recent figure is known. */
export function gauge(registry: Registry, name: string, help: string, figure: Pick<LastKnown<number>, 'read'>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await figure.read()
      // A line with NaN would still be a figure: "absent()" and counts of series would find it.
      if (value === null || Number.isNaN(value)) this.remove()
      else this.set(value)
    },
  })
}
