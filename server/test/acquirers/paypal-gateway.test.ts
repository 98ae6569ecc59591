/** A merchant whose only MID is at PayPal: the brand `paypal` on S2S APM, cards on S2S CARD, and PayPal's notifications. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openPaypal } from '#sandbox/acquirers/paypal/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { changeCredentials, createMid, linkMerchant } from '#server/setup/mids.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { Apm, openApmAccount } from '../apm.ts'
import { panelOf } from '../panel/admin.ts'
import { openShop, type RequestFields } from '../shop.ts'

const shop = await openShop({}, ['back office'])
const apm = new Apm(shop)
const folder = await mkdtemp(join(tmpdir(), 'paypal-'))
const standIn = await openPaypal(folder)
const running = await startServices([standIn], 0, (fault) => {
  throw fault
})
after(async () => {
  await running.stop()
  await shop[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const merchant = await openApmAccount(shop, { mids: [] })
const merchantId = (await merchantStore(shop.base.pool).list()).find(({ name }) => name === merchant)?.id ?? ''
const features = { mode: 'live', name: 'paypal-live', connector: 'paypal', descriptor: 'EXAMPLE SHOP' } as const
const mid = await createMid(shop.base, features, standIn.credentials(running.url).live)
await linkMerchant(shop.base, { priority: 1, merchantId, midId: mid.id })
await shop.service.configuration.refresh()
const as = { merchant }

const brand: RequestFields = { brand: 'paypal', identifier: undefined }

async function decide(page: string, decision: 'approve' | 'decline'): Promise<string> {
  const reply = await fetch(page, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })
  return reply.headers.get('location') ?? ''
}

async function begin(over: RequestFields = {}) {
  const { body } = await apm.sale({ ...brand, ...over }, as)
  assert.deepEqual([body.result, body.status], ['REDIRECT', 'REDIRECT'])
  return { transId: body.trans_id, page: body.redirect_url }
}

async function statusOf(transId: string): Promise<string> {
  const { body } = await apm.status(transId, as)
  return body.status
}

async function executed(): Promise<readonly string[]> {
  const text = await (await fetch(`${running.url}/ledger`)).text()
  const entries = JSON.parse(text) as readonly { readonly kind: string; readonly amount: string }[]
  return entries.map(({ kind, amount }) => `${kind} ${amount}`)
}

test('a payer pays with a PayPal account, and the merchant refunds in part', async () => {
  const before = (await executed()).length
  const { transId, page } = await begin()
  const reply = await fetch(await decide(page, 'approve'), { redirect: 'manual' })
  assert.equal(new URL(reply.headers.get('location') ?? '').host, 'shop.example.com')
  assert.equal(await statusOf(transId), 'SETTLED')
  const refund = await apm.followUp('CREDITVOID', transId, { amount: '4.00' }, as)
  assert.equal(refund.body.result, 'ACCEPTED')
  assert.deepEqual((await executed()).slice(before), ['sale 1000', 'refund 400'])
})

test('two stages: the payer approves, the hold is captured in part', async () => {
  const before = (await executed()).length
  const { transId, page } = await begin({ auth: 'Y' })
  await fetch(await decide(page, 'approve'), { redirect: 'manual' })
  assert.equal(await statusOf(transId), 'PENDING')
  const capture = await apm.followUp('CAPTURE', transId, { amount: '7.50' }, as)
  assert.deepEqual([capture.body.result, capture.body.status], ['SUCCESS', 'SETTLED'])
  assert.deepEqual((await executed()).slice(before), ['authorize 1000', 'capture 750'])
})

test('a payer who cancels at PayPal is declined', async () => {
  const before = (await executed()).length
  const { transId, page } = await begin()
  await fetch(await decide(page, 'decline'), { redirect: 'manual' })
  assert.equal(await statusOf(transId), 'DECLINED')
  assert.equal((await executed()).length, before)
})

test('a payer who approves and never comes back, with no notification either, is not charged', async () => {
  const before = (await executed()).length
  const { transId, page } = await begin()
  await decide(page, 'approve')
  await shop.advance(3 * 3_600_000 + 60_000)
  assert.equal(await statusOf(transId), 'DECLINED')
  assert.equal((await executed()).length, before)
})

// These come before PayPal is reported where to send notifications, which would end a payment as well.
const live = standIn.credentials(running.url).live

// biome-ignore format: a table is read in columns.
const doors = [
  ['cannot be reached',      { base_url: 'http://127.0.0.1:9' }],
  ['refuses the credentials', { client_secret: 'another' }],
] as const

async function behind(door: object, run: () => Promise<void>): Promise<void> {
  const enter = async (credentials: object): Promise<void> => {
    await changeCredentials(shop.base, mid.id, credentials)
    await shop.service.configuration.refresh()
  }
  await enter({ ...live, ...door })
  try {
    await run()
  } finally {
    await enter(live)
  }
}

const cardStatusOf = async (transId: string): Promise<string> =>
  (await shop.followUp('GET_TRANS_STATUS', transId, {}, as)).body.status

for (const [what, door] of doors) {
  test(`a charge was executed, its answer lost, and PayPal ${what} when it is repeated: it is not declined, and charged once`, async () => {
    const before = (await executed()).length
    const { body } = await shop.sale({ order_amount: '666.01' }, as)
    assert.equal(body.result, 'UNDEFINED')
    await behind(door, () => shop.advance(6_000))
    assert.equal(await cardStatusOf(body.trans_id), 'PREPARE')
    await shop.advance(60_000)
    assert.equal(await cardStatusOf(body.trans_id), 'SETTLED')
    assert.deepEqual((await executed()).slice(before), ['sale 66601'])
  })

  test(`a refund was executed, its answer lost, and PayPal ${what} when it is repeated: it is refunded once and recorded`, async () => {
    const before = (await executed()).length
    const { body } = await shop.sale({ order_amount: '1000.00' }, as)
    await shop.followUp('CREDITVOID', body.trans_id, { amount: '666.01' }, as)
    await behind(door, () => shop.advance(6_000))
    await shop.advance(60_000)
    assert.deepEqual((await executed()).slice(before), ['sale 100000', 'refund 66601'])
    const refunds = await shop.postings(body.trans_id)
    assert.equal(refunds.filter((posting) => posting.includes('66601')).length, 1, refunds.join('; '))
  })
}

test('PayPal cannot be reached when the payer comes back: the payment is completed later, and not declined', async () => {
  const before = (await executed()).length
  const { transId, page } = await begin()
  const back = await decide(page, 'approve')
  await behind(doors[0][1], async () => {
    await fetch(back, { redirect: 'manual' })
  })
  assert.notEqual(await statusOf(transId), 'DECLINED')
  await shop.advance(60_000)
  assert.equal(await statusOf(transId), 'SETTLED')
  assert.deepEqual((await executed()).slice(before), ['sale 1000'])
})

test('a payer who approves and never comes back: PayPal’s notification completes the payment once', async () => {
  const before = (await executed()).length
  const url = `${shop.url}/acquirers/paypal-live/notifications`
  const put = await fetch(`${running.url}/accounts/live/notifications`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  assert.equal(put.status, 200)
  const { transId, page } = await begin()
  await decide(page, 'approve')
  while ((await statusOf(transId)) !== 'SETTLED') {
    await shop.service.awaitIdle()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.deepEqual((await executed()).slice(before), ['sale 1000'])
})

test('the answer to a card payment is lost: the reconciler repeats it, and the payer is charged once', async () => {
  const before = (await executed()).length
  // The stand-in loses the answer to this amount after the execution.
  const { body } = await shop.sale({ order_amount: '666.01' }, as)
  assert.equal(body.result, 'UNDEFINED')
  await shop.advance(60_000)
  assert.equal((await apm.shop.followUp('GET_TRANS_STATUS', body.trans_id, {}, as)).body.status, 'SETTLED')
  assert.deepEqual((await executed()).slice(before), ['sale 66601'])
})

test('a VOID, which PayPal does not have, is not offered in the panel and declined without an intent, and the merchant is called back', async () => {
  const before = (await executed()).length
  const { body: sale } = await shop.sale({ order_amount: '12.00' }, as)
  const panel = await panelOf(shop)
  const { offers } = (await panel.get(`/merchants/${merchantId}/payments/${sale.trans_id}`)).body
  assert.deepEqual([offers.void, offers.refund], [false, true])
  const { body } = await shop.followUp('VOID', sale.trans_id, {}, as)
  const declined = ['DECLINED', 'SETTLED', 'The acquirer does not offer this operation']
  assert.deepEqual([body.result, body.status, body.decline_reason], declined)
  const { rows } = await shop.base.pool.query<{ state: string; sent_by: number | null }>(
    `select state, sent_by from transactions where payment_id = $1 and type = 'VOID'`,
    [sale.trans_id],
  )
  assert.deepEqual(rows, [{ state: 'fail', sent_by: null }])
  const reported = (await shop.callbacks(sale.trans_id)).map(({ fields }) => [fields['action'], fields['result']])
  assert.deepEqual(reported, [
    ['SALE', 'SUCCESS'],
    ['VOID', 'DECLINED'],
  ])
  assert.equal((await shop.followUp('CREDITVOID', sale.trans_id, {}, as)).body.result, 'ACCEPTED')
  assert.deepEqual((await executed()).slice(before), ['sale 1200', 'refund 1200'])
})
