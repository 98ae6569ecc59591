/**
 * How much the event loop is delayed while tokens arrive: opening one is computation that cannot be interrupted, and every other request of
 * the process waits for it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoopDelay {
  /** Milliseconds. */
  readonly median: number
  readonly p99: number
  readonly max: number
}

/** `perSecond` runs of the task, each in its own turn of the loop, evenly spread; zero measures the delay of an idle loop. */
export async function loopDelay(task: () => void, perSecond: number, seconds: number): Promise<LoopDelay> {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  const begun = performance.now()
  let done = 0
  while (performance.now() - begun < seconds * 1000) {
    const due = Math.floor(((performance.now() - begun) / 1000) * perSecond)
    if (due <= done) {
      await sleep(1)
      continue
    }
    task()
    done += 1
    await nextIteration()
  }
  histogram.disable()
  return { median: late(histogram.percentile(50)), p99: late(histogram.percentile(99)), max: late(histogram.max) }
}

const resolutionMs = 1

/** The histogram contains the duration of its own timer, which was set to the resolution. */
const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs)

const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
