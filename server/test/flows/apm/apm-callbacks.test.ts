/** Addresses, formats and acknowledgement of S2S APM callbacks. Chapter 20 §16. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { apmFormulas } from '#domain/signature/signature.ts'
import { Apm, openApmAccount } from '../../apm.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())

const minutes = 60_000
const names = (fields: object): string => Object.keys(fields).join(' ')

test('callback_url of the payment also receives callbacks of its later operations', async () => {
  const { body } = await apm.sale({ callback_url: `${shop.receiver.url}/own` })
  await apm.followUp('CREDITVOID', body.trans_id)
  const paths = (await apm.callbacks(body.trans_id)).map(({ path }) => path)
  assert.deepEqual(paths, ['/notify/own', '/notify/own'])
})

test('without any address no callback is ever sent, even if one is set later', async () => {
  const merchant = await openApmAccount(shop, { merchant: { notificationUrl: null } })
  const { body } = await apm.sale({}, { merchant })
  await shop.configure('update merchants set notification_url = $1 where name = $2', [shop.receiver.url, merchant])
  await apm.followUp('CREDITVOID', body.trans_id, {}, { merchant })
  assert.deepEqual(await apm.callbacks(body.trans_id, { merchant }), [])
})

test('JSON by the mapping has the same values, all of them text, under the same hash', async () => {
  const merchant = await openApmAccount(shop, {}, { callbackFormat: 'json' })
  const { body } = await apm.sale({ 'custom_data[a][0]': '1' }, { merchant })
  const [callback] = await apm.callbacks(body.trans_id, { merchant })
  assert.match(callback?.headers['content-type'] ?? '', /^application\/json/)
  assert.deepEqual(callback?.fields['custom_data'], { a: { 0: '1' } })
  assert.equal(callback?.fields['amount'], '10.00')
})

test('with SHA-256 in the mapping callbacks are signed with it, too', async () => {
  const as = { merchant: 'demo-sha256', digest: 'sha256' } as const
  const { body } = await apm.sale({}, as)
  assert.equal((await apm.callbacks(body.trans_id, as)).length, 1)
})

test('Add Data to callback: selected data comes last and is covered by the hash; arn is sent empty', async () => {
  const merchant = await openApmAccount(shop, {}, { addToCallback: ['arn', 'merchant_name', 'brand', 'payer_ip'] })
  const { body } = await apm.sale({ 'custom_data[a]': '1', identifier: 'fail@example.com' }, { merchant })
  const [callback] = await apm.callbacks(body.trans_id, { merchant })
  const { fields = {} } = callback ?? {}
  assert.equal(
    names(fields),
    'action result status order_id trans_id hash trans_date descriptor decline_reason amount currency custom_data[a] brand arn merchant_name payer_ip',
  )
  assert.deepEqual([fields['arn'], fields['merchant_name']], ['', merchant])
})

test('selected data is sent only with the success of a follow-up', async () => {
  const merchant = await openApmAccount(shop, {}, { addToCallback: ['merchant_name'] })
  const { body } = await apm.sale({ identifier: 'refund-fail@example.com', 'custom_data[a]': '1' }, { merchant })
  await apm.followUp('CREDITVOID', body.trans_id, {}, { merchant })
  const [sale, refund] = (await apm.callbacks(body.trans_id, { merchant })).map(({ fields }) => fields)
  assert.equal(sale?.['merchant_name'], merchant)
  assert.equal(names(refund ?? {}), 'action result status order_id trans_id hash creditvoid_id decline_reason')
})

test('a payout is signed by C2, in the order of its fields', async () => {
  for (const [payout, extra] of [
    [await apm.payout({ 'custom_data[a]': '1' }), ''],
    [await apm.cryptoPayout({ 'custom_data[a]': '1' }), 'descriptor '],
  ] as const) {
    const [callback] = await apm.callbacks(payout.body.trans_id, { formula: apmFormulas.payoutCallback })
    assert.equal(
      names(callback?.fields ?? {}),
      `action result status order_id trans_id hash trans_date ${extra}amount currency custom_data[a]`,
    )
  }
})

test('a crypto sale is signed by C3, with the e-mail if there is one', async () => {
  const order = { brand: 'crypto-pay', order_currency: 'BTC', order_amount: '0.1', identifier: undefined }
  for (const payer_email of [undefined, 'doe@example.com']) {
    const { body } = await apm.sale({ ...order, payer_email })
    const signedBy = { formula: apmFormulas.cryptoCallback, values: { payer_email } }
    assert.equal((await apm.callbacks(body.trans_id, signedBy)).length, 1)
  }
})

test('only a body that begins with OK acknowledges; other answers are retried by plan', async () => {
  const answers = ['no', 'Not OK', ' ok, thanks']
  shop.receiver.answer = () => ({ status: 200, body: answers.shift() ?? 'OK' })
  const { body } = await apm.sale()
  assert.equal((await apm.callbacks(body.trans_id)).length, 1)
  await shop.advance(2 * minutes)
  assert.equal((await apm.callbacks(body.trans_id)).length, 2)
  await shop.advance(10 * minutes)
  assert.equal((await apm.callbacks(body.trans_id)).length, 3)
  await shop.advance(60 * minutes)
  assert.equal((await apm.callbacks(body.trans_id)).length, 3)
})

test('each callback has the signature headers beside its hash', async () => {
  const { body } = await apm.sale()
  const [callback] = await apm.callbacks(body.trans_id)
  for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'webhook-sequence'])
    assert.ok(callback?.headers[header], `${header} is missing.`)
})
