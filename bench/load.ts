/**
 * A closed loop: a number of connections, each with one request in progress and the next one sent when the answer has arrived.
 *
 * It uses the client's low-level dispatcher, because the generator shares the machine with what it measures and should use as little of it
 * as possible.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Dispatcher } from 'undici'

interface LoadOptions {
  /** Several addresses share the connections evenly. */
  readonly url: string | readonly string[]
  readonly path: string
  readonly connections: number
  readonly seconds: number
  /** At most so many over all connections; without it each connection sends as fast as it is answered. */
  readonly perSecond?: number
  /** The body of the next request. */
  readonly body: () => string
  /** Must be in every answer; any other answer is a failure. */
  readonly expects: string
}

export interface LoadResult {
  readonly requests: number
  readonly failures: number
  readonly seconds: number
  readonly perSecond: number
  /** Of all answers, ascending, in milliseconds. */
  readonly latencies: Float64Array
  readonly firstFailure: string | null
}

export async function closedLoop(options: LoadOptions): Promise<LoadResult> {
  const urls = [options.url].flat()
  const clients = Array.from(
    { length: options.connections },
    (_, index) => new Client(urls[index % urls.length] ?? '', { pipelining: 1 }),
  )
  const tally: Tally = { latencies: [], failures: 0, firstFailure: null, sent: 0 }
  const begun = performance.now()
  const until = begun + options.seconds * 1000
  await Promise.all(clients.map((client) => keepAsking(client, options, tally, { begun, until })))
  const seconds = (performance.now() - begun) / 1000
  await Promise.all(clients.map((client) => client.close()))
  return {
    requests: tally.latencies.length,
    failures: tally.failures,
    seconds,
    perSecond: tally.latencies.length / seconds,
    latencies: Float64Array.from(tally.latencies).sort(),
    firstFailure: tally.firstFailure,
  }
}

/** `share` from 0 to 1; the latencies must be ascending. */
export function percentile(latencies: Float64Array, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
}

interface Tally {
  readonly latencies: number[]
  failures: number
  firstFailure: string | null
  sent: number
}

interface Period {
  readonly begun: number
  readonly until: number
}

/** The moment of the next request by the pace, which is then taken. */
function nextMoment({ perSecond }: LoadOptions, tally: Tally, { begun }: Period): number {
  const moment = perSecond === undefined ? begun : begun + (tally.sent * 1000) / perSecond
  tally.sent += 1
  return moment
}

async function keepAsking(client: Client, options: LoadOptions, tally: Tally, period: Period): Promise<void> {
  while (performance.now() < period.until) {
    const moment = nextMoment(options, tally, period)
    if (moment >= period.until) return
    const waitMs = moment - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    const sent = performance.now()
    const answer = await ask(client, options.path, options.body())
    if (answer.includes(options.expects)) {
      tally.latencies.push(performance.now() - sent)
      continue
    }
    tally.failures += 1
    tally.firstFailure ??= answer
  }
}

const headers = { 'content-type': 'application/x-www-form-urlencoded' }

function ask(client: Client, path: string, body: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: (_controller, chunk) => {
        text += chunk.toString('latin1')
      },
      onResponseEnd: () => resolve(text),
      onResponseError: (_controller, error) => resolve(String(error)),
    }
    client.dispatch({ method: 'POST', path, headers, body }, handler)
  })
}
