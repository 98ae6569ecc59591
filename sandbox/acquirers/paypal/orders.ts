/** The stand-in's orders, and who may see them. */
import { randomBytes } from 'node:crypto'
import type { Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'
import type { Account } from '../kit/accounts.ts'
import type { Execution } from '../kit/idempotency.ts'
import type { Base } from '../kit/stand-in.ts'
import { noToken } from './errors.ts'
import type { Capture, Refund, StoredOrder } from './order.ts'

export class Orders {
  readonly #byId = new Map<string, StoredOrder>()
  readonly #invoices = new Set<string>()
  readonly #tokens = new Map<string, string>()
  #kit: Base<StoredOrder> | undefined
  /** Under which the merchant knows this program. */
  base = ''

  /** The kit opens the record by calling `apply`, so that it exists after this. */
  use(kit: Base<StoredOrder>): void {
    this.#kit = kit
  }

  apply(order: StoredOrder): void {
    this.#byId.set(order.id, order)
    for (const { invoiceId, status } of order.captures)
      if (invoiceId !== null && status === 'COMPLETED') this.#invoices.add(`${order.account} ${invoiceId}`)
  }

  isInvoiceUsed(account: string, invoiceId: string | null): boolean {
    return invoiceId !== null && this.#invoices.has(`${account} ${invoiceId}`)
  }

  /** A token outlives no restart, as one of PayPal's may be withdrawn at any time. */
  issueToken(account: string): string {
    const token = `A21AA${randomBytes(24).toString('base64url')}`
    this.#tokens.set(token, account)
    return token
  }

  /** Answers with 401 where the token is none of ours. */
  async serve(call: Call, answer: (account: Account) => Promise<Reply>): Promise<Reply> {
    if (this.base === '' && call.host !== undefined) this.base = `http://${call.host}`
    const token = (call.headers['authorization'] ?? '').replace(/^Bearer /, '')
    const account = this.#kit?.accounts.byName(this.#tokens.get(token) ?? '')
    return account ? answer(account) : noToken
  }

  /** PayPal does not look whether a request under a known key is the same: it answers with the first result. */
  async once(
    call: Call,
    { name }: Account,
    { amount }: { readonly amount: string | undefined },
    execute: () => Execution<StoredOrder>,
  ): Promise<Reply> {
    const id = call.headers['paypal-request-id']
    const key = id === undefined ? null : `${name} ${id}`
    const reply = await this.#kit?.executeOnce({ call, key, amount, isCompared: false }, execute)
    if (reply === undefined || reply === 'other-request') throw new Error('The stand-in is not open.')
    return reply
  }

  all(): Iterable<StoredOrder> {
    return this.#byId.values()
  }

  ofAccount(id: string | undefined, { name }: Account): StoredOrder | undefined {
    const order = this.#byId.get(id ?? '')
    return order?.account === name ? order : undefined
  }

  withAuthorization(id: string | undefined, { name }: Account): StoredOrder | undefined {
    return [...this.all()].find(({ account, authorization }) => account === name && authorization?.id === id)
  }

  withCapture(
    id: string | undefined,
    { name }: Account,
  ): { readonly order: StoredOrder; readonly capture: Capture } | undefined {
    for (const order of this.all()) {
      const capture = order.account === name ? order.captures.find((one) => one.id === id) : undefined
      if (capture) return { order, capture }
    }
    return undefined
  }

  refund(id: string | undefined, { name }: Account): Refund | undefined {
    return [...this.all()]
      .filter(({ account }) => account === name)
      .flatMap(({ captures }) => captures.flatMap(({ refunds }) => refunds))
      .find((refund) => refund.id === id)
  }
}
