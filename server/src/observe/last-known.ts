/**
 * Figures that are read from the database for the metrics. A collector never waits long for them: it gets the figure that was read last, and
 * its age. See decisions/observability#metrics.
 *
 * A read that has begun is continued and its result kept for the next collection, so that a database that answers slowly gets one
 * statement at a time. A figure that could not be read for a minute is left out.
 */
import { performance } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'
import { withinMs } from './deadline.ts'

/** How long a collection waits for a figure. A database that is well answers in a few milliseconds. */
const waitMs = 250
/** Longer than the pause between two collections. */
const keptMs = 60_000

export interface LastKnown<T> {
  /** The newest figure; null if there is none that is young enough. */
  read(): Promise<T | null>
  /** The age of the newest figure; null before the first. */
  readonly ageSeconds: number | null
}

/** `now` are milliseconds of a clock that only goes forward. */
export function lastKnown<T>(look: () => Promise<T>, now = (): number => performance.now()): LastKnown<T> {
  let newest: { readonly value: T; readonly at: number } | null = null
  let running: Promise<void> | null = null

  const lookOnce = (): Promise<void> => {
    const at = now()
    running ??= look()
      .then((value) => {
        newest = { value, at }
      })
      .finally(() => {
        running = null
      })
    return running
  }

  return {
    read: async () => {
      await withinMs(waitMs, lookOnce).catch(() => undefined)
      return newest !== null && now() - newest.at <= keptMs ? newest.value : null
    },
    get ageSeconds() {
      return newest === null ? null : (now() - newest.at) / 1000
    },
  }
}

/** Registers figures, and the metric that says how old each of them is. */
type Figures = <T>(name: string, look: () => Promise<T>) => LastKnown<T>

export function figuresOf(registry: Registry): Figures {
  const all = new Map<string, LastKnown<unknown>>()
  new Gauge({
    name: 'gatehouse_figure_age_seconds',
    help: 'How long ago a figure of the database was read; nearly 0 while the database answers.',
    labelNames: ['figure'],
    registers: [registry],
    async collect() {
      this.reset()
      // Every gauge that is collected at the same moment shares these reads.
      await Promise.all([...all.values()].map((figure) => figure.read()))
      for (const [name, { ageSeconds }] of all) if (ageSeconds !== null) this.set({ figure: name }, ageSeconds)
    },
  })
  return (name, look) => {
    const figure = lastKnown(look)
    all.set(name, figure)
    return figure
  }
}
