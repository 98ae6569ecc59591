import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newSchedule } from '../../../../../../test/chains.ts'
import { merchantId, panelOf } from '../../../../../../test/panel/admin.ts'
import { copyPayments } from '../../../../../../test/panel/copied-payments.ts'
import { openShop } from '../../../../../../test/shop.ts'

const shop = await openShop({}, ['back office'])
after(() => shop[Symbol.asyncDispose]())

const demo = await merchantId(shop, 'demo')
const address = `/merchants/${demo}/payers/erase`

const auditOf = async () =>
  (await shop.base.pool.query(`select actor from audit_log where action = 'payer.erase' order by seq`)).rows

test('a merchant’s own admin rehearses and erases a payer; only the erasure is in the audit log', async () => {
  await shop.sale({ payer_email: 'ann@example.com' })
  await shop.service.awaitIdle()
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
  await shop.service.awaitIdle()
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
  assert.deepEqual(
    body.cards.map((one: Record<string, unknown>) => [one['lastFour'], one['isSaved']]),
    [
      ['1111', false],
      ['1111', false],
    ],
    'one card with two expiry dates',
  )
  assert.ok(!text.includes('4111111111111111'))
  const other = await panelOf(shop, {
    role: 'merchant-viewer',
    allMerchants: false,
    merchantIds: [await merchantId(shop, 'demo-dms')],
  })
  assert.equal((await other.get(`/merchants/${demo}/payments/${first}/payer`)).http, 404)
})

const mastercard = { card_number: '5555555555554444' }

test('a payer is shown with saved cards, plans and disputes', async () => {
  const email = 'cas@example.com'
  const orders = ['SAVES-1', 'PLAN-1', 'DISPUTED-1'] as const
  const saved = await shop.sale({ payer_email: email, order_id: orders[0], req_token: 'Y', ...mastercard })
  const schedule = await newSchedule(shop)
  const planned = await shop.sale({
    payer_email: email,
    order_id: orders[1],
    order_amount: '7.00',
    recurring_init: 'Y',
    schedule_id: schedule,
  })
  const disputed = await shop.sale({ payer_email: email, order_id: orders[2] })
  await shop.service.awaitIdle()
  const owner = await panelOf(shop)
  const at = (id: string): string => `/merchants/${demo}/payments/${id}`
  const chargeback = { reference: 'CB-PAYER', amountMinor: '400', bankDate: '2026-03-01', reasonCode: '4837' }
  assert.equal((await owner.post(`${at(disputed.body.trans_id)}/chargeback`, chargeback)).http, 200)
  const stranger = await shop.sale({ payer_email: 'dan@example.com' })

  const { body } = await owner.get(`${at(saved.body.trans_id)}/payer`)
  assert.deepEqual(
    body.cards.map((one: Record<string, unknown>) => [one['lastFour'], one['network'], one['isSaved']]).toSorted(),
    [
      ['1111', 'visa', false],
      ['4444', 'mastercard', true],
    ],
  )
  const [plan, ...plans] = body.plans
  assert.deepEqual(
    [plan.startedBy, plan.orderId, plan.amountMinor, plan.currency, plan.state, plans],
    [planned.body.trans_id, orders[1], '700', 'EUR', 'running', []],
  )
  assert.match(plan.nextDate, /^\d{4}-\d{2}-\d{2}$/)
  const [dispute, ...disputes] = body.disputes
  assert.deepEqual(
    [dispute.paymentId, dispute.orderId, dispute.amountMinor, dispute.currency, dispute.stage, disputes],
    [disputed.body.trans_id, orders[2], '400', 'EUR', 'chargeback', []],
  )
  const other = (await owner.get(`${at(stranger.body.trans_id)}/payer`)).body
  assert.deepEqual([other.sums[0].payments, other.plans, other.disputes], [1, [], []])
})

test('without an e-mail address the card leads to the payer', async () => {
  const debit = (over: object) => shop.sale({ action: 'DEBIT', payer_email: undefined, order_amount: '3.00', ...over })
  // The sandbox declines it, which makes no difference here.
  const card = { card_number: '4012888888881881' }
  const first = await debit(card)
  await debit(card)
  const named = await shop.sale({ payer_email: 'eve@example.com', order_amount: '4.00', ...card })
  await debit(mastercard)
  await shop.service.awaitIdle()
  const owner = await panelOf(shop)
  const payerOf = async (id: string) => (await owner.get(`/merchants/${demo}/payments/${id}/payer`)).body
  const { email, cardMask, sums, cards } = await payerOf(first.body.trans_id)
  assert.deepEqual([email, cardMask.slice(-4)], [null, '1881'])
  assert.deepEqual([sums.length, sums[0].payments, sums[0].declined], [1, 3, 3], 'of this card, with the sale')
  assert.deepEqual(
    cards.map((one: Record<string, unknown>) => one['lastFour']),
    ['1881'],
  )
  assert.equal((await payerOf(named.body.trans_id)).sums[0].payments, 1, 'an address is more than a card')
  // Another card with the same first six and last four digits.
  await debit({ card_number: '4012880000051881' })
  const { cardId } = await payerOf(first.body.trans_id)
  const found = async (query: string) => (await owner.get(`/payments?${query}`)).body.payments.length
  assert.deepEqual([await found(`card=${cardMask}`), await found(`card=${cardMask}&cardId=${cardId}`)], [4, 3])
})

test('a payer with more payments than are counted is said to have more', async () => {
  const { body } = await shop.sale({ payer_email: 'busy@example.com' })
  await shop.service.awaitIdle()
  const owner = await panelOf(shop)
  const payer = async () => (await owner.get(`/merchants/${demo}/payments/${body.trans_id}/payer`)).body
  const before = await payer()
  assert.deepEqual([before.complete, before.counted], [true, 1])
  await copyPayments(shop.base.pool, body.trans_id, 1000)
  const after = await payer()
  assert.deepEqual([after.complete, after.counted, after.sums[0].payments], [false, 1000, 1000])
})
