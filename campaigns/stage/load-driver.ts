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

export interface LoadOrder {
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
  readonly taken: readonly number[]
  readonly refusedMs: readonly number[]
  readonly refusedOrders: readonly string[]
  readonly takenOrders: readonly string[]
  /** Refused with 503, but without `Retry-After`. */
  readonly withoutRetryAfter: number
  /** All other answers, and requests without one. */
  readonly others: readonly string[]
  readonly seconds: number
}

const order = JSON.parse(await text(process.stdin)) as LoadOrder
const pool = new Pool(order.url, { connections: order.connections, pipelining: 1, headersTimeout: 120_000 })
const takenMs: number[] = []
const refusedMs: number[] = []
const takenOrders: string[] = []
const refusedOrders: string[] = []
const others: string[] = []
let withoutRetryAfter = 0
let sentCount = 0

async function send(dueAt: number): Promise<void> {
  sentCount += 1
  const name = `${order.prefix}${sentCount}`
  const body = (order.bodies[sentCount % order.bodies.length] ?? '').replace('ORDERNUMBER', name)
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
      takenMs.push(ms)
      takenOrders.push(name)
    } else others.push(`${name}: ${reply.statusCode} ${answer}`)
  } catch (error) {
    others.push(`${name}: ${String(error)}`)
  }
}

const begun = performance.now()
const until = begun + order.seconds * 1000
if (order.perSecond === null) {
  const lane = async (): Promise<void> => {
    while (performance.now() < until) await send(performance.now())
  }
  await Promise.all(Array.from({ length: order.connections }, lane))
} else {
  const under: Promise<void>[] = []
  for (let number = 0; ; ) {
    const now = performance.now()
    if (now >= until) break
    for (const due = ((now - begun) / 1000) * order.perSecond; number < due; number += 1) {
      under.push(send(begun + (number * 1000) / order.perSecond))
    }
    await sleep(Math.min(10, 500 / order.perSecond))
  }
  await Promise.all(under)
}
const report: LoadReport = {
  taken: takenMs,
  refusedMs,
  refusedOrders,
  takenOrders,
  withoutRetryAfter,
  others,
  seconds: (performance.now() - begun) / 1000,
}
await pool.close()
process.stdout.write(JSON.stringify(report))
