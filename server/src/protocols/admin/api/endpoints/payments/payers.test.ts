import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { merchantId, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop } from '../../../../../../test/shop.ts'

const shop = await openShop({}, ['back office'])
after(() => shop[Symbol.asyncDispose]())

const demo = await merchantId(shop, 'demo')
const address = `/merchants/${demo}/payers/erase`

const auditOf = async () =>
  (await shop.base.pool.query(`select actor from audit_log where action = 'payer.erase' order by seq`)).rows

test('a merchant’s own admin rehearses and erases a payer; only the erasure is in the audit log', async () => {
  await shop.sale({ payer_email: 'ann@example.com' })
  await shop.service.idle()
  const admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
  const rehearsal = await admin.post(address, { email: 'ann@example.com', dryRun: true })
  assert.equal(rehearsal.http, 200, rehearsal.text)
  assert.deepEqual(await auditOf(), [])
  const { http, body } = await admin.post(address, { email: 'ann@example.com', dryRun: false })
  assert.equal(http, 200)
  assert.deepEqual(body, rehearsal.body)
  assert.deepEqual([body.payments, body.kept], [1, []])
  const [entry, ...more] = await auditOf()
  assert.match(entry.actor, new RegExp(admin.person.email))
  assert.deepEqual(more, [])
})

test('somebody who only looks may not', async () => {
  const viewer = await panelOf(shop, { role: 'support' })
  assert.equal((await viewer.post(address, { email: 'ann@example.com', dryRun: true })).http, 403)
})

test('a payer is named by one thing, and a rehearsal is never meant by silence', async () => {
  const owner = await panelOf(shop)
  for (const body of [
    {},
    { email: 'ann@example.com' },
    { dryRun: false },
    { email: 'nobody', dryRun: true },
    { cardToken: 'f', dryRun: true },
  ])
    assert.equal((await owner.post(address, body)).http, 422, JSON.stringify(body))
  assert.equal((await owner.post(address, { cardToken: 'f'.repeat(64), dryRun: true })).http, 404)
})

test('the payer of a payment is shown with all payments of the address, at this merchant and in this mode alone', async () => {
  const email = 'Bea@example.com'
  const first: string = (await shop.sale({ payer_email: email, order_amount: '10.00' })).body.trans_id
  await shop.sale({ payer_email: 'bea@example.com', order_amount: '5.50' })
  await shop.sale({ payer_email: email, card_exp_month: '02' })
  await shop.sale({ payer_email: email, order_currency: 'JPY', order_amount: '700' })
  await shop.sale({ payer_email: email }, { mode: 'test' })
  await shop.sale({ payer_email: email }, { merchant: 'demo-dms' })
  await shop.sale({ payer_email: 'someone@example.com' })
  await shop.service.idle()
  const support = await panelOf(shop, { role: 'support' })
  const { body, text } = await support.get(`/merchants/${demo}/payments/${first}/payer`)
  assert.equal(body.email, email, text)
  assert.deepEqual(
    body.sums.map((sum: Record<string, unknown>) => [
      sum['currency'],
      sum['payments'],
      sum['declined'],
      sum['capturedMinor'],
    ]),
    [
      ['EUR', 3, 1, '1550'],
      ['JPY', 1, 0, '700'],
    ],
  )
  assert.deepEqual([body.plans, body.disputes], [[], []])
  assert.ok(body.cards.every(({ lastFour }: { lastFour: string }) => lastFour === '1111'))
  assert.ok(!text.includes('4111111111111111'))
  const other = await panelOf(shop, {
    role: 'merchant-viewer',
    allMerchants: false,
    merchantIds: [await merchantId(shop, 'demo-dms')],
  })
  assert.equal((await other.get(`/merchants/${demo}/payments/${first}/payer`)).http, 404)
})
