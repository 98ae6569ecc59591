/** Chapter 70 §3: what the acquirer charges and what the operator earns is shown to the operator's users, and never to a merchant's. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let demo: string
let finance: PanelClient
before(async () => {
  shop = await openShop({}, ['back office'])
  demo = await merchantId(shop, 'demo')
  finance = await panelOf(shop, { role: 'finance' })
  const rules = [{ kinds: ['sale'], share: 30_000 }]
  const list = { validFrom: today(), country: 'DE', rules }
  assert.equal((await finance.post(`/merchants/${demo}/price-lists`, list)).http, 200)
  await shop.service.configuration.refresh()
  const sale = await shop.sale({})
  assert.equal(sale.body.result, 'SUCCESS')
  const { rows } = await shop.base.pool.query("select id from mids where name = 'sandbox-live'")
  const row = `R1,charge,${sale.body.trans_id},EUR,10.00,0.14,9.86,${today()}`
  const file = ['row,type,payment_id,currency,gross,fee,net,date', row, 'end,1', ''].join('\n')
  const content = Buffer.from(file).toString('base64')
  const { body } = await finance.post('/settlements', { midId: rows[0].id, name: 'day.csv', content })
  assert.deepEqual([body.result, body.file?.matched], ['imported', 1], JSON.stringify(body))
})
after(() => shop[Symbol.asyncDispose]())

const today = (): string => shop.base.clock.now().toISOString().slice(0, 10)

async function eurosFor(user: PanelClient) {
  const { body, text } = await user.get(`/merchants/${demo}/accounts`)
  assert.ok(!/undefined|null/.test(text))
  return body.accounts.find(({ currency }: { currency: string }) => currency === 'EUR')
}

test('users of the operator see the acquirer’s fees and the margin', async () => {
  for (const role of ['owner', 'finance', 'auditor']) {
    const { feesMinor, acquirerFeesMinor, marginMinor } = await eurosFor(await panelOf(shop, { role }))
    assert.deepEqual([feesMinor, acquirerFeesMinor, marginMinor], ['30', '14', '16'], role)
  }
})

test('users of a merchant see neither, whatever their role is', async () => {
  for (const role of ['merchant-admin', 'merchant-viewer', 'finance', 'owner']) {
    const user = await panelOf(shop, { role, allMerchants: false, merchantIds: [demo] })
    const euros = await eurosFor(user)
    assert.equal(euros.feesMinor, '30', role)
    assert.deepEqual(
      Object.keys(euros).filter((name) => /acquirer|margin/i.test(name)),
      [],
      role,
    )
  }
})
