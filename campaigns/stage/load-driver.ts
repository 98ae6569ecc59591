/**
 * A process that only sends, so that the gateway is measured and not the generator. It reads its order as JSON from standard input and
 * writes the report as JSON to standard output.
 *
 * With `perSecond` it sends at that rate whatever is answered, and measures a request from when it was due; without, each connection sends
 * its next request when the last was answered.
 */
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

export interface LoadRun {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly perSecond: number | null
  /** Bodies of the merchants that send in turn; `ORDERNUMBER` stands for the number of the order. */
  readonly bodies: readonly string[]
  /** Prefix of every order number. */
  readonly prefix: string
}

export interface LoadReport {
  /** Milliseconds until the answer, of accepted requests. */
  readonly acceptedMs: readonly number[]
  readonly refusedMs: readonly number[]
  readonly refusedOrders: readonly string[]
  readonly acceptedOrders: readonly string[]
  /** Refused with 503, but without `Retry-After`. */
  readonly withoutRetryAfter: number
  /** All other answers, and requests without one. */
  readonly others: readonly string[]
  readonly seconds: number
}

const run = JSON.parse(await text(process.stdin)) as LoadRun
const pool = new Pool(run.url, { connections: run.connections, pipelining: 1, headersTimeout: 120_000 })
const acceptedMs: number[] = []
const refusedMs: number[] = []
const acceptedOrders: string[] = []
const refusedOrders: string[] = []
const others: string[] = []
let withoutRetryAfter = 0
let sentCount = 0

async function send(dueAt: number): Promise<void> {
  sentCount += 1
  const name = `${run.prefix}${sentCount}`
  const body = (run.bodies[sentCount % run.bodies.length] ?? '').replace('ORDERNUMBER', name)
  try {
    const reply = await pool.request({
      method: 'POST',
      path: '/post',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': name },
      body,
    })
    const answer = await reply.body.text()
    const ms = performance.now() - dueAt
    if (reply.statusCode === 503) {
      refusedMs.push(ms)
      refusedOrders.push(name)
      if (reply.headers['retry-after'] === undefined) withoutRetryAfter += 1
    } else if (reply.statusCode === 200 && answer.includes('"SETTLED"')) {
      acceptedMs.push(ms)
      acceptedOrders.push(name)
    } else others.push(`${name}: ${reply.statusCode} ${answer}`)
  } catch (error) {
    others.push(`${name}: ${String(error)}`)
  }
}

const begun = performance.now()
const until = begun + run.seconds * 1000
if (run.perSecond === null) {
  const lane = async (): Promise<void> => {
    while (performance.now() < until) await send(performance.now())
  }
  await Promise.all(Array.from({ length: run.connections }, lane))
} else {
  const inProgress: Promise<void>[] = []
  for (let number = 0; ; ) {
    const now = performance.now()
    if (now >= until) break
    for (const due = ((now - begun) / 1000) * run.perSecond; number < due; number += 1) {
      inProgress.push(send(begun + (number * 1000) / run.perSecond))
    }
    await sleep(Math.min(10, 500 / run.perSecond))
  }
  await Promise.all(inProgress)
}
const report: LoadReport = {
  acceptedMs,
  refusedMs,
  refusedOrders,
  acceptedOrders,
  withoutRetryAfter,
  others,
  seconds: (performance.now() - begun) / 1000,
}
await pool.close()
process.stdout.write(JSON.stringify(report))
