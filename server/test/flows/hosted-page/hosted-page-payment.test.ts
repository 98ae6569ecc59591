/** Attempts on a session through the page's own API. Chapter 30 §7.2, §7.3, §7.8, §7.10, §11. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { assertRows, assertSingleError } from '../../pages/checkout.ts'
import { Payer, visaCard } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop({ TRUSTED_PROXIES: '127.0.0.1' })
after(() => shop[Symbol.asyncDispose]())

test('a good card succeeds, and the return address has the parameters of a return', async () => {
  const payer = await Payer.at(shop)
  const answer = await payer.payAndExpectSuccess()
  assert.equal(answer.result, 'success')
  assert.equal(answer.state, 'complete')
  const back = new URL(answer.redirect.url)
  assert.equal(`${back.origin}${back.pathname}`, 'https://shop.example/ok')
  assert.deepEqual([...back.searchParams.keys()], ['payment_id', 'trans_id', 'order_id', 'hash'])
  assert.equal(back.searchParams.get('payment_id'), answer.payment_id)
  assert.equal(answer.redirect.target, '_self')
})

test('the first payment has the identifier that the session reserved', async () => {
  const payer = await Payer.at(shop)
  const { firstPayment } = await payer.checkout.byToken(payer.token)
  assert.equal((await payer.payAndExpectSuccess()).payment_id, firstPayment)
})

test('a decline has its reason in the page’s language, counts, and leaves the session open', async () => {
  const payer = await Payer.at(shop, { billing_address: { language: 'de' } })
  const answer = await payer.payAndExpectSuccess({ card: visaCard('02/38') })
  assert.equal(answer.result, 'decline')
  assert.match(answer.decline_message, /^Die Zahlung wurde abgelehnt\./)
  assert.equal(answer.declines_left, 2)
  assert.equal(answer.redirect, null)
  assert.equal((await payer.session()).state, 'declined')
  assert.equal((await payer.payAndExpectSuccess()).result, 'success')
})

// The sandbox says that the one card is stolen and that the other has no funds.
test('a payer reads that funds are missing, and of a stolen card only that the bank declined', async () => {
  const payer = await Payer.at(shop)
  const funds = await payer.payAndExpectSuccess({ card: visaCard('10/38') })
  assert.equal(
    funds.decline_message,
    'There is not enough money on the card. Please use another card or another way to pay.',
  )
  const stolen = await payer.payAndExpectSuccess({ card: visaCard('09/38') })
  assert.equal(stolen.decline_message, 'Your bank declined the payment. Please use another card or another way to pay.')
  assert.equal((await payer.session()).decline_message, stolen.decline_message)
  assert.deepEqual([funds.same_card, stolen.same_card], [true, false])
  const { fields } = await payer.checkout.lastCallback(stolen.payment_id)
  assert.equal(fields['reason'], 'Stolen card.', 'merchants read what they read before')
})

test('at the limit of declines the payer reads no more than the reason and goes to cancel_url, and further attempts are refused', async () => {
  const payer = await Payer.at(shop)
  await payer.payAndExpectSuccess({ card: visaCard('02/38') })
  await payer.payAndExpectSuccess({ card: visaCard('02/38') })
  const last = await payer.payAndExpectSuccess({ card: visaCard('02/38') })
  assert.equal(last.state, 'limit')
  assert.equal(last.declines_left, 0)
  assert.match(last.redirect.url, /^https:\/\/shop\.example\/no\?payment_id=/)
  const { decline_message } = await payer.session()
  assert.deepEqual(
    [last.decline_message, decline_message],
    ['The payment was declined.', 'The payment was declined.'],
    'no invitation to try again',
  )
  assertSingleError(await payer.pay(), 100000, 'Session is complete.')
})

test('the same attempt sent again is not paid twice', async () => {
  const payer = await Payer.at(shop)
  const attempt_id = randomUUID()
  const first = await payer.payAndExpectSuccess({ attempt_id })
  const second = await payer.payAndExpectSuccess({ attempt_id })
  assert.deepEqual(second, first)
  assert.equal((await shop.readExecuted(first.payment_id)).length, 1)
})

test('of a double click and of two tabs exactly one attempt is made', async () => {
  const payer = await Payer.at(shop)
  const answers = await Promise.all([payer.pay(), payer.pay(), payer.pay()])
  assert.deepEqual(answers.map(({ http }) => String(http)).toSorted(), ['200', '409', '409'])
  const { state, payment_id } = await payer.session()
  assert.equal(state, 'complete')
  assert.equal((await shop.readExecuted(payment_id)).length, 1)
})

test('a paid session says so, and refuses further attempts', async () => {
  const payer = await Payer.at(shop)
  await payer.payAndExpectSuccess()
  assertSingleError(await payer.pay(), 100000, 'Session is complete.')
  const session = await payer.session()
  assert.equal(session.state, 'complete')
  assert.match(session.redirect.url, /^https:\/\/shop\.example\/ok\?/)
})

test('where duplicates are rejected, the page learns that another session is paying the order, or has paid it', async () => {
  const order = { number: 'TWO-SESSIONS' }
  const [first, second] = [await Payer.at(shop, { order }), await Payer.at(shop, { order })]
  await first.checkout.choose({ rejectDuplicateOrders: true })
  await first.payAndExpectSuccess({ card: visaCard('05/38') })
  assertSingleError(await second.pay(), 100000, 'Previous payment not completed.')
  await first.cancelStep()
  assert.equal((await first.payAndExpectSuccess()).result, 'success')
  assertRows(await second.pay(), ['order_id: Duplicate payment.'])
  await first.checkout.choose({})
})

test('a session past its time is expired and leads to expiry_url', async () => {
  const payer = await Payer.at(shop, { session_expiry: 1, expiry_url: 'https://shop.example/late' })
  await shop.advance(61_000)
  const session = await payer.session()
  assert.equal(session.state, 'expired')
  assert.equal(session.redirect.url, 'https://shop.example/late')
  assertSingleError(await payer.pay(), 100000, 'Session token is not valid.', 401)
})

test('a payer who closes the page goes to cancel_url, and may come back and pay', async () => {
  const payer = await Payer.at(shop)
  const { firstPayment } = await payer.checkout.byToken(payer.token)
  const answer = await payer.close()
  assert.equal(answer.http, 200)
  assert.equal(new URL(answer.body.redirect.url).searchParams.get('payment_id'), firstPayment)
  assert.equal((await payer.session()).state, 'ready')
  const { result, payment_id } = await payer.payAndExpectSuccess()
  assert.deepEqual([result, payment_id], ['success', firstPayment])
})

test('a number of an unsupported network is refused before its check digit is checked', async () => {
  const payer = await Payer.at(shop)
  const answer = await payer.pay({ card: { ...visaCard(), number: '1111 2222 3333 4444' } })
  assertSingleError(answer, 100000, 'Bad Request. Brand of card does not support.')
  assert.deepEqual((await payer.session()).declines, { count: 0, max: 3 })
})

const wrong: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'a wrong check digit',
    { card: { ...visaCard(), number: '4111111111111112' } },
    ['card.number: This value is not valid.'],
  ],
  ['too few digits', { card: { ...visaCard(), number: '4111111111' } }, ['card.number: This value is not valid.']],
  ['a past expiry', { card: visaCard('01/20') }, ['card.expiry: This value is not valid.']],
  ['a month that is none', { card: visaCard('13/38') }, ['card.expiry: This value is not valid.']],
  ['no code', { card: { ...visaCard(), cvv: '' } }, ['card.cvv: This value should not be blank.']],
  [
    'four digits where the network has three',
    { card: { ...visaCard(), cvv: '1234' } },
    ['card.cvv: This value is not valid.'],
  ],
  ['no name', { customer: {} }, ['customer.name: This value should not be blank.']],
  ['digits as a name', { customer: { name: 'Jane 2' } }, ['customer.name: This value is not valid.']],
  ['no card at all', { card: undefined }, ['card: This value should not be blank.']],
  ['no attempt', { attempt_id: undefined }, ['attempt_id: This value should not be blank.']],
]
for (const [title, over, rows] of wrong) {
  test(`${title} is reported, and does not count as an attempt`, async () => {
    const payer = await Payer.at(shop)
    assertRows(await payer.pay({ ...over }), rows)
    assert.equal((await payer.session()).state, 'ready')
  })
}

for (const name of ['Suharto', '山田太郎', 'J. R. Roe']) {
  test(`${name} is a name with which a card is paid`, async () => {
    const payer = await Payer.at(shop)
    assert.equal((await payer.payAndExpectSuccess({ customer: { name } })).result, 'success')
  })
}

for (const expiry of ['01/38', '0138', '01-38', '01/2038', '1/38']) {
  test(`the expiry may be written ${expiry}`, async () => {
    const payer = await Payer.at(shop)
    assert.equal((await payer.payAndExpectSuccess({ card: visaCard(expiry) })).result, 'success')
  })
}

test('the payer cannot change values from the merchant', async () => {
  const payer = await Payer.at(shop, { customer: { name: 'Max Power', email: 'max@example.com' } })
  const { payment_id } = await payer.payAndExpectSuccess({ customer: { name: 'Jane Roe', email: 'jane@example.com' } })
  const { fields } = await payer.checkout.lastCallback(payment_id)
  assert.equal(fields['customer_name'], 'Max Power')
  assert.equal(fields['customer_email'], 'max@example.com')
})

test('callbacks report the payer’s own IP address', async () => {
  const payer = await Payer.at(shop)
  const { payment_id } = await payer.payAndExpectSuccess()
  assert.equal((await payer.checkout.lastCallback(payment_id)).fields['customer_ip'], '203.0.113.9')
})

test('an authorization is a success with status pending', async () => {
  const payer = await Payer.at(shop, { auth: true })
  const answer = await payer.payAndExpectSuccess()
  assert.equal(answer.result, 'success')
  assert.equal((await payer.checkout.lastCallback(answer.payment_id)).fields['order_status'], 'pending')
})

test('without a valid token nothing is returned', async () => {
  const payer = await Payer.at(shop)
  const stranger = new Payer(payer.checkout, `${payer.token.slice(0, -4)}AAAA`)
  for (const answer of [await stranger.get('/page/v1/session'), await stranger.pay(), await stranger.close()]) {
    assertSingleError(answer, 100000, 'Session token is not valid.', 401)
  }
})

test('another HTTP method on a known path is answered with the right one', async () => {
  const payer = await Payer.at(shop)
  const answer = await payer.checkout.request('/page/v1/session', { method: 'POST' })
  assert.equal(answer.http, 405)
  assert.equal(answer.headers.get('allow'), 'GET')
})
