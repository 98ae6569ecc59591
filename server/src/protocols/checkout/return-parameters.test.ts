/** Returns to the merchant: chapter 30 §6 and the examples of §12. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { requestTexts, textsOf } from '#domain/payment/facts.ts'
import { bareFacts } from '#domain/payment/testing/example-facts.ts'
import { signReturn } from '#domain/signature/payer-return.ts'
import { checkoutFormulas, signCheckout } from '#domain/signature/signature.ts'
import type { SessionRequest } from '../../contracts/session-records.ts'
import { linkTarget, type ReturnFacts, type ReturnReason, returnAddress } from './return-parameters.ts'

const key = { password: 'testpass123', digest: 'md5' } as const
const mapping = { addToRedirect: [], hashUpperCasing: 'ascii', returnSignature: 'own' } as const
const paymentId = 'dc66cdd8-d702-11ea-9a2f-0242c0a87002'
const order = { number: 'order-1234', amount: '0.19', currency: 'USD', description: 'Important gift' }
const none: SessionRequest['urls'] = { success: null, cancel: null, expiry: null, error: null, return: null }

const facts = (urls: Partial<SessionRequest['urls']>, over: Partial<ReturnFacts> = {}): ReturnFacts => ({
  session: { request: request(urls), firstPayment: 'first-payment' },
  payment: {
    ...bareFacts,
    id: paymentId,
    protocol: 'CHECKOUT',
    order: { ...bareFacts.order, amountAsSent: '0.19' },
    checkoutMethod: 'card',
  },
  outcome: 'success',
  mapping,
  key,
  ...over,
})

const request = (urls: Partial<SessionRequest['urls']>): SessionRequest => ({
  methods: [],
  channel: null,
  order,
  urls: { ...none, ...urls },
  urlTarget: null,
  saveCard: false,
  cardTokens: [],
  recurringInit: false,
  schedule: null,
  consentRequired: false,
  auth: false,
  ...textsOf(requestTexts, () => null),
  vatCalc: false,
  formId: null,
  customer: {},
  billingAddress: {},
  payee: {},
  payeeBillingAddress: {},
  cryptoNetwork: null,
  parameters: null,
  customData: null,
  customerIp: null,
})

const named = `payment_id=${paymentId}&trans_id=${paymentId}&order_id=order-1234&hash=3210b69ee738b3a0ae19760be6c4386efb7ab6487548e3501bc621d8c0d39471`

describe('the address carries', () => {
  const hashOf = (of: ReturnFacts) => URL.parse(returnAddress(of, 'success') ?? '')?.searchParams.get('hash') ?? ''

  test('a hash over the amount as it was sent and over the outcome', () => {
    const amount = { trans_id: paymentId, order_id: 'order-1234', order_amount: '0.19', order_currency: 'USD' }
    for (const outcome of ['success', 'open', 'failure'] as const)
      assert.equal(
        hashOf(facts({ success: 'https://shop.example/ok' }, { outcome })),
        signReturn({ ...amount, outcome }, key.password),
      )
  })

  test('by mapping option the hash of the callback, upper-cased as the mapping says', () => {
    const coffee = { ...order, description: 'café' }
    const addressOf = (hashUpperCasing: 'ascii' | 'unicode') => {
      const chosen = { ...mapping, hashUpperCasing, returnSignature: 'callback' } as const
      const of = facts({ success: 'https://shop.example/ok' }, { mapping: chosen })
      return hashOf({ ...of, session: { ...of.session, request: { ...of.session.request, order: coffee } } })
    }
    const { number, amount, currency, description } = coffee
    const values = { payment_id: paymentId, order_number: number, order_amount: amount, order_currency: currency }
    for (const form of ['ascii', 'unicode'] as const)
      assert.equal(
        addressOf(form),
        signCheckout(checkoutFormulas.return, { ...values, order_description: description }, key, form),
      )
    assert.notEqual(addressOf('ascii'), addressOf('unicode'))
  })

  test('the payment, the order and the hash of the worked example', () => {
    assert.equal(
      returnAddress(facts({ success: 'https://shop.example/ok' }), 'success'),
      `https://shop.example/ok?${named}`,
    )
  })

  test('the selected parameters after the hash', () => {
    const selected = facts(
      { success: 'https://shop.example/ok' },
      { mapping: { ...mapping, addToRedirect: ['payment_method'] } },
    )
    assert.equal(returnAddress(selected, 'success'), `https://shop.example/ok?${named}&payment_method=card`)
  })

  test('them after what it has already, before its fragment', () => {
    const address = returnAddress(facts({ cancel: 'https://shop.example/no?a=b%20c#top' }), 'cancel')
    assert.equal(address, `https://shop.example/no?a=b%20c&${named}#top`)
  })

  test('an order number of any script in percent signs', () => {
    const session = {
      request: { ...request({ success: 'https://shop.example/ok' }), order: { ...order, number: 'a b/é' } },
      firstPayment: 'x',
    }
    assert.match(returnAddress(facts({}, { session }), 'success') ?? '', /&order_id=a%20b%2F%C3%A9&/)
  })

  test('the identifier held ready, when the page was closed before any payment', () => {
    const address = new URL(
      returnAddress(facts({ cancel: 'https://shop.example/no' }, { payment: null }), 'cancel') ?? '',
    )
    assert.equal(address.searchParams.get('payment_id'), 'first-payment')
    assert.equal(address.searchParams.get('trans_id'), 'first-payment')
    assert.match(address.searchParams.get('hash') ?? '', /^[0-9a-f]{64}$/)
  })

  for (const why of ['expiry', 'error', 'return'] as const) {
    test(`nothing on ${why} while no payment exists`, () => {
      assert.equal(
        returnAddress(facts({ [why]: 'https://shop.example/x' }, { payment: null }), why),
        'https://shop.example/x',
      )
      assert.equal(returnAddress(facts({ [why]: 'https://shop.example/x' }), why), `https://shop.example/x?${named}`)
    })
  }
})

describe('the address when one is missing:', () => {
  const cancel = 'https://shop.example/no'
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [ReturnReason, Partial<SessionRequest['urls']>, string | null])[] = [
    ['cancel', {},                                        null],
    ['expiry', { cancel },                                cancel],
    ['expiry', { cancel, expiry: 'https://shop.example/e' }, 'https://shop.example/e'],
    ['expiry', {},                                        null],
    ['error',  { cancel },                                cancel],
    ['error',  { cancel, error: 'https://shop.example/e' }, 'https://shop.example/e'],
    ['error',  {},                                        null],
    ['return', { return: 'https://shop.example/back' },   'https://shop.example/back'],
  ]
  for (const [why, urls, expected] of rows) {
    test(`${why} with ${Object.keys(urls).join(' and ') || 'none'}`, () => {
      const address = returnAddress(facts(urls), why)
      assert.equal(address === null ? null : address.split('?')[0], expected)
    })
  }
})

describe('the window is', () => {
  const mid = (overrideLinkTarget: NonNullable<PaymentFacts['mid']>['overrideLinkTarget']) => ({
    mid: { name: '', connectorTitle: '', overrideLinkTarget },
  })
  const session = (urlTarget: string | null) => ({ request: { ...request({}), urlTarget } })
  // biome-ignore format: a table is read in columns.
  const rows = [
    ['that of the MID',           session('_top'), mid('_blank'), '_blank'],
    ['that which was sent',       session('_top'), mid(null),     '_top'],
    ['that which was sent, before a MID is known', session('_parent'), null, '_parent'],
    ["the payer's own otherwise", session(null),   mid(null),     '_self'],
  ] as const
  for (const [title, of, payment, expected] of rows) test(title, () => assert.equal(linkTarget(of, payment), expected))
})
