/** A merchant under load at a slow acquirer: every kind of command, each sent once, whatever happens to its answer. */
import { type Ask, askAnyApi } from '../stage/any-api.ts'
import { payOut } from '../stage/chain-requests.ts'
import { type Fields, goodCard, isAnswered } from '../stage/merchant.ts'
import type { Random } from '../stage/random.ts'
import type { Stage } from '../stage/stage.ts'

export class QueueLoad {
  readonly #stage: Stage
  readonly #random: Random
  #next = 0
  commands = 0
  /** Requests without an answer, and answers with an unknown outcome. */
  undecided = 0

  constructor(stage: Stage, random: Random) {
    this.#stage = stage
    this.#random = random
  }

  /** The number of the next command. */
  nextNumber(): number {
    return this.#next++
  }

  /** Half of them are followed by another command, which takes the next number. */
  async pay(number: number): Promise<void> {
    const order = `queue-${number}`
    const { merchant } = this.#stage
    const draw = this.#random.between(0, 9)
    if (draw === 0) return void (await this.#send((url) => this.#payOut(url, order)))
    const holds = draw >= 5
    const transId = await this.#send((url) => merchant.sale(url, order, holds ? { auth: 'Y' } : {}))
    const next = followUps[draw]
    if (transId === null || !next) return
    this.nextNumber()
    await this.#send((url) => merchant.followUp(url, next.action, transId, next.fields))
  }

  /** Sales that are already settled, to be refunded. */
  async settledSales(count: number): Promise<readonly string[]> {
    const { rows } = await this.#stage.pool.query<{ id: string }>(
      `select id from payments where status = 'SETTLED' and kind = 'sale' and plan_date is null and open_transaction is null
         and financial_day is not null and order_id like 'queue-%' order by id limit $1`,
      [count],
    )
    return rows.map(({ id }) => id)
  }

  /** Sales, authorisations and payouts by turns, and refunds of those payments, all at once. */
  async lateOnes(firsts: number, refunded: readonly string[]): Promise<void> {
    const { merchant } = this.#stage
    const begin = (url: string, index: number) => {
      const order = `late-${index}`
      if (index % 3 === 2) return this.#payOut(url, order)
      return merchant.sale(url, order, index % 3 === 1 ? { auth: 'Y' } : {})
    }
    await Promise.all([
      ...Array.from({ length: firsts }, (_, index) => this.#send((url) => begin(url, index))),
      ...refunded.map((id) => this.#send((url) => merchant.followUp(url, 'CREDITVOID', id, { amount: '1.00' }))),
    ])
  }

  #payOut(url: string, order: string) {
    return payOut(this.#stage, url, order, goodCard['card_number'] ?? '')
  }

  /** The payment's id if the command is known to have succeeded. */
  async #send(ask: Ask): Promise<string | null> {
    this.commands += 1
    const reply = await askAnyApi(this.#stage, this.#random, ask)
    const isDecided = isAnswered(reply) && reply.body.result !== 'UNDEFINED'
    if (!isDecided) this.undecided += 1
    return isDecided && reply.body.result === 'SUCCESS' ? (reply.body.trans_id ?? null) : null
  }
}

// biome-ignore format: a table is read in columns.
const followUps: Readonly<Record<number, { readonly action: string; readonly fields: Fields }>> = {
  // after a sale
  1: { action: 'CREDITVOID', fields: { amount: '4.00' } },
  2: { action: 'CREDITVOID', fields: {} },
  3: { action: 'VOID',       fields: {} },
  // after an authorisation
  5: { action: 'CAPTURE',    fields: {} },
  6: { action: 'CAPTURE',    fields: { amount: '6.00' } },
  7: { action: 'CREDITVOID', fields: {} },
}
