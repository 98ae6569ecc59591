/**
 * The demo merchant: a shop that has nothing of the gateway but an account. It opens sessions, receives callbacks, and trusts only what it
 * can verify.
 */
import { randomUUID } from 'node:crypto'
import { type Account, type Answer, accountsIn, complaintIn, members, post } from './gateway.ts'
import { type Order, Orders } from './orders.ts'
import { checkoutHash, scheduleHash } from './signature.ts'
import { type WayToPay, ways } from './ways.ts'

type Begun = { readonly kind: 'begun'; readonly url: string } | { readonly kind: 'failed'; readonly fault: string }

/** What the shop knows about a payer who came back. */
export interface PayerReturn {
  readonly order: Order | null
  /** The address carried a valid hash. */
  readonly verified: boolean
  /** The status from the gateway; empty if it could not be read. */
  readonly status: string
}

const CARDHOLDER = { name: 'Jane Roe', email: 'jane@example.com' }
const DAY_MS = 86_400_000
const TRIAL_DAYS = 30

export class Shop {
  readonly orders = new Orders()
  readonly #demoFile: string
  readonly #now: () => Date
  /** By the order's number; an order that is not here pays over the sandbox acquirer. */
  readonly #acquirers = new Map<string, string>()
  #scheduleId = ''

  /** `demoFile` is the file into which the gateway writes the demo merchant's account. */
  constructor(demoFile: string, now: () => Date) {
    this.#demoFile = demoFile
    this.#now = now
  }

  accounts(): Promise<readonly Account[]> {
    return accountsIn(this.#demoFile)
  }

  /** Over the sandbox acquirer, or over the acquirer of that name. */
  async account(acquirer = ''): Promise<Account | null> {
    return (await this.accounts()).find((account) => account.acquirer === acquirer) ?? null
  }

  /** Opens a session for one of the ways to pay; `shopUrl` is the shop's address as the payer's browser sees it. */
  async begin(id: string, shopUrl: string, acquirer = ''): Promise<Begun> {
    const way = ways.find((one) => one.id === id)
    const account = await this.account(acquirer)
    if (account === null) return { kind: 'failed', fault: 'The gateway is not ready yet.' }
    if (!way?.request) return { kind: 'failed', fault: 'This payment method does not exist.' }
    const order = this.#order(way, acquirer)
    const from = new URLSearchParams({ way: id, ...(acquirer && { acquirer }) }).toString()
    const trialEnds = new Date(this.#now().getTime() + TRIAL_DAYS * DAY_MS).toISOString().slice(0, 10)
    const scheduleId = id === 'subscription' ? await this.#schedule(account) : ''
    const answer = await post(`${account.baseUrl}/api/v1/session`, {
      ...signOrder(account, order),
      ...way.request({ cards: this.orders.cards, scheduleId, trialEnds }),
      success_url: `${shopUrl}/return?${from}`,
      cancel_url: `${shopUrl}/return?${from}&left=1`,
      customer: CARDHOLDER,
    })
    const { redirect_url: url } = answer.body
    return typeof url === 'string'
      ? { kind: 'begun', url: url + (way.query ?? '') }
      : { kind: 'failed', fault: complaintIn(answer) }
  }

  /** A session for the shop's own page with hosted fields. */
  async token(shopUrl: string): Promise<object | { readonly fault: string }> {
    const way = ways.find((one) => one.id === 'fields')
    const account = await this.account()
    if (account === null || !way) return { fault: 'The gateway is not ready yet.' }
    const order = this.#order(way)
    const answer = await post(`${account.baseUrl}/api/v1/session/token`, {
      ...signOrder(account, order),
      operation: 'purchase',
      return_url: `${shopUrl}/return?way=fields`,
      customer: CARDHOLDER,
    })
    const { token } = answer.body
    return typeof token === 'string' ? { token, order } : { fault: complaintIn(answer) }
  }

  /** The gateway already has the card data; the shop only requests the charge. */
  async charge(token: string, name: string): Promise<Answer | null> {
    const account = await this.account()
    if (account === null) return null
    const url = `${account.baseUrl}/api/v1/processing/purchase/card`
    return post(url, { name, with_hosted_fields: true }, { token })
  }

  async receive(fields: Readonly<Record<string, string>>): Promise<void> {
    const account = await this.account(this.#acquirers.get(fields['order_number'] ?? ''))
    this.orders.receive(fields, account?.password ?? '', this.#now())
  }

  async returned(query: URLSearchParams): Promise<PayerReturn> {
    const paymentId = query.get('payment_id') ?? ''
    const order = this.orders.find(query.get('order_id') ?? '')
    const account = await this.account(query.get('acquirer') ?? '')
    if (account === null || paymentId === '') return { order, verified: false, status: '' }
    const { key, password, baseUrl } = account
    const values = order ? [paymentId, order.number, order.amount, order.currency, order.description] : []
    const verified = order !== null && checkoutHash(values, password) === query.get('hash')?.toLowerCase()
    const request = { merchant_key: key, payment_id: paymentId, hash: checkoutHash([paymentId], password) }
    const { body } = await post(`${baseUrl}/api/v1/payment/status`, request)
    return { order, verified, status: typeof body['status'] === 'string' ? body['status'] : '' }
  }

  #order({ order }: WayToPay, acquirer = ''): Order {
    const created = { number: `SHOP-${randomUUID().slice(0, 8).toUpperCase()}`, ...order }
    this.orders.add(created)
    if (acquirer !== '') this.#acquirers.set(created.number, acquirer)
    return created
  }

  /** Created once, over the server-to-server interface: a schedule serves any number of subscribers. */
  async #schedule({ baseUrl, key, password }: Account): Promise<string> {
    if (this.#scheduleId !== '') return this.#scheduleId
    const { body } = await post(
      `${baseUrl}/post`,
      new URLSearchParams({
        action: 'CREATE_SCHEDULE',
        client_key: key,
        name: 'Running club',
        interval_length: '1',
        interval_unit: 'month',
        payments_count: '12',
        hash: scheduleHash(password),
      }),
    )
    const { schedule_id: id } = members(body)
    this.#scheduleId = typeof id === 'string' ? id : ''
    return this.#scheduleId
  }
}

function signOrder({ key, password }: Account, order: Order): object {
  const { number, amount, currency, description } = order
  return { merchant_key: key, order, hash: checkoutHash([number, amount, currency, description], password) }
}
