/**
 * Loaded into a gateway process by `node --import`, measures it from inside: `soak-hook.ts?file=<where to write>`. On SIGUSR2 it collects
 * garbage and writes one line of JSON: memory, open descriptors, and the event loop delay since the last line. Needs --expose-gc.
 */
import { appendFileSync, readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  const descriptors = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
  const lateMs = delay.percentile(99) / 1e6
  delay.reset()
  appendFileSync(file, `${JSON.stringify({ rss, heap: heapUsed + external, descriptors, lateMs })}\n`)
})
