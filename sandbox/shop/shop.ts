/**
 * The demo merchant: a shop that has nothing of the gateway but an account. It opens sessions, receives callbacks, and trusts only what it
 * can verify.
 */

import { randomUUID } from 'node:crypto'
import { dayMs, utcDay } from '#domain/time.ts'
import { Journal } from '../kit/journal.ts'
import { type Account, type Answer, accountsIn, complaintIn, members, post } from './gateway.ts'
import { type Order, Orders, verifies } from './orders.ts'
import type { ShownPayment } from './payment-page.ts'
import { checkoutHash, outcomeOfReturn, scheduleHash } from './signature.ts'
import { type FollowUp, followUpRequest, orderRequest, type SignedRequest } from './signed-request.ts'
import { type WayToPay, ways } from './ways.ts'

type Begun = { readonly kind: 'begun'; readonly url: string } | { readonly kind: 'failed'; readonly fault: string }

/** What survives a restart: an order with the acquirer that the visitor chose, or a callback. */
type ShopEntry =
  | { readonly kind: 'order'; readonly order: Order; readonly acquirer: string }
  | {
      readonly kind: 'callback'
      readonly at: string
      readonly fields: Readonly<Record<string, string>>
      readonly verified: boolean | null
    }

const CARDHOLDER = { name: 'Jane Roe', email: 'jane@example.com' }
const TRIAL_DAYS = 30

export class Shop {
  readonly orders = new Orders()
  readonly #demoFile: string
  readonly #now: () => Date
  /** By the order's number; an order that is not here pays over the sandbox acquirer. */
  readonly #acquirers = new Map<string, string>()
  /** Tokens of sessions of hosted fields, by the order's number. They never reach a browser. */
  readonly #tokens = new Map<string, string>()
  #journal: Journal<ShopEntry> | null = null
  #scheduleId = ''

  private constructor(demoFile: string, now: () => Date) {
    this.#demoFile = demoFile
    this.#now = now
  }

  /** `demoFile` is the file into which the gateway writes the demo merchant's account; `record` is the shop's own file. */
  static async open(demoFile: string, now: () => Date, record: string): Promise<Shop> {
    const shop = new Shop(demoFile, now)
    shop.#journal = await Journal.open<ShopEntry>(record, (entry) => shop.#remember(entry))
    return shop
  }

  async close(): Promise<void> {
    await this.#journal?.close()
  }

  #remember(entry: ShopEntry): void {
    if (entry.kind === 'callback') {
      this.orders.remember(entry.fields, entry.verified, entry.at)
      return
    }
    this.orders.add(entry.order)
    if (entry.acquirer !== '') this.#acquirers.set(entry.order.number, entry.acquirer)
  }

  async #record(entry: ShopEntry): Promise<void> {
    this.#remember(entry)
    this.#journal?.append(entry)
    await this.#journal?.sync()
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
    const order = await this.#order(way, acquirer)
    const scheduleId = id === 'subscription' ? await this.#schedule(account) : ''
    const { path, body } = this.#sessionRequest(way, account, order, { shopUrl, scheduleId })
    const answer = await post(account.baseUrl + path, body)
    const { redirect_url: url } = answer.body
    return typeof url === 'string'
      ? { kind: 'begun', url: url + (way.query ?? '') }
      : { kind: 'failed', fault: complaintIn(answer) }
  }

  /** A session for the shop's own page with hosted fields. */
  async openFieldsSession(shopUrl: string): Promise<object> {
    const way = ways.find((one) => one.id === 'fields')
    const account = await this.account()
    if (account === null || !way) return { fault: 'The gateway is not ready yet.' }
    const order = await this.#order(way)
    const { path, body } = this.#sessionRequest(way, account, order, { shopUrl, scheduleId: '' })
    const answer = await post(account.baseUrl + path, body)
    const { token, client_token: clientToken } = answer.body
    if (typeof token !== 'string') return { fault: complaintIn(answer) }
    this.#tokens.set(order.number, token)
    return { clientToken, order: order.number }
  }

  /** The request that a way to pay would send, for visitors who want to see it. */
  requestOf(way: WayToPay, account: Account, shopUrl: string): SignedRequest {
    return this.#sessionRequest(way, account, { number: 'SHOP-00000000', ...way.order }, { shopUrl, scheduleId: '…' })
  }

  #sessionRequest(
    way: WayToPay,
    account: Account,
    order: Order,
    { shopUrl, scheduleId }: { readonly shopUrl: string; readonly scheduleId: string },
  ): SignedRequest {
    const from = new URLSearchParams({
      way: way.id,
      ...(account.acquirer && { acquirer: account.acquirer }),
    }).toString()
    if (!way.request)
      return orderRequest(account, order, '/api/v1/session/token', {
        operation: 'purchase',
        return_url: `${shopUrl}/return?${from}`,
        customer: CARDHOLDER,
      })
    const trialEnds = utcDay(this.#now().getTime() + TRIAL_DAYS * dayMs)
    return orderRequest(account, order, '/api/v1/session', {
      ...way.request({ cards: this.orders.cards, scheduleId, trialEnds }),
      success_url: `${shopUrl}/return?${from}`,
      cancel_url: `${shopUrl}/return?${from}&left=1`,
      customer: CARDHOLDER,
    })
  }

  /** The gateway already has the card data; the shop only requests the charge. */
  async charge(orderNumber: string, name: string): Promise<Answer | null> {
    const [account, order, token] = [await this.account(), this.orders.find(orderNumber), this.#tokens.get(orderNumber)]
    if (!account || !order || token === undefined) return null
    const url = `${account.baseUrl}/api/v1/processing/purchase/card`
    const agreed = { order_amount: order.amount, order_currency: order.currency }
    return post(url, { name, with_hosted_fields: true, ...agreed }, { token })
  }

  async receive(fields: Readonly<Record<string, string>>): Promise<void> {
    const account = await this.account(this.#acquirers.get(fields['order_number'] ?? ''))
    const verified = verifies(fields, account?.password ?? '') && this.orders.agreeWith(fields)
    await this.#record({ kind: 'callback', at: this.#now().toISOString(), fields, verified })
  }

  /** The payer who came back, whose address carries a hash. */
  async showReturn(query: URLSearchParams): Promise<ShownPayment> {
    const shown = await this.payment(
      query.get('payment_id') ?? '',
      query.get('order_id') ?? '',
      query.get('acquirer') ?? '',
    )
    const { order, account, paymentId } = shown
    if (order === null || account === null) return { ...shown, verified: false }
    const values = [paymentId, order.number, order.amount, order.currency]
    return { ...shown, verified: outcomeOfReturn(values, query.get('hash') ?? '', account.password) !== null }
  }

  /** A payment with its status from the gateway. The shop's own record of the order names the acquirer, if it has one. */
  async payment(paymentId: string, orderNumber: string, acquirer = ''): Promise<ShownPayment> {
    const order = this.orders.find(orderNumber)
    const account = await this.account(this.#acquirers.get(orderNumber) ?? acquirer)
    if (account === null || paymentId === '') return { account, order, paymentId, status: '', verified: null }
    const { key, password, baseUrl } = account
    const request = { merchant_key: key, payment_id: paymentId, hash: checkoutHash([paymentId], password) }
    const { body } = await post(`${baseUrl}/api/v1/payment/status`, request)
    const status = typeof body['status'] === 'string' ? body['status'] : ''
    return { account, order, paymentId, status, verified: null }
  }

  /** Captures or refunds the whole amount; the returned sentence is for the visitor. */
  async followUp(kind: FollowUp, paymentId: string, orderNumber: string): Promise<string> {
    const { account, order } = await this.payment(paymentId, orderNumber)
    if (!account || !order) return 'The shop does not know this order.'
    const { path, body } = followUpRequest(account, kind, paymentId, order)
    const answer = await post(account.baseUrl + path, body)
    return answer.http === 200 ? `The gateway has accepted the ${kind}.` : complaintIn(answer)
  }

  async #order({ order }: WayToPay, acquirer = ''): Promise<Order> {
    const created = { number: `SHOP-${randomUUID().slice(0, 8).toUpperCase()}`, ...order }
    await this.#record({ kind: 'order', order: created, acquirer })
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
