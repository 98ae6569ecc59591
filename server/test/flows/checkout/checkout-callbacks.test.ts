/** Callbacks of Checkout as a merchant receives them: chapter 30 §5.1, §5.4, §5.5. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { checkoutFormulas, signCheckout } from '#domain/signature/signature.ts'
import { assertSingleError, buyer, CheckoutClient } from '../../pages/checkout.ts'
import type { ReceivedRequest } from '../../receiver.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let client: CheckoutClient

before(async () => {
  shop = await openShop()
  client = new CheckoutClient(shop)
})
afterEach(() => client.choose({}))
after(() => shop[Symbol.asyncDispose]())

const story = (callbacks: readonly ReceivedRequest[]) =>
  callbacks.map(({ fields }) => `${fields['type']} ${fields['status']} ${fields['order_status']}`)

const toldOf = async (id: string) => story(await client.callbacks(id))

function assertSigned({ fields }: ReceivedRequest, upperCasing: 'ascii' | 'unicode' = 'ascii'): void {
  const values = Object.fromEntries(checkoutFormulas.callback.map((name) => [name, fields[name]]))
  const key = { password: shop.merchant().password, digest: 'md5' } as const
  assert.equal(fields['hash'], signCheckout(checkoutFormulas.callback, values, key, upperCasing))
}

describe('the callback of a payment reports', () => {
  test('its outcome, its order as sent and its customer, as a signed form', async () => {
    const { payment } = await client.makePayment({
      order: { number: 'told-1', amount: '10.5', description: 'Ein Buch für Jürgen' },
      customer: buyer,
      billing_address: { country: 'us', state: 'CA', city: 'Los Angeles', phone: '+1 555 0100', address: '1 Main St' },
      custom_data: { cart: '5', nested: { a: 1 } },
    })
    const callback = await client.lastCallback(payment.id)
    assert.equal(callback.headers['content-type'], 'application/x-www-form-urlencoded; charset=utf-8')
    assertSigned(callback)
    const { date, hash, ...rest } = callback.fields
    assert.ok(date && hash)
    assert.deepEqual(rest, {
      id: payment.id,
      order_number: 'told-1',
      order_amount: '10.5',
      order_currency: 'EUR',
      order_description: 'Ein Buch für Jürgen',
      order_status: 'settled',
      type: 'sale',
      status: 'success',
      card: '411111******1111',
      card_expiration_date: '01/2038',
      customer_name: 'Jane Roe',
      customer_email: 'jane@example.com',
      customer_phone: '+1 555 0100',
      customer_country: 'US',
      customer_state: 'CA',
      customer_city: 'Los Angeles',
      customer_address: '1 Main St',
      'custom_data[cart]': '5',
      'custom_data[nested][a]': '1',
      customer_ip: '203.0.113.7',
    })
  })

  test('its order with a hash by the rules of Unicode, if the mapping says so', async () => {
    await client.choose({ hashUpperCasing: 'unicode' })
    const { payment } = await client.makePayment({ order: { description: 'Café Ünïcode' } })
    const callback = await client.lastCallback(payment.id)
    assertSigned(callback, 'unicode')
    assert.throws(() => assertSigned(callback, 'ascii'), assert.AssertionError)
  })

  test('a decline with its reason', async () => {
    const { payment } = await client.makePayment({}, '02/38')
    assert.deepEqual(await toldOf(payment.id), ['sale fail decline'])
    assert.equal((await client.lastCallback(payment.id)).fields['reason'], 'Declined by processing.')
  })

  test('a payer step, and then the outcome', async () => {
    const away = await client.makePayment({}, '05/38')
    assert.deepEqual(await toldOf(away.payment.id), ['3ds success 3ds'])
    await client.comeBack(away)
    assert.deepEqual(await toldOf(away.payment.id), ['3ds success 3ds', 'sale success settled'])
  })

  test('a redirect as such', async () => {
    const { payment } = await client.makePayment({}, '12/38')
    assert.deepEqual(await toldOf(payment.id), ['redirect success redirect'])
  })

  test('every later operation, with its own order data', async () => {
    const { payment } = await client.makePayment({ auth: true, order: { amount: '100.00' } })
    await client.capture(payment.id, '80.00')
    await client.refund(payment.id, '10.00')
    await client.refund(payment.id, '70.00')
    assert.deepEqual(await toldOf(payment.id), [
      'sale success pending',
      'capture success settled',
      'refund success settled',
      'refund success refund',
    ])
    for (const callback of await client.callbacks(payment.id)) {
      assert.equal(callback.fields['order_amount'], '100.00')
      assertSigned(callback)
    }
  })

  test('a released hold and a reversed debit as refunds', async () => {
    const held = await client.makePayment({ auth: true })
    await client.refund(held.payment.id, '10.00')
    assert.deepEqual((await toldOf(held.payment.id)).at(-1), 'refund success reversal')
    const debit = await client.makePayment({ operation: 'debit' })
    await client.refund(debit.payment.id, '4.00')
    await client.refund(debit.payment.id, '6.00')
    const expected = ['debit success settled', 'refund success settled', 'refund success reversal']
    assert.deepEqual(await toldOf(debit.payment.id), expected)
  })

  test('a void', async () => {
    const { payment } = await client.makePayment()
    await client.void(payment.id)
    assert.deepEqual(await toldOf(payment.id), ['sale success settled', 'void success void'])
  })

  test('two attempts on one session as two payments of one order', async () => {
    const session = await client.openSession({ order: { number: 'twice' } })
    const first = await client.pay(session, '02/38')
    const second = await client.pay(session)
    assert.notEqual(first.payment.id, second.payment.id)
    const numbers = [await client.lastCallback(first.payment.id), await client.lastCallback(second.payment.id)]
    assert.deepEqual(
      numbers.map(({ fields }) => fields['order_number']),
      ['twice', 'twice'],
    )
  })

  test('partial refunds separately, if that was selected', async () => {
    await client.choose({ addToCallback: ['transaction_id', 'transaction_amount'] })
    const { payment } = await client.makePayment()
    await client.refund(payment.id, '3.00')
    await client.refund(payment.id, '4.00')
    const refunds = (await client.callbacks(payment.id)).slice(1)
    assert.deepEqual(
      refunds.map(({ fields }) => fields['transaction_amount']),
      ['3.00', '4.00'],
    )
    assert.equal(new Set(refunds.map(({ fields }) => fields['transaction_id'])).size, 2)
  })
})

test('the callback is sent as JSON if the mapping says so, every scalar as text', async () => {
  await client.choose({ callbackFormat: 'json' })
  const { payment } = await client.makePayment({ custom_data: { n: 5, yes: true } })
  const { headers, fields } = await client.lastCallback(payment.id)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  assert.deepEqual(fields['custom_data'], { n: '5', yes: 'true' })
})

test('any 2xx answer acknowledges, whatever its body', async () => {
  const attempts = async (status: number, body: string): Promise<number> => {
    shop.receiver.answer = () => ({ status, body })
    const { payment } = await client.makePayment()
    await shop.service.awaitIdle()
    await shop.advance(120_000)
    shop.receiver.answer = () => ({ status: 200, body: 'OK' })
    return (await client.callbacks(payment.id)).length
  }
  assert.equal(await attempts(204, ''), 1)
  assert.equal(await attempts(201, 'no'), 1)
  assert.equal(await attempts(500, 'OK'), 2)
  await shop.advance(3_600_000)
})

describe('a saved card', () => {
  test('of a purchase is reported with its success and can receive a payout', async () => {
    const { payment } = await client.makePayment({ req_token: true, customer: buyer })
    const { card_token } = (await client.lastCallback(payment.id)).fields
    assert.match(card_token, /^[0-9a-f]{64}$/)
    const order = { order_id: 'payout-77', order_amount: '25.00', order_currency: 'EUR', order_description: 'Winnings' }
    const answer = await client.credit({ ...order, card_token, custom_data: { w: '1' } })
    assert.equal(answer.http, 200, answer.text)
    const { payment_id, ...rest } = answer.body
    assert.deepEqual(rest, { result: 'accepted' })
    const { fields } = await client.lastCallback(payment_id)
    assert.deepEqual(
      [
        fields['type'],
        fields['status'],
        fields['order_status'],
        fields['payee_name'],
        fields['order_amount'],
        fields['card'],
        fields['customer_ip'],
        fields['custom_data[w]'],
      ],
      ['credit', 'success', 'settled', 'Jane Roe', '25.00', '411111******1111', '127.0.0.1', '1'],
    )
    const named = await client.credit({
      ...order,
      card_token,
      payee_first_name: 'John',
      payee_last_name: 'Poe',
      payee_ip: '203.0.113.9',
    })
    const { fields: payoutFields } = await client.lastCallback(named.body.payment_id)
    assert.deepEqual([payoutFields['payee_name'], payoutFields['customer_ip']], ['John Poe', '203.0.113.9'])
  })

  test('of a debit is reported in every callback, and is not usable before the debit has succeeded', async () => {
    const away = await client.makePayment({ operation: 'debit', req_token: true }, '05/38')
    const [first] = await client.callbacks(away.payment.id)
    assert.deepEqual(story([first as ReceivedRequest]), ['debit success 3ds'])
    const token = first?.fields['card_token']
    const payout = {
      order_id: 'payout-1',
      order_amount: '1.00',
      order_currency: 'EUR',
      order_description: 'Winnings',
      card_token: token,
    }
    assertSingleError(await client.credit(payout), 205007, 'Card token is not accessible.')
    await client.comeBack(away)
    const callbacks = await client.callbacks(away.payment.id)
    assert.deepEqual(story(callbacks), ['debit success 3ds', 'debit success settled'])
    assert.deepEqual(
      callbacks.map(({ fields }) => fields['card_token']),
      [token, token],
    )
    assert.equal((await client.credit(payout)).http, 200)
  })
})

describe('a payout', () => {
  const order = { order_id: 'payout-2', order_amount: '25.00', order_currency: 'EUR', order_description: 'Winnings' }

  test('can also go to a card number', async () => {
    const { body } = await client.credit({ ...order, card_number: '4601541833776519' })
    assert.deepEqual(await toldOf(body.payment_id), ['credit success settled'])
    assertSingleError(await client.refund(body.payment_id, '25.00'), 208005, 'Refund is not allowed')
  })

  test('that is declined is accepted first and reported afterwards', async () => {
    const { body } = await client.credit({ ...order, card_number: '4917484589897107' })
    assert.equal(body.result, 'accepted')
    assert.deepEqual(await toldOf(body.payment_id), ['credit fail decline'])
  })

  test('to an unknown token is refused', async () => {
    assertSingleError(
      await client.credit({ ...order, card_token: 'a'.repeat(64) }),
      205005,
      'Card token is invalid or not found.',
    )
    const session = client.session({ operation: 'credit', card_token: ['a'.repeat(64)] })
    assertSingleError(await session, 205005, 'Card token is invalid or not found.')
  })
})

describe('a chain', () => {
  test('on a schedule reports its pair, its dates, and each later charge with its amount', async () => {
    const schedule = await client.schedule()
    const { payment } = await client.makePayment({
      recurring_init: true,
      schedule_id: schedule.id,
      payment_schedule_amount: '9.99',
      order: { number: 'plan-1', amount: '0.00' },
      custom_data: { plan: 'gold' },
    })
    const { fields } = await client.lastCallback(payment.id)
    assert.deepEqual([fields['type'], fields['order_amount'], fields['order_status']], ['sale', '0.00', 'settled'])
    assert.deepEqual([fields['recurring_init_trans_id'], fields['schedule_id']], [payment.id, schedule.id])
    assert.equal(fields['payment_schedule_amount'], '9.99')
    const pair = { recurring_init_trans_id: payment.id, recurring_token: fields['recurring_token'] }

    const extra = await client.recurring({
      ...pair,
      order: { number: 'extra', amount: '4.50', description: 'More' },
      custom_data: { own: '1' },
    })
    assert.equal(extra.body.schedule_id, schedule.id)
    const charged = (await client.lastCallback(extra.body.payment_id)).fields
    assert.deepEqual(
      [
        charged['type'],
        charged['schedule_id'],
        charged['custom_data[own]'],
        charged['custom_data[plan]'],
        charged['first_recurring_date'],
      ],
      ['recurring', schedule.id, '1', undefined, undefined],
    )

    await shop.advance(40 * 24 * 3_600_000)
    await shop.service.awaitIdle()
    const fired = shop.receiver.received.filter(
      ({ fields: callbackFields }) =>
        callbackFields['type'] === 'recurring' && callbackFields['order_number'] === 'plan-1',
    )
    assert.ok(fired.length >= 1)
    const [first] = fired
    assert.deepEqual(
      [
        first?.fields['order_amount'],
        first?.fields['custom_data[plan]'],
        first?.fields['recurring_token'],
        first?.fields['schedule_id'],
      ],
      ['9.99', 'gold', pair.recurring_token, schedule.id],
    )
  })

  test('whose charge was declined softly is retried and reported as a recurring charge', async () => {
    const { payment } = await client.makePayment({ recurring_init: true }, '01/39')
    const pair = { recurring_init_trans_id: payment.id, recurring_token: payment.facts.recurringToken }
    const { body } = await client.recurring({ ...pair, order: { number: 'soft', amount: '4.50', description: 'More' } })
    assert.deepEqual([body.status, body.reason.endsWith('.')], ['declined', true])
    const retried = await client.retry(body.payment_id)
    assert.equal(retried.text, `{"payment_id":"${body.payment_id}","result":"accepted"}`)
    assert.deepEqual(await toldOf(body.payment_id), ['recurring fail decline', 'recurring success settled'])
    assert.equal((await client.status({ payment_id: body.payment_id })).body.status, 'settled')
  })
})

test('VAT is charged on top of the net amount and reported separately', async () => {
  await shop.configure(`update merchants set vat_percent = '19' where name = 'demo'`)
  const { payment } = await client.makePayment({ vat_calc: true })
  await shop.configure(`update merchants set vat_percent = null where name = 'demo'`)
  assert.equal(payment.amountMinor, 1190n)
  const { fields } = await client.lastCallback(payment.id)
  assert.deepEqual([fields['vat_amount'], fields['order_amount']], ['1.90', '10.00'])
})

test('a payment made without an address never gets a callback', async () => {
  const url = shop.receiver.url
  await shop.configure(`update merchants set notification_url = null where name = 'demo'`)
  const { payment } = await client.makePayment()
  await shop.configure(`update merchants set notification_url = $1 where name = 'demo'`, [url])
  await client.refund(payment.id, '1.00')
  assert.deepEqual(await client.callbacks(payment.id), [])
})
