/** SALE with card data, a merchant's first request. Chapter 10 §7.1, §13.1. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

test('a SALE with a good card settles, in the documented fields and their order', async () => {
  const { http, headers, body } = await shop.sale({ order_id: 'ORDER-1001' })
  assert.equal(http, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(Object.keys(body), [
    'action',
    'result',
    'status',
    'order_id',
    'trans_id',
    'trans_date',
    'descriptor',
    'amount',
    'currency',
  ])
  const { trans_id, trans_date, ...rest } = body
  assert.match(trans_id, /^[0-9a-f-]{36}$/)
  assert.match(trans_date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.deepEqual(rest, {
    action: 'SALE',
    result: 'SUCCESS',
    status: 'SETTLED',
    order_id: 'ORDER-1001',
    descriptor: 'TEST',
    amount: '10.00',
    currency: 'EUR',
  })
  assert.equal((await shop.readExecuted(trans_id)).length, 1)
})

test('its money is taken by one transaction of type SALE, as the table of first commands says', async () => {
  const { body } = await shop.sale({})
  const { body: details } = await shop.followUp('GET_TRANS_DETAILS', body.trans_id, {})
  assert.deepEqual(
    details.transactions.map(({ type, status }: { type: string; status: string }) => [type, status]),
    [['SALE', 'success']],
  )
})

test('its callback contains the answer, the hash of Formula 2 and the masked card', async () => {
  const { body } = await shop.sale({ 'custom_data[cart]': '778' })
  const [callback, ...more] = await shop.callbacks(body.trans_id)
  assert.equal(more.length, 0)
  assert.deepEqual(callback?.fields, {
    action: 'SALE',
    result: 'SUCCESS',
    status: 'SETTLED',
    order_id: body.order_id,
    trans_id: body.trans_id,
    hash: shop.sign(
      cardFormulas.followUp,
      { email: 'doe@example.com', trans_id: body.trans_id, pan10: '4111111111' },
      shop.merchant().password,
    ),
    trans_date: body.trans_date,
    descriptor: 'TEST',
    amount: '10.00',
    currency: 'EUR',
    card: '411111******1111',
    card_expiration_date: '01/2038',
    'custom_data[cart]': '778',
  })
})

test('a declined SALE has its reason, and so has its callback', async () => {
  const { http, body } = await shop.sale({ card_exp_month: '02' })
  assert.equal(http, 200)
  assert.equal(body.result, 'DECLINED')
  assert.equal(body.status, 'DECLINED')
  assert.equal(body.decline_reason, 'Declined by processing')
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['result'], 'DECLINED')
  assert.equal(callback?.fields['decline_reason'], 'Declined by processing')
  assert.deepEqual(await shop.readExecuted(body.trans_id), [])
})
