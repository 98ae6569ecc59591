import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { merchantId, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop } from '../../../../../../test/shop.ts'

const shop = await openShop()
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
