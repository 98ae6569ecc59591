/**
 * A merchant under load behind a minimal load balancer: it uses the next healthy process, and another one if the connection was refused. A
 * failure of ours is a failed request; nothing is sent again.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkoutFormulas, signCheckout } from '#domain/signature/signature.ts'
import { apmFollowUp, apmSale } from '../stage/apm-requests.ts'
import { type Fields, noReply, type Reply } from '../stage/merchant.ts'
import type { Program } from '../stage/program.ts'
import type { Random } from '../stage/random.ts'
import type { UpgradeStage } from './upgrade-stage.ts'

const mostTries = 600
const pauseMs = 20
const pollMs = 10
const healthMs = 100

type Ask = (url: string) => Promise<Reply>

export class UpgradeLoad {
  /** The balancer's processes, in its order. */
  apis: readonly Program[] = []
  readonly failed: string[] = []
  /** By kind of request. */
  readonly asked = new Map<string, number>()
  readonly #stage: UpgradeStage
  readonly #random: Random
  /** Addresses of processes that are shutting down or do not answer. */
  readonly #avoided = new Set<string>()
  #orders = 0
  #requests = 0
  #turn = 0
  #over = false
  #lanes: Promise<unknown> = Promise.resolve()

  constructor(stage: UpgradeStage, random: Random) {
    this.#stage = stage
    this.#random = random
  }

  get requests(): number {
    return this.#requests
  }

  begin(lanes: number): void {
    this.#lanes = Promise.all([this.#watchHealth(), ...Array.from({ length: lanes }, () => this.#lane())])
  }

  /** By progress and not by time: every step of the upgrade then meets requests, however fast the machine is. */
  async waitForMore(requests: number): Promise<void> {
    const goal = this.#requests + requests
    while (this.#requests < goal) await Promise.race([sleep(pollMs), this.#lanes])
  }

  async end(): Promise<void> {
    this.#over = true
    await this.#lanes
  }

  async #watchHealth(): Promise<void> {
    while (!this.#over) {
      await Promise.all(
        this.apis.map(async ({ url }) => {
          const reply = await this.#get(url, '/service/health', {})
          if (reply.answered && reply.http === 200) this.#avoided.delete(url)
          else this.#avoided.add(url)
        }),
      )
      await sleep(healthMs)
    }
  }

  async #lane(): Promise<void> {
    const flows = [
      (order: string) => this.#refund(order),
      (order: string) => this.#capture(order),
      (order: string) => this.#void(order),
      (order: string) => this.#apm(order),
      (order: string) => this.#session(order),
    ] as const
    while (!this.#over) await this.#random.pick(flows)(`ORDER-${this.#orders++}`)
  }

  async #refund(orderId: string): Promise<void> {
    const transId = await this.#sale(orderId)
    if (transId === null) return
    await this.#followUp('GET_TRANS_STATUS', transId)
    await this.#followUp('CREDITVOID', transId, { amount: '4.00' })
    await this.#followUp('GET_TRANS_DETAILS', transId)
  }

  async #capture(orderId: string): Promise<void> {
    const transId = await this.#sale(orderId, { auth: 'Y' })
    if (transId === null) return
    await this.#followUp('CAPTURE', transId, { amount: '7.00' })
    await this.#expectSuccess('GET_TRANS_STATUS_BY_ORDER', (url) => this.#stage.merchant.byOrder(url, orderId))
  }

  async #void(orderId: string): Promise<void> {
    const transId = await this.#sale(orderId)
    if (transId !== null) await this.#followUp('VOID', transId)
  }

  async #apm(orderId: string): Promise<void> {
    const reply = await this.#expectSuccess('APM SALE', (url) => apmSale(this.#stage, url, orderId))
    const transId = reply?.trans_id
    if (transId === undefined) return
    await this.#expectSuccess('APM CREDITVOID', (url) =>
      apmFollowUp(this.#stage, url, { action: 'CREDITVOID', transId, over: { amount: '4.00' } }),
    )
  }

  /** A session and the first request of its page. */
  async #session(orderId: string): Promise<void> {
    const reply = await this.#sendCounted('SESSION', (url) =>
      this.#post(url, '/api/v1/session', sessionBody(this.#stage, orderId)),
    )
    const token = /\/auth\/([^"]+)"/.exec(reply.answered ? reply.text : '')?.[1]
    if (token === undefined) this.#fail('SESSION', reply)
    else await this.#sendCounted('PAGE STATE', (url) => this.#get(url, '/page/v1/session', { token }))
  }

  async #sale(orderId: string, over: Fields = {}): Promise<string | null> {
    const what = over['auth'] === 'Y' ? 'AUTH' : 'SALE'
    return (await this.#expectSuccess(what, (url) => this.#stage.merchant.sale(url, orderId, over)))?.trans_id ?? null
  }

  async #followUp(action: string, transId: string, over: Fields = {}): Promise<void> {
    await this.#expectSuccess(action, (url) => this.#stage.merchant.followUp(url, action, transId, over))
  }

  /** Every request should succeed: any other answer counts as failed. */
  async #expectSuccess(what: string, ask: Ask) {
    const reply = await this.#sendCounted(what, ask)
    if (!reply.answered || reply.http >= 500) return null
    const good =
      ['SUCCESS', 'ACCEPTED', 'REDIRECT'].includes(reply.body.result ?? '') || reply.body.status !== undefined
    if (!good) this.#fail(what, reply)
    return reply.body
  }

  async #sendCounted(what: string, ask: Ask): Promise<Reply> {
    const reply = await this.#sendToHealthy(ask)
    this.#requests += 1
    this.asked.set(what, (this.asked.get(what) ?? 0) + 1)
    if (!reply.answered || reply.http >= 500) this.#fail(what, reply)
    return reply
  }

  async #sendToHealthy(ask: Ask): Promise<Reply> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const apis = this.apis.filter(({ url }) => !this.#avoided.has(url))
      for (let refused = 0; refused < apis.length; refused += 1) {
        const api = apis[this.#turn++ % apis.length]
        const reply = api && (await ask(api.url))
        if (reply && (reply.answered || reply.sent)) return reply
      }
      await sleep(pauseMs)
    }
    throw new Error('No gateway process could be reached.')
  }

  #fail(what: string, reply: Reply): void {
    const answer = reply.answered ? `${reply.http} ${reply.text.slice(0, 200)}` : reply.reason
    this.failed.push(`${what}: ${answer}`)
  }

  #post(url: string, path: string, body: unknown): Promise<Reply> {
    return this.#stage.merchant.raw(url, {
      path,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  }

  async #get(url: string, path: string, headers: Fields): Promise<Reply> {
    try {
      const reply = await fetch(url + path, { headers })
      return { answered: true, http: reply.status, text: await reply.text(), body: {} }
    } catch (error) {
      return noReply(error instanceof Error ? error.cause : undefined, error)
    }
  }
}

function sessionBody({ merchant, receiver }: UpgradeStage, number: string) {
  const order = { number: `${number}-${randomUUID()}`, amount: '10.00', currency: 'EUR', description: 'A book' }
  const values = {
    'order.number': order.number,
    'order.amount': order.amount,
    'order.currency': order.currency,
    'order.description': order.description,
  }
  const key = { password: receiver.trustOf('demo')?.password ?? '', digest: 'md5' } as const
  return {
    merchant_key: merchant.key,
    operation: 'purchase',
    order,
    success_url: 'https://shop.example/ok',
    cancel_url: 'https://shop.example/no',
    hash: signCheckout(checkoutFormulas.session, values, key),
  }
}
