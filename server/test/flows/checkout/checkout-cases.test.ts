/** Single rows of chapter 30 as a merchant meets them: MOTO, a changed password, crypto, transfers and payouts. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signReturn } from '#domain/signature/payer-return.ts'
import { checkoutFormulas, signCheckout } from '#domain/signature/signature.ts'
import { rotatePassword } from '#server/setup/merchants.ts'
import { assertRows, assertSingleError, CheckoutClient } from '../../pages/checkout.ts'
import { Payer, visaCard } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const client = new CheckoutClient(shop)

for (const moto_type of ['phone_moto', 'email_moto', 'default_moto']) {
  test(`${moto_type}: no security code is required, the issuer does not challenge, and the value is reported`, async () => {
    await shop.configure('update mids set moto_enabled = true')
    const payer = await Payer.at(shop, { moto_type })
    const { moto, methods } = await payer.session()
    assert.deepEqual([moto, methods.map(({ code }: { code: string }) => code)], [true, ['card']])
    const { result, payment_id } = await payer.payAndExpectSuccess({
      card: { number: '4111111111111111', expiry: '05/38' },
    })
    assert.equal(result, 'success')
    assert.equal((await client.lastCallback(payment_id)).fields['moto_type'], moto_type)
    assert.equal((await client.status({ payment_id })).body.moto_type, moto_type)
  })
}

test('`ecommerce` changes nothing and is still reported', async () => {
  const payer = await Payer.at(shop, { moto_type: 'ecommerce', methods: ['card'] })
  assert.equal((await payer.session()).moto, false)
  assertRows(await payer.pay({ card: { number: '4111111111111111', expiry: '01/38' } }), [
    'card.cvv: This value should not be blank.',
  ])
  const { result, payment_id } = await payer.payAndExpectSuccess({ card: visaCard('05/38') })
  assert.equal(result, 'redirect')
  assert.equal((await client.lastCallback(payment_id)).fields['moto_type'], 'ecommerce')
})

test('the previous password signs requests until its end; returns and callbacks are signed with the newest', async () => {
  const { name, key, password: former } = shop.merchant('demo-no-moto')
  const { merchant } = shop.service.configuration.byKey(key) ?? assert.fail()
  const until = new Date(shop.base.clock.now().getTime() + 60_000)
  const password = (await rotatePassword(shop.base, merchant.id, until)).reveal()
  await shop.service.configuration.refresh()

  const order = { number: 'rotated-1', amount: '10.00', currency: 'EUR', description: 'A book' }
  const payer = await Payer.at(shop, { order }, { merchant: name })
  const { payment_id, redirect } = await payer.payAndExpectSuccess()
  const values = {
    order_number: order.number,
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
  }
  const { order_amount, order_currency } = values
  const returned = { trans_id: payment_id, order_id: order.number, order_amount, order_currency, outcome: 'success' }
  const signedWith = (one: string) => signReturn(returned, one)
  assert.equal(new URL(redirect.url).searchParams.get('hash'), signedWith(password))
  const callback = signCheckout(checkoutFormulas.callback, { id: payment_id, ...values }, { password, digest: 'md5' })
  assert.equal((await client.lastCallback(payment_id)).fields['hash'], callback)
  assert.notEqual(password, former)

  await shop.advance(61_000)
  assertRows(await client.session({}, { merchant: name }), ['hash: Hash is not valid.'])
})

test('a crypto network is free text, which the page shows and callbacks report', async () => {
  const over = { methods: ['crypto-pay'], order: { amount: '0.5', currency: 'BTC' }, crypto: { network: 'My own net' } }
  const payer = await Payer.at(shop, over)
  assert.equal((await payer.session()).crypto_network, 'My own net')
  const { payment_id } = await payer.payAndExpectSuccess({
    method: 'crypto-pay',
    card: undefined,
    customer: { email: 'a@b.example' },
  })
  const { fields } = await client.lastCallback(payment_id)
  assert.deepEqual(
    [fields['type'], fields['status'], fields['order_status'], fields['crypto_network']],
    ['init', 'success', 'pending', 'My own net'],
  )
  assert.ok(fields['crypto_address'])
})

test('a transfer authenticates the payer’s card, and reports both cards masked', async () => {
  const payee = { name: 'John Poe' }
  const payer = await Payer.at(shop, { operation: 'transfer', order: { amount: '5.00' }, payee })
  const { result, payment_id } = await payer.payAndExpectSuccess({
    card: visaCard('05/38'),
    payee_card: { number: '4601541833776519' },
  })
  assert.equal(result, 'redirect')
  await client.comeBack({ payment: { id: payment_id } })
  const callbacks = (await client.callbacks(payment_id)).map(({ fields }) => [
    fields['type'],
    fields['order_status'],
    fields['card'],
    fields['payee_card'],
    fields['payee_name'],
  ])
  const cards = ['411111******1111', '460154******6519', 'John Poe']
  assert.deepEqual(callbacks, [
    ['3ds', '3ds', ...cards],
    ['transfer', 'settled', ...cards],
  ])
})

test('rows of a payout come in the order of its table', async () => {
  assertRows(
    await client.credit({
      channel_id: 'nobody',
      payee_ip: 'x',
      payee_email: 'x',
      order_id: '',
      order_amount: '0',
      order_currency: 'EURO',
      order_description: 'x',
    }),
    [
      'order_id: This value should not be blank.',
      'order_amount: This value should be greater than 0.',
      'amount: This value should be greater than 0.',
      'order_currency: This value is not valid.',
      'order_description: This value is too short. It should have 2 characters or more.',
      'card_token: This value should not be blank.',
      'payee_email: This value is not a valid email address.',
      'payee_ip: This value is not valid.',
      'channel_id: This value is not correct.',
    ],
  )
})

test('times are in the merchant’s time zone, in answers and in callbacks', async () => {
  await shop.configure("update merchants set time_zone = 'Asia/Tokyo' where name = 'demo'")
  const { payment } = await client.makePayment()
  const { date } = (await client.status({ payment_id: payment.id })).body
  const callbackDate = (await client.lastCallback(payment.id)).fields['date'] ?? ''
  await shop.configure("update merchants set time_zone = 'UTC' where name = 'demo'")
  const tokyo = new Date(payment.createdAt.getTime() + 9 * 3_600_000).toISOString()
  assert.equal(date, tokyo.slice(0, 19).replace('T', ' '))
  assert.equal(callbackDate.slice(0, 13), tokyo.slice(0, 13).replace('T', ' '))
})

test('wrong hashes and unknown payments have a rate limit ten times lower, which affects no other caller', async () => {
  const { name } = shop.merchant('demo-no-wallet')
  await shop.configure('update merchants set rate_per_second = 20 where name = $1', [name])
  const guess = (at: number) =>
    at % 2 === 0
      ? client.session({ hash: '0'.repeat(40) }, { merchant: name })
      : client.status({ payment_id: crypto.randomUUID() }, { merchant: name })
  const answers: number[] = []
  for (let at = 0; at < 12; at += 1) answers.push((await guess(at)).http)
  assert.ok(answers.includes(429), answers.join(' '))
  const limited = await client.session({}, { merchant: name })
  assert.equal(limited.http, 429)
  assert.match(limited.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/)
  assert.equal((await client.session()).http, 200)
})

test('a payer who never returns sees on the page that the payment expired, and the merchant gets the reason', async () => {
  const payer = await Payer.at(shop, { session_expiry: 120 })
  const { payment_id } = await payer.payAndExpectSuccess({ card: visaCard('05/38') })
  await shop.advance(31 * 60_000)
  const { body } = await client.status({ payment_id })
  assert.deepEqual([body.status, body.reason], ['decline', 'Expired'])
  const { fields } = await client.lastCallback(payment_id)
  assert.deepEqual([fields['type'], fields['status'], fields['reason']], ['sale', 'fail', 'Expired'])
  const session = await payer.session()
  assert.deepEqual([session.state, session.declines.count], ['declined', 1])
  assert.ok(session.decline_message)
})

test('an expired saved card is shown but cannot pay, and receives no payout', async () => {
  const saved = await (await Payer.at(shop, { req_token: true })).payAndExpectSuccess()
  const token = (await client.lastCallback(saved.payment_id)).fields['card_token'] ?? ''
  await shop.base.pool.query('update cards set expiry_year = 2020')
  const payer = await Payer.at(shop, { card_token: [token] })
  assert.equal((await payer.session()).card_tokens[0].expired, true)
  assertSingleError(await payer.pay({ card_token: token, cvv: '123' }), 205006, 'Card token is expired.')
  assertSingleError(
    await client.session({ operation: 'credit', card_token: [token] }),
    205006,
    'Card token is expired.',
  )
})
