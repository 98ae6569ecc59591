/** Sends payments as merchants do while something fails. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, askAnyApi } from './stage/any-api.ts'
import { type Answer, isAnswered, type Merchant, type Reply } from './stage/merchant.ts'
import type { Random } from './stage/random.ts'
import type { Stage } from './stage/stage.ts'

/** How often the status of an order is queried, with pauses in between: a minute in all. */
const statusTries = 1200
const pauseMs = 50

/** Queries by order every request that got no answer. */
export class MerchantLoad {
  readonly #stage: Stage
  readonly #random: Random
  /** The status that was reported to the merchant, by order: the payment must have at least this status in the end. */
  readonly #reported = new Map<string, string>()
  #nextNumber = 0
  unanswered = 0
  /** Milliseconds until each request was answered or given up. */
  readonly durations: number[] = []
  readonly #outcomes = { paid: 0, notPaid: 0 }
  readonly #onPaid: () => void

  /** `onPaid` is called when a merchant was told that a payment succeeded. */
  constructor(stage: Stage, random: Random, onPaid: () => void = () => undefined) {
    this.#stage = stage
    this.#random = random
    this.#onPaid = onPaid
  }

  nextNumber(): number {
    return this.#nextNumber++
  }

  /** Of ten payments six are plain sales, two are holds that are captured, two are sales that are refunded in part. */
  async pay(number: number): Promise<void> {
    const orderId = `ORDER-${number}`
    const { merchants } = this.#stage
    const merchant = merchants[number % merchants.length] ?? this.#stage.merchant
    const draw = this.#random.between(0, 9)
    const holds = draw === 6 || draw === 7
    const fields = holds ? { auth: 'Y' } : {}
    const first = await this.#askOutcome(merchant, orderId, (url) => merchant.sale(url, orderId, fields))
    const { trans_id: transId, status } = first ?? {}
    if (transId === undefined || (status !== 'SETTLED' && status !== 'PENDING')) {
      this.#outcomes.notPaid += 1
      return
    }
    this.#outcomes.paid += 1
    this.#onPaid()
    this.#reported.set(orderId, status)
    if (draw < 6) return

    const amount = `${this.#random.between(1, 10)}.00`
    const action = holds ? 'CAPTURE' : 'CREDITVOID'
    await this.#askOutcome(merchant, orderId, (url) => merchant.followUp(url, action, transId, { amount }))
  }

  /** The gateway's answer, or its answer about the order if the first was lost; null if there is no payment. */
  async #askOutcome(merchant: Merchant, orderId: string, ask: Ask): Promise<Answer | null> {
    const reply = await this.#sendUntilReached(ask)
    if (isAnswered(reply)) return reply.body
    this.unanswered += 1
    for (let tries = 0; tries < statusTries; tries += 1) {
      const status = await this.#sendUntilReached((url) => merchant.byOrder(url, orderId))
      if (isAnswered(status)) return status.body.result === 'SUCCESS' ? status.body : null
      await sleep(pauseMs)
    }
    throw new Error(`The status of order ${orderId} could not be read.`)
  }

  #sendUntilReached(ask: Ask): Promise<Reply> {
    return askAnyApi(this.#stage, this.#random, async (url) => {
      const begun = performance.now()
      const reply = await ask(url)
      this.durations.push(performance.now() - begun)
      return reply
    })
  }

  /** The share of payments that succeeded. */
  get successRate(): string {
    const { paid, notPaid } = this.#outcomes
    return `${((paid / Math.max(1, paid + notPaid)) * 100).toFixed(1)} % of ${paid + notPaid}`
  }

  /** Successes that were reported to the merchant and are not true: the worst possible fault. */
  async findUntrueSuccesses(): Promise<readonly string[]> {
    const { rows } = await this.#stage.pool.query<{ order_id: string; status: string }>(
      'select order_id, status from payments order by attempt',
    )
    // For a cascade, the merchant gets the result of the last attempt.
    const status = new Map(rows.map((row) => [row.order_id, row.status]))
    const successStatuses: readonly (string | undefined)[] = ['SETTLED', 'PENDING', 'REFUND']
    return [...this.#reported.keys()].flatMap((orderId) => {
      const now = status.get(orderId)
      return successStatuses.includes(now)
        ? []
        : [`Order ${orderId} was reported as successful and is ${now ?? 'unknown'}`]
    })
  }
}
