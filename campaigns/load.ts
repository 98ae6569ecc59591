/** Merchants who pay while something fails. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, askAnyApi } from './stage/any-api.ts'
import { type Answer, isTold, type Merchant, type Reply } from './stage/merchant.ts'
import type { Random } from './stage/random.ts'
import type { Stage } from './stage/stage.ts'

/** How often a merchant asks, with pauses in between, before giving up: a minute in all. */
const patience = 1200
const pauseMs = 50

/** A merchant under load, who queries by order every request that got no answer. */
export class Load {
  readonly #stage: Stage
  readonly #random: Random
  /** What the merchant was told of a payment, by its order: at least this must be true in the end. */
  readonly #promised = new Map<string, string>()
  #taken = 0
  unanswered = 0
  /** Milliseconds until each request was answered or given up. */
  readonly durations: number[] = []
  readonly #outcomes = { paid: 0, notPaid: 0 }

  constructor(stage: Stage, random: Random) {
    this.#stage = stage
    this.#random = random
  }

  take(): number {
    return this.#taken++
  }

  /** Of ten payments six are plain sales, two are holds that are captured, two are sales that are refunded in part. */
  async pay(number: number): Promise<void> {
    const orderId = `ORDER-${number}`
    const { merchants } = this.#stage
    const merchant = merchants[number % merchants.length] ?? this.#stage.merchant
    const draw = this.#random.between(0, 9)
    const holds = draw === 6 || draw === 7
    const terms = holds ? { auth: 'Y' } : {}
    const first = await this.#askOutcome(merchant, orderId, (url) => merchant.sale(url, orderId, terms))
    const { trans_id: transId, status } = first ?? {}
    if (transId === undefined || (status !== 'SETTLED' && status !== 'PENDING')) {
      this.#outcomes.notPaid += 1
      return
    }
    this.#outcomes.paid += 1
    this.#promised.set(orderId, status)
    if (draw < 6) return

    const amount = `${this.#random.between(1, 10)}.00`
    const action = holds ? 'CAPTURE' : 'CREDITVOID'
    await this.#askOutcome(merchant, orderId, (url) => merchant.followUp(url, action, transId, { amount }))
  }

  /** The gateway's answer, or its answer about the order if the first was lost; null if there is no payment. */
  async #askOutcome(merchant: Merchant, orderId: string, ask: Ask): Promise<Answer | null> {
    const reply = await this.#sendUntilReached(ask)
    if (isTold(reply)) return reply.body
    this.unanswered += 1
    for (let tries = 0; tries < patience; tries += 1) {
      const looked = await this.#sendUntilReached((url) => merchant.byOrder(url, orderId))
      if (isTold(looked)) return looked.body.result === 'SUCCESS' ? looked.body : null
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

  /** Successes that the merchant was told and that are not true: the worst possible fault. */
  async brokenPromises(): Promise<readonly string[]> {
    const { rows } = await this.#stage.pool.query<{ order_id: string; status: string }>(
      'select order_id, status from payments order by attempt',
    )
    // For a cascade, the last attempt is what the merchant was told.
    const status = new Map(rows.map((row) => [row.order_id, row.status]))
    const successStatuses: readonly (string | undefined)[] = ['SETTLED', 'PENDING', 'REFUND']
    return [...this.#promised.keys()].flatMap((orderId) => {
      const now = status.get(orderId)
      return successStatuses.includes(now)
        ? []
        : [`Order ${orderId} was reported as successful and is ${now ?? 'unknown'}`]
    })
  }
}
