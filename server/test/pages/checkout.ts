/**
 * A merchant's server on Checkout: signed JSON requests, sessions, and payments on them.
 *
 * `pay` makes an attempt on a session with the same operation that the page's API calls, so that API, callbacks and returns can be tested
 * without a browser.
 */
import assert from 'node:assert/strict'
import type { Mode } from '#domain/merchant.ts'
import type { Schedule } from '#domain/schedule/schedule.ts'
import { monthly } from '#domain/schedule/testing/schedule-example.ts'
import { secret } from '#domain/secret.ts'
import { checkoutFormulas, type Digest, signCheckout } from '#domain/signature/signature.ts'
import type { ScheduleRecord } from '#server/contracts/records.ts'
import type { SessionRecord } from '#server/contracts/session-records.ts'
import { demoOptions } from '#server/demo/demo-tables.ts'
import type { PaymentWithTransaction } from '#server/payments/outcome/perform.ts'
import { payeeOf, payerOf } from '#server/payments/sessions/people.ts'
import type { SessionAttempt } from '#server/payments/sessions/session-payment.ts'
import { payerStepStore } from '#server/store/payments/payer-steps.ts'
import { sessionStore } from '#server/store/sessions/sessions.ts'
import type { ReceivedRequest } from '../receiver.ts'
import type { Answer, Fields, Shop } from '../shop.ts'

export type Body = Readonly<Record<string, unknown>>

export interface CheckoutAs {
  readonly merchant?: string
  readonly mode?: 'live' | 'test'
  readonly digest?: Digest
  readonly headers?: Fields
}

type Formula = keyof typeof checkoutFormulas

export const buyer = { name: 'Jane Roe', email: 'jane@example.com' }

/** A minimal purchase, with two texts that every answer must repeat. */
const purchase = {
  operation: 'purchase',
  success_url: 'https://shop.example/ok',
  cancel_url: 'https://shop.example/no',
}

const orderOf = (number: string) => ({ number, amount: '10.00', currency: 'EUR', description: 'A book' })

export class CheckoutClient {
  readonly shop: Shop
  #orders = 0

  constructor(shop: Shop) {
    this.shop = shop
  }

  /** A request exactly as given; undefined members are left out. */
  send(path: string, body: unknown, as: CheckoutAs = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return this.request(path, { body: text, headers: { 'content-type': 'application/json', ...as.headers } })
  }

  /** Any request at all. */
  async request(path: string, request: RequestInit): Promise<Answer> {
    const reply = await fetch(`${this.shop.url}${path}`, { method: 'POST', ...request })
    const text = await reply.text()
    return { http: reply.status, headers: reply.headers, text, body: /^[[{]/.test(text) ? JSON.parse(text) : null }
  }

  /** Adds key and hash by the formula of the endpoint, unless the body has them. */
  post(path: string, formula: Formula, body: Body, as: CheckoutAs = {}): Promise<Answer> {
    return this.send(path, this.sign(formula, body, as), as)
  }

  sign(formula: Formula, body: Body, { merchant = 'demo', mode = 'live', digest = 'md5' }: CheckoutAs = {}): Body {
    const { key, test_key, password } = this.shop.merchant(merchant)
    const values = Object.fromEntries(checkoutFormulas[formula].map((name) => [name, textAt(body, name)]))
    const hash = signCheckout(checkoutFormulas[formula], values, { password, digest })
    return { merchant_key: mode === 'live' ? key : test_key, ...body, hash: body['hash'] ?? hash }
  }

  /** What `session` sends; `order` replaces members of the order, not the whole. */
  purchase({ order, ...over }: Body & { order?: Body } = {}): Body {
    this.#orders += 1
    return { ...purchase, order: { ...orderOf(`order-${this.#orders}`), ...order }, ...over }
  }

  session(over: Body & { order?: Body } = {}, as: CheckoutAs = {}): Promise<Answer> {
    return this.post('/api/v1/session', 'session', this.purchase(over), as)
  }

  /** A created session, as the store has it. */
  async openSession(over: Body & { order?: Body } = {}, as: CheckoutAs = {}): Promise<SessionRecord> {
    const answer = await this.session(over, as)
    assert.equal(answer.http, 200, answer.text)
    return this.byToken(answer.body.redirect_url.split('/auth/')[1])
  }

  async byToken(token: string): Promise<SessionRecord> {
    const jwt = Buffer.from(token, 'base64url').toString()
    const { jti } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
    return this.readSession(jti)
  }

  async readSession(id: string): Promise<SessionRecord> {
    const session = await sessionStore(this.shop.base.pool).find(id)
    assert.ok(session)
    return session
  }

  /** Pays with a card of chapter 30 §11, whose `MM/YY` decides the outcome, or as `over` says. */
  async pay(
    { id }: Pick<SessionRecord, 'id'>,
    expiry = '01/38',
    over: Partial<SessionAttempt> = {},
  ): Promise<PaymentWithTransaction> {
    const { payerSessions, sessions } = this.shop.service.operations
    const session = await this.readSession(id)
    const payerSession = await payerSessions.load(session)
    assert.ok(payerSession)
    const { methods } = await sessions.offer(payerSession.merchant, session)
    const [method] = methods
    assert.ok(method)
    const [month, year] = expiry.split('/').map(Number)
    return payerSessions.pay(payerSession, {
      id: null,
      method,
      paidWith: {
        kind: 'card',
        number: secret('4111111111111111'),
        expiry: { month: month ?? 0, year: 2000 + (year ?? 0) },
        code: secret('123'),
      },
      payer: payerOf(session.request),
      payee: payeeOf(session.request),
      payeeCard: null,
      amount: null,
      payerIp: session.request.customerIp ?? '203.0.113.7',
      language: 'en',
      consent: null,
      browser: null,
      requestId: 'test',
      ...over,
    })
  }

  /** A payment on a new session. */
  async makePayment(
    over: Body & { order?: Body } = {},
    expiry = '01/38',
    as: CheckoutAs = {},
  ): Promise<PaymentWithTransaction> {
    return this.pay(await this.openSession(over, as), expiry)
  }

  status(over: Body, as: CheckoutAs = {}): Promise<Answer> {
    return this.post('/api/v1/payment/status', over['payment_id'] === undefined ? 'order' : 'payment', over, as)
  }

  capture(payment_id: string, amount: string, as: CheckoutAs = {}): Promise<Answer> {
    return this.post('/api/v1/payment/capture', 'paymentAmount', { payment_id, amount }, as)
  }

  refund(payment_id: string, amount: string, as: CheckoutAs = {}): Promise<Answer> {
    return this.post('/api/v1/payment/refund', 'paymentAmount', { payment_id, amount }, as)
  }

  void(payment_id: string, as: CheckoutAs = {}): Promise<Answer> {
    return this.post('/api/v1/payment/void', 'payment', { payment_id }, as)
  }

  retry(payment_id: string, as: CheckoutAs = {}): Promise<Answer> {
    return this.post('/api/v1/payment/retry', 'payment', { payment_id }, as)
  }

  recurring(body: Body, as: CheckoutAs = {}): Promise<Answer> {
    return this.post('/api/v1/payment/recurring', 'recurring', body, as)
  }

  credit(body: Body, as: CheckoutAs = {}): Promise<Answer> {
    return this.post('/api/v1/payment/card/credit', 'cardCredit', body, as)
  }

  /** The callbacks of a payment so far, in the order of their arrival, after everything due was delivered. */
  async callbacks(paymentId: string): Promise<readonly ReceivedRequest[]> {
    await this.shop.service.awaitIdle()
    return this.shop.receiver.received.filter((callback) => callback.fields['id'] === paymentId)
  }

  async lastCallback(paymentId: string): Promise<ReceivedRequest> {
    const last = (await this.callbacks(paymentId)).at(-1)
    assert.ok(last, 'No callback came.')
    return last
  }

  /** A schedule of the merchant: every month, twelve times, unless `over` changes it. */
  async schedule(over: Partial<Schedule> = {}, merchant = 'demo', mode: Mode = 'live'): Promise<ScheduleRecord> {
    const known = this.shop.service.configuration.byKey(this.shop.merchant(merchant).key)
    assert.ok(known)
    return this.shop.service.operations.schedules.create(
      { merchantId: known.merchant.id, mode },
      { ...monthly, ...over },
      null,
    )
  }

  /** The payer returns from the acquirer's page of a waiting payment. */
  async comeBack(
    { payment }: { readonly payment: Pick<PaymentWithTransaction['payment'], 'id'> },
    verdict = 'approve',
  ): Promise<Response> {
    const step = await payerStepStore(this.shop.base.pool).findNewestById(payment.id)
    const termUrl = step?.params['TermUrl']
    assert.ok(termUrl, 'The payer was not sent away.')
    const { pathname } = new URL(termUrl)
    return fetch(`${this.shop.url}${pathname}`, {
      method: 'POST',
      body: new URLSearchParams({ PaRes: verdict }),
      redirect: 'manual',
    })
  }

  /** Sets the options of a merchant's Checkout mapping; the others return to those of a demo merchant. */
  choose(options: object, merchant = 'demo'): Promise<void> {
    return this.shop.configure(
      `update protocol_mappings set options = $1
       where protocol = 'CHECKOUT' and merchant_id = (select id from merchants where name = $2)`,
      [JSON.stringify(demoOptions('CHECKOUT', { CHECKOUT: { ...options } })), merchant],
    )
  }
}

function textAt(body: unknown, path: string): string | undefined {
  const value = path
    .split('.')
    .reduce<unknown>(
      (inside, name) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, name) : undefined),
      body,
    )
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Asserts that the answer is exactly this error: the whole body, byte for byte. */
export function assertSingleError(answer: Answer, code: number, message: string, http = 400): void {
  const body = `{"http_code":${http},"error_code":${code},"error_message":${JSON.stringify(message)},"errors":[]}`
  assert.deepEqual({ http: answer.http, text: answer.text }, { http, text: body })
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
}

/** Asserts that the answer reports these violations, in this order; none means that the request was processed. */
export function assertRows(answer: Answer, rows: readonly string[]): void {
  if (rows.length === 0) {
    assert.equal(answer.http, 200, answer.text)
    return
  }
  const errors = rows.map((row) => ({ error_code: 100000, error_message: row }))
  const body = { http_code: 400, error_code: 0, error_message: 'Request data is invalid.', errors }
  assert.deepEqual({ http: answer.http, text: answer.text }, { http: 400, text: JSON.stringify(body) })
}
