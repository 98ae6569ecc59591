/** Status, capture, refund, void, retry and recurring on Checkout: chapter 30 §4. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { assertRows, assertSingleError, CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let client: CheckoutClient

before(async () => {
  shop = await openShop()
  client = new CheckoutClient(shop)
})
after(() => shop[Symbol.asyncDispose]())

const dateTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

describe('status', () => {
  test('reports the state of a payment, its order as sent and its customer', async () => {
    const { payment } = await client.makePayment({
      order: { number: 'status-1', amount: '10.5' },
      customer: { name: 'Jane van der Roe', email: 'jane@example.com' },
    })
    const answer = await client.status({ payment_id: payment.id })
    const { date, ...rest } = answer.body
    assert.match(date, dateTime)
    assert.deepEqual(rest, {
      payment_id: payment.id,
      status: 'settled',
      order: { number: 'status-1', amount: '10.5', currency: 'EUR', description: 'A book' },
      customer: { name: 'Jane van der Roe', email: 'jane@example.com' },
    })
    assert.equal(answer.http, 200)
  })

  test('of a declined payment contains the reason, with a full stop', async () => {
    const { payment } = await client.makePayment({}, '02/38')
    const { body } = await client.status({ payment_id: payment.id })
    assert.deepEqual([body.status, body.reason], ['decline', 'Declined by processing.'])
    assert.deepEqual(body.customer, { name: '', email: '' })
  })

  test('by order returns the newest payment as an object, and with a size a list, newest first', async () => {
    const session = await client.openSession({ order: { number: 'status-2' } })
    const first = await client.pay(session, '02/38')
    const second = await client.pay(session, '01/38')
    assert.equal((await client.status({ order_id: 'status-2' })).body.payment_id, second.payment.id)
    const ids = async (size: unknown) =>
      (await client.status({ order_id: 'status-2', size })).body.map(
        ({ payment_id }: { payment_id: string }) => payment_id,
      )
    assert.deepEqual(await ids(1), [second.payment.id])
    assert.deepEqual(await ids('2'), [second.payment.id, first.payment.id])
    assert.deepEqual(await ids(100), [second.payment.id, first.payment.id])
    for (const size of [0, 101, -1, 'many', 1.5]) {
      const answer = await client.status({ order_id: 'status-2', size })
      assertSingleError(answer, 100000, 'size should be within 1..100')
    }
  })

  test('by payment_id ignores a size, and payment_id takes precedence if both are sent', async () => {
    const { payment } = await client.makePayment()
    const { body } = await client.status({ payment_id: payment.id, order_id: 'status-2', size: 500 })
    assert.equal(body.payment_id, payment.id)
  })

  test('of an unknown payment or order says which of the two is unknown', async () => {
    assertSingleError(await client.status({ payment_id: randomUUID() }), 101000, 'Payment does not exist.')
    assertSingleError(await client.status({ payment_id: 'no identifier' }), 101000, 'Payment does not exist.')
    assertSingleError(await client.status({ order_id: 'nothing' }), 101000, 'Order does not exist.')
    assertRows(await client.status({}), ['payment_id: This value should not be blank.'])
    assertRows(await client.status({ payment_id: 'x'.repeat(256) }), ['payment_id: This value is not correct.'])
  })

  test('of an order without a payment says that it does not exist', async () => {
    const session = await client.openSession({ order: { number: 'status-3' } })
    assertSingleError(await client.status({ order_id: 'status-3' }), 101000, 'Order does not exist.')
    assertSingleError(await client.status({ payment_id: session.firstPayment }), 101000, 'Payment does not exist.')
    const { payment } = await client.pay(session)
    assert.equal(payment.id, session.firstPayment)
  })

  test('finds neither payments of the other key nor of S2S', async () => {
    const { payment } = await client.makePayment({}, '01/38', { mode: 'test' })
    assertSingleError(await client.status({ payment_id: payment.id }), 101000, 'Payment does not exist.')
    assert.equal((await client.status({ payment_id: payment.id }, { mode: 'test' })).body.status, 'settled')
    const sale = await shop.sale()
    assertSingleError(await client.status({ payment_id: sale.body.trans_id }), 101000, 'Payment does not exist.')
    assertSingleError(await client.refund(sale.body.trans_id, '1.00'), 100000, 'Payment not found.')
  })

  test('shows the selected fields, and the transactions oldest first', async () => {
    await client.choose({
      addToStatus: ['payment_method', 'brand', 'card', 'card_expiration_date', 'transactions', 'arn'],
    })
    const { payment } = await client.makePayment({ auth: true })
    await client.capture(payment.id, '4.00')
    const { body } = await client.status({ payment_id: payment.id })
    await client.choose({})
    assert.deepEqual(
      [body.payment_method, body.brand, body.card, body.card_expiration_date],
      ['card', 'payment_document_card', '411111******1111', '01/2038'],
    )
    assert.deepEqual(
      body.transactions.map(({ type, status, amount }: Record<string, string>) => [type, status, amount]),
      [
        ['auth', 'success', '10.00'],
        ['capture', 'success', '4.00'],
      ],
    )
  })
})

describe('capture', () => {
  const held = async (amount = '100.00', expiry = '01/38') =>
    (await client.makePayment({ auth: true, order: { amount } }, expiry)).payment

  test('of a part captures it and releases the rest', async () => {
    const payment = await held()
    assert.equal(payment.status, 'PENDING')
    const { http, body } = await client.capture(payment.id, '80.00')
    const { date, ...rest } = body
    assert.match(date, dateTime)
    assert.deepEqual([http, rest], [200, { payment_id: payment.id, status: 'settled', trans_status: 'SUCCESS' }])
    assertSingleError(
      await client.capture(payment.id, '1.00'),
      208003,
      'Not acceptable to request the capture for payment not in pending status.',
    )
  })

  test('of more than is held is refused', async () => {
    const payment = await held()
    const message = 'Not acceptable to request the capture for amount bigger than auth amount.'
    assertSingleError(await client.capture(payment.id, '100.01'), 208004, message)
  })

  test('that the acquirer refuses leaves the hold, and may be repeated', async () => {
    const payment = await held('100.00', '03/38')
    const { http, body } = await client.capture(payment.id, '100.00')
    assert.deepEqual([http, body.status, body.trans_status], [200, 'pending', 'FAIL'])
    assert.match(body.reason, /\.$/)
    assert.equal((await client.status({ payment_id: payment.id })).body.status, 'pending')
  })

  test('whose answer is lost is undefined, not declined', async () => {
    const payment = await held()
    await shop.scenario({ types: ['capture'], drop_reply: { count: 1, of: 1 } })
    const { http, body } = await client.capture(payment.id, '100.00')
    await shop.clearScenario()
    assert.deepEqual([http, body.status, body.trans_status, body.reason], [200, 'pending', 'UNDEFINED', undefined])
    await shop.advance(10_000)
    assert.equal((await client.status({ payment_id: payment.id })).body.status, 'settled')
    assert.equal((await client.lastCallback(payment.id)).fields['type'], 'capture')
  })

  test('blocks every other command until its outcome is known', async () => {
    const payment = await held()
    await shop.scenario({ types: ['capture'], drop_reply: { count: 1, of: 1 } })
    await client.capture(payment.id, '100.00')
    await shop.clearScenario()
    const inFlight = 'Previous transaction not completed.'
    assertSingleError(await client.capture(payment.id, '100.00'), 100000, inFlight)
    assertSingleError(await client.refund(payment.id, '100.00'), 100000, inFlight)
    await shop.advance(10_000)
    assert.equal((await client.refund(payment.id, '100.00')).http, 200)
  })

  test('needs an amount above zero', async () => {
    const payment = await held()
    assertRows(await client.capture(payment.id, ''), ['amount: This value should not be blank.'])
    assertRows(await client.capture(payment.id, '0.00'), ['amount: This value should be greater than 0.'])
    assertRows(await client.capture(payment.id, '1.001'), ['amount: This value is not valid.'])
    assertSingleError(await client.capture(randomUUID(), '1.00'), 100000, 'Payment not found.')
  })
})

describe('refund', () => {
  const statusOf = async (payment_id: string) => (await client.status({ payment_id })).body.status

  test('is accepted in parts until nothing is left', async () => {
    const { payment } = await client.makePayment()
    const { http, text } = await client.refund(payment.id, '4.00')
    assert.deepEqual([http, text], [200, `{"payment_id":"${payment.id}","result":"accepted"}`])
    assert.equal(await statusOf(payment.id), 'settled')
    const tooMuch = 'Not acceptable to request the refund for amount bigger than payment amount.'
    assertSingleError(await client.refund(payment.id, '6.01'), 208006, tooMuch)
    await client.refund(payment.id, '6.00')
    assert.equal(await statusOf(payment.id), 'refund')
    assertSingleError(await client.refund(payment.id, '1.00'), 208005, 'Refund is not allowed')
  })

  test('releases a hold in full only', async () => {
    const { payment } = await client.makePayment({ auth: true })
    const partial = 'Not acceptable to request the reversal for partial amount.'
    assertSingleError(await client.refund(payment.id, '1.00'), 208009, partial)
    await client.refund(payment.id, '10.00')
    assert.equal(await statusOf(payment.id), 'reversal')
  })

  test('reverses a debit in parts', async () => {
    const { payment } = await client.makePayment({ operation: 'debit' })
    await client.refund(payment.id, '3.00')
    assert.equal(await statusOf(payment.id), 'settled')
    const tooMuch = 'Not acceptable to request the reversal for amount bigger than payment amount.'
    assertSingleError(await client.refund(payment.id, '8.00'), 208008, tooMuch)
    await client.refund(payment.id, '7.00')
    assert.equal(await statusOf(payment.id), 'reversal')
  })

  test('of a declined payment is not allowed', async () => {
    const { payment } = await client.makePayment({}, '02/38')
    assertSingleError(await client.refund(payment.id, '10.00'), 208005, 'Refund is not allowed')
  })

  test('of a transfer is not allowed', async () => {
    const answer = await (
      await Payer.at(shop, { operation: 'transfer', order: { amount: '5.00' } })
    ).payAndExpectSuccess({
      payee_card: { number: '4601541833776519' },
    })
    assert.equal((await client.lastCallback(answer.payment_id)).fields['type'], 'transfer')
    assertSingleError(await client.refund(answer.payment_id, '5.00'), 208005, 'Refund is not allowed')
  })

  test('of zero releases a zero hold, and is refused for any other payment', async () => {
    const zero = await client.makePayment({ auth: true, recurring_init: true, order: { amount: '0.00' } })
    assert.equal(zero.payment.status, 'PENDING')
    const message = 'Not acceptable to request the capture for amount bigger than auth amount.'
    assertSingleError(await client.capture(zero.payment.id, '1.00'), 208004, message)
    assert.equal((await client.refund(zero.payment.id, '0.00')).body.result, 'accepted')
    assert.equal(await statusOf(zero.payment.id), 'reversal')
    const { payment } = await client.makePayment()
    assertRows(await client.refund(payment.id, '0.00'), ['amount: This value should be greater than 0.'])
  })

  test('of a settled zero amount is not allowed', async () => {
    const { payment } = await client.makePayment({ recurring_init: true, order: { amount: '0' } })
    assert.equal(payment.status, 'SETTLED')
    assertSingleError(await client.refund(payment.id, '1.00'), 208005, 'Refund is not allowed')
  })

  test('never exceeds the captured amount, however many run concurrently', async () => {
    const { payment } = await client.makePayment()
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.refund(payment.id, '3.00')))
    const accepted = answers.filter(({ http }) => http === 200).length
    assert.ok(accepted >= 1 && accepted <= 3, String(accepted))
    const postings = await shop.postings(payment.id)
    assert.ok(postings.filter((posting) => posting.includes('refunded')).length <= 3)
  })
})

describe('void', () => {
  test('cancels a payment of the same day', async () => {
    const { payment } = await client.makePayment({ order: { number: 'void-1' } })
    const { http, body } = await client.void(payment.id)
    const { date, ...rest } = body
    assert.match(date, dateTime)
    assert.deepEqual(
      [http, rest],
      [
        200,
        {
          status: 'SUCCESS',
          payment_status: 'void',
          payment_id: payment.id,
          order: { number: 'void-1', amount: '10.00', currency: 'EUR', description: 'A book' },
        },
      ],
    )
    assertSingleError(await client.void(payment.id), 100000, 'Void is not allowed.')
  })

  test('is refused for a hold and after a partial refund', async () => {
    const { payment } = await client.makePayment({ auth: true })
    assertSingleError(await client.void(payment.id), 100000, 'Void is not allowed.')
    const other = await client.makePayment()
    await client.refund(other.payment.id, '1.00')
    assertSingleError(await client.void(other.payment.id), 100000, 'Void is not allowed.')
    assertSingleError(await client.void(randomUUID()), 100000, 'Payment not found.')
    const zero = await client.makePayment({ recurring_init: true, order: { amount: '0' } })
    assertSingleError(await client.void(zero.payment.id), 100000, 'Void is not allowed.')
  })

  test('is allowed for a captured hold and for a charge of a chain', async () => {
    const { payment } = await client.makePayment({ auth: true, recurring_init: true })
    await client.capture(payment.id, '10.00')
    const { body } = await client.recurring({
      recurring_init_trans_id: payment.id,
      recurring_token: payment.facts.recurringToken,
      order: { number: 'void-2', amount: '2.00', description: 'More' },
    })
    for (const id of [payment.id, body.payment_id]) assert.equal((await client.void(id)).body.payment_status, 'void')
  })

  test('is refused for a payment of another financial day', async () => {
    const { payment } = await client.makePayment()
    await shop.advance(24 * 3_600_000)
    assertSingleError(await client.void(payment.id), 100000, 'Void is not allowed.')
  })
})

describe('a chain', () => {
  const started = async (over: object = {}) => {
    const { payment } = await client.makePayment({ recurring_init: true, ...over })
    return { recurring_init_trans_id: payment.id, recurring_token: payment.facts.recurringToken }
  }
  const order = { number: 'again-1', amount: '4.50', description: 'Extra storage' }

  test('is charged on request, in the currency of its first payment', async () => {
    const chain = await started({ customer: { name: 'Jane Roe', email: 'jane@example.com' } })
    const { http, body } = await client.recurring({ ...chain, order: { ...order, currency: 'XXX' } })
    const { date, payment_id, ...rest } = body
    assert.match(date, dateTime)
    assert.deepEqual(
      [http, rest],
      [
        200,
        {
          status: 'settled',
          order: { number: 'again-1', amount: '4.50', currency: 'EUR', description: 'Extra storage' },
          customer: { name: 'Jane Roe', email: 'jane@example.com' },
        },
      ],
    )
    const status = await client.status({ payment_id })
    assert.equal(status.body.recurring_token, chain.recurring_token)
  })

  test('of a debit is charged by a debit', async () => {
    const { body } = await client.recurring({ ...(await started({ operation: 'debit' })), order })
    assert.equal(body.status, 'settled')
    await client.refund(body.payment_id, '4.50')
    assert.equal((await client.status({ payment_id: body.payment_id })).body.status, 'reversal')
  })

  test('that was never started is an incorrect transaction', async () => {
    const chain = await started()
    for (const wrong of [
      { recurring_token: randomUUID() },
      { recurring_init_trans_id: randomUUID() },
      { recurring_token: 'x' },
    ]) {
      assertSingleError(await client.recurring({ ...chain, ...wrong, order }), 100000, 'Incorrect transaction')
    }
  })

  test('needs an amount and a description', async () => {
    assertRows(await client.recurring({ ...(await started()), order: { number: '', amount: '0' } }), [
      'order.number: This value should not be blank.',
      'order.amount: This value should be greater than 0.',
      'order.description: This value should not be blank.',
    ])
  })

  test('may be put on a schedule by a charge, counted from that charge', async () => {
    const chain = await started()
    const schedule = await client.schedule()
    const { body } = await client.recurring({ ...chain, order, schedule_id: schedule.id })
    assert.deepEqual([body.status, body.schedule_id], ['settled', schedule.id])
    const { fields } = await client.lastCallback(body.payment_id)
    assert.deepEqual([fields['schedule_id'], fields['type']], [schedule.id, 'recurring'])
    assertSingleError(
      await client.recurring({ ...chain, order, schedule_id: randomUUID() }),
      100000,
      'Schedule not found',
    )
  })

  test('accepts a different customer for one payment', async () => {
    const chain = await started({ customer: { name: 'Jane Roe', email: 'jane@example.com' } })
    const { body } = await client.recurring({ ...chain, order, customer: { name: 'John Poe' } })
    assert.deepEqual(body.customer, { name: 'John Poe', email: 'jane@example.com' })
  })
})

test('a payment that cannot be retried is not', async () => {
  const { payment } = await client.makePayment({}, '02/38')
  assertSingleError(await client.retry(payment.id), 100000, 'Retry is not allowed.')
  assertSingleError(await client.retry(randomUUID()), 100000, 'Payment not found.')
})
