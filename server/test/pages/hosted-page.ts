/** A payer at the hosted page without a browser: the calls of the page's own API. Chapter 30 §7.10. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Answer, Shop } from '../shop.ts'
import { type Body, type CheckoutAs, CheckoutClient } from './checkout.ts'

export const visaCard = (expiry = '01/38') => ({ number: '4111 1111 1111 1111', expiry, cvv: '123' })

/** The browser data that a page sends. */
const browserInfo = {
  language: 'en',
  screen_width: 1280,
  screen_height: 720,
  color_depth: 24,
  timezone_offset: -60,
  java_enabled: false,
  javascript_enabled: true,
  platform: 'Linux',
}

export class Payer {
  readonly checkout: CheckoutClient
  readonly token: string

  constructor(checkout: CheckoutClient, token: string) {
    this.checkout = checkout
    this.token = token
  }

  /** At the link of a new session. */
  static async at(shop: Shop, over: Body & { order?: Body } = {}, as: CheckoutAs = {}): Promise<Payer> {
    const checkout = new CheckoutClient(shop)
    const answer = await checkout.session(over, as)
    assert.equal(answer.http, 200, answer.text)
    return new Payer(checkout, answer.body.redirect_url.split('/auth/')[1])
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.checkout.request(path, { method: 'GET', headers: { token: this.token, ...headers } })
  }

  post(path: string, body: Body): Promise<Answer> {
    return this.checkout.request(path, {
      body: JSON.stringify(body),
      headers: {
        token: this.token,
        accept: 'application/json',
        'user-agent': 'Test/1',
        'x-forwarded-for': '203.0.113.9',
      },
    })
  }

  /** Pays with the good card unless `over` changes it; undefined members are left out. */
  pay(over: Body = {}): Promise<Answer> {
    return this.post('/page/v1/payment', {
      attempt_id: randomUUID(),
      method: 'card',
      ...(over['card_token'] === undefined ? { card: visaCard() } : {}),
      customer: { name: 'Jane Roe' },
      browser_info: browserInfo,
      ...over,
    })
  }

  async payAndExpectSuccess(over: Body = {}): Promise<Answer['body']> {
    const answer = await this.pay(over)
    assert.equal(answer.http, 200, answer.text)
    return answer.body
  }

  async session(): Promise<Answer['body']> {
    const answer = await this.get('/page/v1/session')
    assert.equal(answer.http, 200, answer.text)
    return answer.body
  }

  async state(query = ''): Promise<Answer['body']> {
    const answer = await this.get(`/page/v1/state${query}`)
    assert.equal(answer.http, 200, answer.text)
    return answer.body
  }

  /** Gives up the step that waits for the payer's confirmation. */
  cancelStep(): Promise<Answer> {
    return this.post('/page/v1/cancel-step', {})
  }

  close(): Promise<Answer> {
    return this.post('/page/v1/close', {})
  }
}
