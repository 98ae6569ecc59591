import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { merchantId, type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

let shop: Shop
let support: PanelClient
let demo: string
before(async () => {
  shop = await openShop({}, ['back office'])
  demo = await merchantId(shop, 'demo')
  support = await panelOf(shop, { role: 'support' })
})
after(() => shop[Symbol.asyncDispose]())

const pathOf = (paymentId: string): string => `/merchants/${demo}/payments/${paymentId}`

async function paid(fields = {}): Promise<string> {
  const { trans_id } = (await shop.sale(fields)).body
  await shop.service.awaitIdle()
  return trans_id
}

test('a note is read by others with its author, and the audit log has no text of it', async () => {
  const id = await paid()
  const text = 'Mrs Doe called: wants the parcel on Friday.'
  assert.equal((await support.post(`${pathOf(id)}/notes`, { text })).http, 200)
  await support.post(`${pathOf(id)}/notes`, { text: 'Sent.' })
  const viewer = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [demo] })
  const { notes } = (await viewer.get(`${pathOf(id)}/notes`)).body
  assert.deepEqual(
    notes.map((note: { text: string }) => note.text),
    ['Sent.', text],
  )
  assert.match(notes[1].author, /@example\.com$/)
  const { rows } = await shop.base.pool.query(
    `select actor, subject, before, after from audit_log where action = 'payment.note'`,
  )
  assert.equal(rows.length, 2)
  assert.ok(!JSON.stringify(rows).includes('Doe'))
  assert.equal((await viewer.post(`${pathOf(id)}/notes`, { text })).http, 403)
})

test('a note with a card number, without text or on a payment of another merchant is refused', async () => {
  const id = await paid()
  for (const text of ['Card 4111 1111 1111 1111', 'Card 4111-1111-1111-1111.', 'n4111111111111111', '   '])
    assert.equal((await support.post(`${pathOf(id)}/notes`, { text })).http, 422, text)
  assert.equal((await support.post(`${pathOf(id)}/notes`, { text: 'Order 4111 1111 1111 1112 of 2026' })).http, 200)
  const other = await panelOf(shop, {
    role: 'merchant-admin',
    allMerchants: false,
    merchantIds: [await merchantId(shop, 'demo-dms')],
  })
  assert.equal((await other.get(`${pathOf(id)}/notes`)).http, 404)
  assert.equal((await other.send('PUT', `${pathOf(id)}/tags`, { tags: ['mine'] })).http, 404)
  assert.equal((await support.get(`${pathOf(id)}/notes`)).body.notes.length, 1)
})

test('a payment is found by its tag, and tags that are replaced no longer lead to it', async () => {
  const [first, second] = [await paid(), await paid()]
  const tag = (id: string, tags: readonly string[]) => support.send('PUT', `${pathOf(id)}/tags`, { tags })
  assert.deepEqual((await tag(first, ['Refund-Call', 'vip', 'vip'])).body.tags, ['refund-call', 'vip'])
  assert.equal((await tag(second, ['vip'])).http, 200)
  const found = async (word: string) =>
    (await support.get(`/payments?tag=${word}`)).body.payments.map(({ id }: { id: string }) => id)
  assert.deepEqual(await found('VIP'), [second, first])
  assert.deepEqual(await found('refund-call'), [first])
  assert.deepEqual((await tag(first, [])).body.tags, [])
  assert.deepEqual(await found('vip'), [second])
  for (const tags of [['two words'], [''], ['x'.repeat(41)], Array.from({ length: 21 }, (_, n) => `t${n}`)])
    assert.equal((await tag(second, tags)).http, 422)
  assert.deepEqual(await found('vip'), [second])
})

test('erasing the payer erases the notes of the payer’s payments, and no others', async () => {
  const [hers, his] = [await paid({ payer_email: 'her@example.com' }), await paid({ payer_email: 'him@example.com' })]
  for (const id of [hers, his]) await support.post(`${pathOf(id)}/notes`, { text: 'Called.' })
  const owner = await panelOf(shop)
  const erasure = await owner.post(`/merchants/${demo}/payers/erase`, { email: 'her@example.com', dryRun: false })
  assert.equal(erasure.body.payments, 1, erasure.text)
  const count = async (id: string) => (await support.get(`${pathOf(id)}/notes`)).body.notes.length
  assert.deepEqual([await count(hers), await count(his)], [0, 1])
})
