/** The sandbox acquirer as an auditor sees it: its ledger, its clock, and its configured faults. */
import { z } from 'zod'

export type EffectType = z.infer<typeof effectSchema>['type']
export type Effect = z.infer<typeof effectSchema>

const effectSchema = z.object({
  sequence: z.number(),
  type: z.enum([
    'sale',
    'authorize',
    'debit',
    'credit',
    'transfer',
    'capture',
    'refund',
    'reverse',
    'void',
    'chargeback',
    'lapse',
  ]),
  transaction_id: z.string(),
  payment_id: z.string(),
  amount: z.string().transform(BigInt),
  currency: z.string(),
})
const ledgerSchema = z.object({ entries: z.array(effectSchema) })
const summarySchema = z.object({ transactions: z.number(), entries: z.number(), repeated_requests: z.number() })

interface Share {
  readonly count: number
  readonly of: number
}

export interface Faults {
  readonly types?: readonly EffectType[]
  readonly drop_reply?: Share
  readonly fail_after?: Share
  readonly delay_ms?: number
  readonly queue_ms?: { readonly from: number; readonly to: number }
  readonly decline_soft?: Share
  readonly ignore_keys?: boolean
  readonly down?: boolean
}

export class AcquirerClient {
  readonly #url: () => string
  readonly #others: () => Promise<readonly Effect[]>

  /** The address is a function, because a restarted acquirer may have another. `others` is the record of further acquirers. */
  constructor(url: () => string, others: () => Promise<readonly Effect[]> = () => Promise.resolve([])) {
    this.#url = url
    this.#others = others
  }

  /** Every effect after the given sequence number, in the order of execution; those of other acquirers follow. */
  async ledger(since = 0): Promise<readonly Effect[]> {
    const { entries } = ledgerSchema.parse(await this.#ask('GET', `/ledger?since=${since}`))
    return [...entries, ...(await this.#others())]
  }

  async summary(): Promise<z.infer<typeof summarySchema>> {
    return summarySchema.parse(await this.#ask('GET', '/ledger/summary'))
  }

  async advance(milliseconds: number): Promise<void> {
    await this.#ask('POST', '/clock', { advance_ms: milliseconds })
  }

  async setFaults(faults: Faults): Promise<void> {
    await this.#ask('PUT', '/scenario', faults)
  }

  async clearFaults(): Promise<void> {
    await this.#ask('DELETE', '/scenario')
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const reply = await fetch(this.#url() + path, { method, ...(body && { body: JSON.stringify(body) }) })
    if (!reply.ok) throw new Error(`The acquirer answered ${method} ${path} with ${reply.status}.`)
    return reply.json()
  }
}
