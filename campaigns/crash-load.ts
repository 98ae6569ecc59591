/**
 * Random kill -9 of gateway, acquirer and database processes while payments of several merchants go on, whose endpoints fail as
 * endpoints do. Whatever was under way, in the end our record, the acquirer's ledger and the callbacks that merchants kept tell one
 * story. Nothing is helped along: breakers open and leases end by themselves.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { droppedOnError } from './callback-faults.ts'
import { auditFigures, type Campaign, type Findings, inSeconds, joined, sizeOf, type Terms } from './campaign.ts'
import { Executioner, type Target } from './executioner.ts'
import { audit } from './stage/audit.ts'
import { failures } from './stage/conduct.ts'
import { type Answer, isTold, type Merchant, type Reply } from './stage/merchant.ts'
import type { Random } from './stage/random.ts'
import { isQuiet, openStage, quickRetries, type Stage, until } from './stage/stage.ts'

export const crashLoad: Campaign = {
  name: 'crash-load',
  asserts: 'random kill -9 under load: our payments = the acquirer’s ledger = callbacks received.',
  sizes: { payments: 1000, kills: 30, concurrency: 16, apis: 2, merchants: 3 },
  quick: { payments: 60, kills: 0, concurrency: 8, apis: 1, merchants: 2 },
  run: (terms) => runCrashLoad(terms, ['api', 'api', 'worker', 'api', 'session', 'database', 'acquirer']),
  plantedFault: droppedOnError,
}

/** Of five callbacks so many meet an endpoint that works. */
const workingOfFive = 3

const recoverWithinMs = 240_000
/** A merchant asks this often, with pauses between, before he gives up: half a minute. */
const patience = 600
const pauseMs = 50

/** A target named more often is hit more often. */
export async function runCrashLoad(terms: Terms, targets: readonly [Target, ...Target[]]): Promise<Findings> {
  const payments = sizeOf(terms, 'payments')
  const kills = sizeOf(terms, 'kills')
  await using stage = await openStage({
    apis: sizeOf(terms, 'apis'),
    workers: 1,
    merchants: sizeOf(terms, 'merchants'),
    database: terms.database,
    breakersWork: true,
    callbackRetrySeconds: quickRetries,
    sharedAuthority: true,
  })
  stage.receiver.conduct = () => (terms.random.between(1, 5) <= workingOfFive ? 'ok' : terms.random.pick(failures))
  const executioner = new Executioner(stage, terms.random)
  const load = new Load(stage, terms.random)
  // By progress and not by time: every kill then meets payments, however fast the machine is.
  const deaths = new Set(Array.from({ length: kills }, (_, index) => Math.floor(((index + 0.5) * payments) / kills)))
  const lane = async (): Promise<void> => {
    for (let number = load.take(); number < payments; number = load.take()) {
      if (deaths.has(number)) executioner.strike(terms.random.pick(targets))
      await load.pay(number)
    }
  }
  await Promise.all(Array.from({ length: sizeOf(terms, 'concurrency') }, lane))
  await executioner.rest()

  // While the database recovers nobody can say.
  const seconds = await until(() => isQuiet(stage).catch(() => false), recoverWithinMs)
  const broken = await load.brokenPromises()
  return joined(
    {
      figures: [
        { name: 'kills', value: executioner.tally() },
        { name: 'requests without an answer', value: load.unanswered },
        { name: 'answers that did not hold', value: broken.length, must: 0 },
        { name: 'time to recover after the last kill', value: seconds === null ? 'never' : inSeconds(seconds) },
        { name: 'not recovered', value: seconds === null ? 1 : 0, must: 0 },
      ],
      faults: broken,
    },
    auditFigures(await audit(stage)),
  )
}

/** A merchant under load, who asks by the order about every request that got no answer. */
class Load {
  readonly #stage: Stage
  readonly #random: Random
  /** What the merchant was told of a payment, by its order: never less than this may be true in the end. */
  readonly #promised = new Map<string, string>()
  #taken = 0
  unanswered = 0

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
    const first = await this.#told(merchant, orderId, (url) => merchant.sale(url, orderId, terms))
    const { trans_id: transId, status } = first ?? {}
    if (transId === undefined || (status !== 'SETTLED' && status !== 'PENDING')) return
    this.#promised.set(orderId, status)
    if (draw < 6) return

    const amount = `${this.#random.between(1, 10)}.00`
    const action = holds ? 'CAPTURE' : 'CREDITVOID'
    await this.#told(merchant, orderId, (url) => merchant.followUp(url, action, transId, { amount }))
  }

  /** What the gateway answered, or what it says of the order when its answer was lost; null when there is no payment. */
  async #told(merchant: Merchant, orderId: string, ask: (url: string) => Promise<Reply>): Promise<Answer | null> {
    const reply = await this.#reached(ask)
    if (isTold(reply)) return reply.body
    this.unanswered += 1
    for (let tries = 0; tries < patience; tries += 1) {
      const looked = await this.#reached((url) => merchant.byOrder(url, orderId))
      if (isTold(looked)) return looked.body.result === 'SUCCESS' ? looked.body : null
      await sleep(pauseMs)
    }
    throw new Error(`Nobody could say how order ${orderId} stands.`)
  }

  /** A request that found nobody is sent again to whoever is there: nothing can have happened. */
  async #reached(ask: (url: string) => Promise<Reply>): Promise<Reply> {
    for (let tries = 0; tries < patience; tries += 1) {
      const running = this.#stage.apis.filter(({ isRunning, url }) => isRunning && url !== '')
      const api = running[this.#random.between(0, running.length - 1)]
      const reply = api && (await ask(api.url))
      if (reply && (reply.answered || reply.sent)) return reply
      await sleep(pauseMs)
    }
    throw new Error('No gateway process could be reached.')
  }

  /** Success that the merchant was told and that is not true: the worst that can happen to him. */
  async brokenPromises(): Promise<readonly string[]> {
    const { rows } = await this.#stage.pool.query<{ order_id: string; status: string }>(
      'select order_id, status from payments order by attempt',
    )
    // Of an order that cascaded the last attempt is what was told.
    const status = new Map(rows.map((row) => [row.order_id, row.status]))
    const kept: readonly (string | undefined)[] = ['SETTLED', 'PENDING', 'REFUND']
    return [...this.#promised.keys()].flatMap((orderId) => {
      const now = status.get(orderId)
      return kept.includes(now) ? [] : [`Order ${orderId} was told successful and is ${now ?? 'unknown'}`]
    })
  }
}
