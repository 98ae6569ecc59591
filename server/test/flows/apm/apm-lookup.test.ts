/** GET_TRANS_STATUS and GET_TRANS_STATUS_BY_ORDER on S2S APM. Chapter 20 §13. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { builtInBrands } from '#domain/brand/built-in-brands.ts'
import { saveBrand } from '#server/setup/brands.ts'
import { Apm, openApmAccount } from '../../apm.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { assertViolations, says } from '../../refusals.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())

const head = 'action result status order_id trans_id'
const names = (fields: object): string => Object.keys(fields).join(' ')

test('a look-up returns the status of the payment; its own result only says that it was found', async () => {
  const { body: sale } = await apm.sale()
  const { body } = await apm.status(sale.trans_id)
  assert.equal(names(body), head)
  assert.deepEqual(
    [body.action, body.result, body.status, body.order_id, body.trans_id],
    ['GET_TRANS_STATUS', 'SUCCESS', 'SETTLED', sale.order_id, sale.trans_id],
  )
})

test('a look-up of a declined payment returns the reason', async () => {
  const { body: sale } = await apm.sale({ identifier: 'fail@example.com' })
  const { body } = await apm.status(sale.trans_id)
  assert.equal(names(body), `${head} decline_reason`)
  assert.deepEqual([body.result, body.status, body.decline_reason], ['SUCCESS', 'DECLINED', 'Declined by processing'])
})

test('a look-up of a debit returns the commission and the total', async () => {
  for (const debit of [await apm.debit(), await apm.calculate()]) {
    const { body } = await apm.status(debit.body.trans_id)
    assert.equal(names(body), `${head} commission total_amount`)
    assert.deepEqual([body.commission, body.total_amount], ['0.00', '10.00'])
  }
})

test('a look-up by order returns the newest payment', async () => {
  const order = { order_id: 'TWICE' }
  await apm.sale({ ...order, identifier: 'fail@example.com' })
  const { body: newest } = await apm.sale(order)
  const { body } = await apm.byOrder('TWICE')
  assert.deepEqual(
    [body.action, body.result, body.status, body.trans_id],
    ['GET_TRANS_STATUS_BY_ORDER', 'SUCCESS', 'SETTLED', newest.trans_id],
  )
  assert.equal(names(body), head)
})

test('look-ups are signed by S3 and S5', async () => {
  const { body } = await apm.sale()
  const { hash } = apm.sign('CREDITVOID', { trans_id: body.trans_id })
  assertViolations(await apm.followUp('GET_TRANS_STATUS', body.trans_id, { hash }), [`hash: ${says.wrongHash}`])
})

test('Add Data to status response: selected fields come last, and missing ones are left out', async () => {
  const selected = ['brand', 'checkout_payment_method', 'arn', 'payer_email', 'payer_ip', 'card']
  const merchant = await openApmAccount(shop, {}, { addToStatus: selected })
  const { body: sale } = await apm.sale({ payer_email: 'doe@example.com' }, { merchant })
  const { body } = await apm.status(sale.trans_id, { merchant })
  assert.deepEqual(
    { ...body, arn: undefined },
    {
      action: 'GET_TRANS_STATUS',
      result: 'SUCCESS',
      status: 'SETTLED',
      order_id: sale.order_id,
      trans_id: sale.trans_id,
      checkout_payment_method: 'vcard',
      brand: 'payment_document_virtual',
      arn: undefined,
      payer_email: 'doe@example.com',
      payer_ip: '203.0.113.7',
    },
  )
})

test('the brand attribute of a crypto payment is that of its crypto brand', async () => {
  const merchant = await openApmAccount(shop, {}, { addToStatus: ['brand'] })
  const order = { brand: 'crypto-pay', order_currency: 'BTC', order_amount: '0.1', identifier: undefined }
  const { body: sale } = await apm.sale(order, { merchant })
  assert.equal((await apm.status(sale.trans_id, { merchant })).body.brand, 'payment_document_crypto')
})

test('checkout_payment_method is the name of the brand on Checkout, from the catalogue', async () => {
  const shipped = builtInBrands.find(({ code }) => code === 'vcard') ?? assert.fail()
  const record = { ...writtenBrand(shipped), code: 'town-card', aliases: [], checkout_name: 'Town Card' }
  assert.equal((await saveBrand({ ...shop.base, by: 'an operator' }, record)).kind, 'saved')
  const merchant = await openApmAccount(shop, {}, { addToStatus: ['checkout_payment_method'] })
  const { body: sale } = await apm.sale({ brand: 'town-card' }, { merchant })
  assert.equal((await apm.status(sale.trans_id, { merchant })).body.checkout_payment_method, 'Town Card')
})

test('a brand payment made on the hosted page is found here, and called back in the format of Checkout', async () => {
  const customer = { email: 'success@example.com' }
  const payer = await Payer.at(shop, { methods: ['vcard'], customer })
  const { payment_id } = await payer.payAndExpectSuccess({ method: 'vcard', card: undefined })
  const { body } = await apm.status(payment_id)
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'SETTLED'])
  assert.equal((await apm.byOrder(body.order_id)).body.trans_id, payment_id)
  assert.equal((await apm.followUp('CREDITVOID', payment_id)).body.result, 'ACCEPTED')
  assert.equal((await apm.status(payment_id)).body.status, 'REFUND')
  const { fields } = await new CheckoutClient(shop).lastCallback(payment_id)
  assert.deepEqual([fields['type'], fields['status'], fields['action']], ['refund', 'success', undefined])
})
