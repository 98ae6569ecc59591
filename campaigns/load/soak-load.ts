/** Merchants who pay at a steady rate for a long time, with every kind of request that a shop sends. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../stage/merchant.ts'
import { only, type Stage } from '../stage/stage.ts'

/** Sales per second without pauses. */
export async function calibrate({ apis, merchant }: Stage, milliseconds: number, lanes: number): Promise<number> {
  const { url } = only(apis)
  const begun = performance.now()
  let sales = 0
  const lane = async (): Promise<void> => {
    while (performance.now() - begun < milliseconds) {
      sales += 1
      await merchant.sale(url, `CALIBRATE-${sales}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return sales / ((performance.now() - begun) / 1000)
}

/** A fixed number of payments per second, whether or not earlier ones have been answered. */
export class MixedLoad {
  readonly #stage: Stage
  readonly #perSecond: number
  readonly #running = new Set<Promise<void>>()
  #made = 0
  requests = 0
  readonly failed: string[] = []

  constructor(stage: Stage, requestsPerSecond: number) {
    this.#stage = stage
    this.#perSecond = requestsPerSecond / requestsPerPayment
  }

  async hold(milliseconds: number): Promise<void> {
    const begun = performance.now()
    const wanted = Math.max(1, Math.round((this.#perSecond * milliseconds) / 1000))
    for (let number = 0; number < wanted; number += 1) {
      const early = (number * 1000) / this.#perSecond - (performance.now() - begun)
      if (early > 1) await sleep(early)
      const payment: Promise<void> = this.#pay(this.#made).finally(() => this.#running.delete(payment))
      this.#made += 1
      this.#running.add(payment)
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#running)
  }

  /** Of ten payments five are plain sales, two are captured, two are refunded in part, and one is looked up. */
  async #pay(number: number): Promise<void> {
    const { merchant } = this.#stage
    const { url } = only(this.#stage.apis)
    const order = `SOAK-${number}`
    const caseNumber = number % 10
    const holds = caseNumber === 5 || caseNumber === 6
    const paid = await this.#sendRequest(
      order,
      holds ? 'PENDING' : 'SETTLED',
      merchant.sale(url, order, holds ? { auth: 'Y' } : {}),
    )
    if (paid === null || caseNumber < 5) return
    if (holds) await this.#sendRequest(order, 'SETTLED', merchant.followUp(url, 'CAPTURE', paid))
    else if (caseNumber < 9)
      await this.#sendRequest(order, null, merchant.followUp(url, 'CREDITVOID', paid, { amount: '3.00' }))
    else await this.#sendRequest(order, 'SETTLED', merchant.byOrder(url, order))
  }

  /** The payment's id; null if the answer is not the expected one. */
  async #sendRequest(order: string, status: string | null, request: Promise<Reply>): Promise<string | null> {
    this.requests += 1
    const reply = await request
    const isDue = reply.answered && reply.http === 200 && (status === null || reply.body.status === status)
    if (!isDue) this.failed.push(`${order}: ${reply.answered ? `${reply.http} ${reply.text}` : reply.reason}`)
    return isDue ? (reply.body.trans_id ?? null) : null
  }
}

/** Every other payment is followed by another request. */
const requestsPerPayment = 1.5
