/**
 * Random histories of payments on the real service: any commands in any order over HTTP, lost answers, passing days. Each answer, and then
 * the payment's status and amounts, must match the reference model, which was written from the interface's table.
 */

import type { Kind } from '#domain/payment/payment.ts'
import * as reference from '#domain/payment/testing/reference-model.ts'
import { financialDay } from '#domain/schedule/day.ts'
import { dayMs } from '#domain/time.ts'
import { type Answer, openShop, type Shop } from '../../server/test/shop.ts'
import { type Campaign, type Findings, sizeOf, type Terms } from '../campaign.ts'
import type { Random } from '../stage/random.ts'

export const model: Campaign = {
  name: 'model',
  asserts: 'any order of commands on any payment, over HTTP, agrees with the reference model of the state table.',
  sizes: { payments: 300, steps: 12 },
  quick: { payments: 12, steps: 8 },
  run,
  plantedFault: {
    what: 'A partial refund ends the payment.',
    seenIn: 'counter-examples',
    sizes: { payments: 40, steps: 10 },
    patches: [
      {
        file: 'domain/src/payment/decide.ts',
        find: 'return returnableMinorOf(moved) === 0n ?',
        replace: 'return returnableMinorOf(moved) >= 0n ?',
      },
    ],
  },
}

interface First {
  readonly name: string
  readonly kind: Kind
  readonly holds: boolean
  readonly recurring: boolean
  readonly over: Readonly<Record<string, string>>
}

const firsts: readonly [First, ...First[]] = [
  { name: 'SALE', kind: 'sale', holds: false, recurring: false, over: {} },
  { name: 'AUTH', kind: 'sale', holds: true, recurring: false, over: { auth: 'Y' } },
  { name: 'DEBIT', kind: 'debit', holds: false, recurring: false, over: { action: 'DEBIT' } },
]
const commands = ['CAPTURE', 'CREDITVOID', 'CREDITVOID', 'CREDITVOID', 'VOID', 'RETRY'] as const
const amountMinor = 1000n

async function run(terms: Terms): Promise<Findings> {
  await using shop = await openShop({}, ['chargebacks'])
  await shop.configure('update merchants set rate_per_second = 1000000')
  const tally = { commands: 0, refused: 0, days: 0, lost: 0 }
  const counterExamples: string[] = []
  for (let number = 1; number <= sizeOf(terms, 'payments'); number += 1) {
    const walk = await PaymentWalk.begin(shop, terms.random, tally)
    for (let step = 0; step < sizeOf(terms, 'steps') && walk.fault === null; step += 1) await walk.step()
    if (walk.fault !== null) counterExamples.push(`${walk.steps.join(', ')}: ${walk.fault}`)
  }
  return {
    figures: [
      { name: 'payments', value: sizeOf(terms, 'payments') },
      { name: 'commands', value: tally.commands },
      { name: 'of them refused', value: tally.refused },
      { name: 'answers of the acquirer lost', value: tally.lost },
      { name: 'days passed', value: tally.days },
      { name: 'counter-examples', value: counterExamples.length, must: 0 },
    ],
    faults: counterExamples,
  }
}

interface Tally {
  commands: number
  refused: number
  days: number
  lost: number
}

class PaymentWalk {
  readonly #shop: Shop
  readonly #random: Random
  readonly #tally: Tally
  readonly #model: reference.Model
  #id = ''
  #daysLeft = 2
  readonly steps: string[] = []
  fault: string | null = null

  private constructor(shop: Shop, random: Random, tally: Tally, first: First) {
    this.#shop = shop
    this.#random = random
    this.#tally = tally
    const { kind, holds, recurring } = first
    this.#model = reference.begin({ kind, holds, recurring, amount: amountMinor })
  }

  static async begin(shop: Shop, random: Random, tally: Tally): Promise<PaymentWalk> {
    const first = random.pick(firsts)
    const walk = new PaymentWalk(shop, random, tally, first)
    const isDeclined = random.between(0, 7) === 0
    const { body } = await shop.sale({ ...first.over, ...(isDeclined ? { card_exp_month: '02' } : {}) })
    await shop.service.awaitIdle()
    walk.#id = body.trans_id
    walk.steps.push(`${first.name}${isDeclined ? ' declined' : ''}`)
    reference.end(walk.#model, isDeclined ? 'fail' : 'ok', 'hard', walk.#today())
    await walk.#compare()
    return walk
  }

  #today(): string {
    return financialDay(this.#shop.base.clock.now())
  }

  async step(): Promise<void> {
    if (this.#daysLeft > 0 && this.#random.between(0, 15) === 0) return this.#passDay()
    const command = this.#random.pick(commands)
    const amount = this.#random.between(0, 2) === 0 ? null : BigInt(this.#random.between(1, 1100))
    const sent = command === 'VOID' || command === 'RETRY' ? null : amount
    const isLost = this.#random.between(0, 9) === 0
    const expected = reference.ask(this.#model, command, sent, { today: this.#today(), budget: true })
    this.steps.push(`${command}${sent === null ? '' : ` ${sent}`}${isLost ? ', its answer lost' : ''}`)
    this.#tally.commands += 1
    if (isLost) await this.#shop.scenario({ drop_reply: { count: 1, of: 1 } })
    const answer = await this.#shop.followUp(command, this.#id, sent === null ? {} : { amount: decimal(sent) })
    if (isLost) await this.#recover()
    await this.#shop.service.awaitIdle()
    const refused = refusalOf(answer)
    if (expected.kind === 'refused') this.#tally.refused += 1
    if (refused !== (expected.kind === 'refused' ? expected.refused : null)) {
      this.fault = `answered ${answer.text}, the model ${JSON.stringify(expected, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`
      return
    }
    if (expected.kind === 'accepted') {
      this.#model.open = { type: expected.records, amount: expected.amount }
      reference.end(this.#model, 'ok', 'hard', this.#today())
    }
    await this.#compare()
  }

  /** The acquirer executed and its answer was lost: the gateway queries the status after its first waits. */
  async #recover(): Promise<void> {
    this.#tally.lost += 1
    await this.#shop.clearScenario()
    for (let tries = 0; tries < 10; tries += 1) {
      await this.#shop.service.awaitIdle()
      const { rows } = await this.#shop.base.pool.query('select open_transaction from payments where id = $1', [
        this.#id,
      ])
      if (rows[0]?.open_transaction === null) return
      await this.#shop.advance(60_000)
    }
  }

  async #passDay(): Promise<void> {
    this.#daysLeft -= 1
    this.#tally.days += 1
    this.steps.push('a day passed')
    await this.#shop.advance(dayMs)
    await this.#compare()
  }

  async #compare(): Promise<void> {
    const { rows } = await this.#shop.base.pool.query<{ ours: string }>(
      `select format('%s %s %s', status, captured_minor, refunded_minor) as ours from payments where id = $1`,
      [this.#id],
    )
    const theirs = `${this.#model.status} ${reference.capturedAmount(this.#model)} ${reference.returnedAmount(this.#model)}`
    if (rows[0]?.ours !== theirs) this.fault = `the payment is ${rows[0]?.ours}, by the model ${theirs}`
  }
}

const decimal = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`

/** In the model's terms: the code, or the message of an error without its own code. */
function refusalOf({ body }: Answer): string | null {
  if (body?.result !== 'ERROR') return null
  const [first] = body.errors ?? []
  const code = first?.error_code ?? body.error_code
  return code === 100000 || code === 0 ? (first?.error_message ?? body.error_message) : String(code)
}
