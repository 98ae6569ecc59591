/** Chapter 60 §6: a MID whose acquirer refuses the credentials. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { standIns } from '#sandbox/acquirers/registry.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { panelOf } from '../panel/admin.ts'
import { openShop } from '../shop.ts'

const shop = await openShop({}, ['back office'])
const folder = await mkdtemp(join(tmpdir(), 'wrong-credentials-'))
after(async () => {
  await shop[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const merchant = 'demo-routing'
const merchants = await merchantStore(shop.base.pool).list()
const merchantId = merchants.find(({ name }) => name === merchant)?.id ?? ''

// biome-ignore format: a table is read in columns.
const wrongValues = [
  [ 'adyen',       { api_key: 'x'.repeat(30) } ],
  [ 'stripe',      { secret_key: 'sk_test_wrong' } ],
  [ 'checkout',    { secret_key: 'sk_wrong_key' } ],
  [ 'paypal',      { client_secret: 'wrong' } ],
  [ 'cybersource', { shared_secret: 'd3Jvbmcgd3Jvbmcgd3Jvbmcgd3Jvbmc=' } ],
] as const

for (const [connector, change] of wrongValues) {
  test(`${connector}: payments cascade, the breaker opens, and an alert names the MID`, async () => {
    const standIn = await (await standIns.get(connector)?.())?.(join(folder, connector))
    assert.ok(standIn)
    const services = await startServices([standIn], 0, (fault) => assert.fail(String(fault)))
    const name = `${connector}-wrong`
    const credentials = { ...standIn.credentials(services.url).live, ...change }
    const mid = await createMid(shop.base, { mode: 'live', name, connector }, credentials)
    await linkMerchant(shop.base, { priority: 0, merchantId, midId: mid.id })
    await shop.service.configuration.refresh()
    for (let sale = 0; sale < limits.breaker.attempts; sale += 1)
      assert.equal((await shop.sale({}, { merchant })).body.result, 'SUCCESS')
    await shop.service.midHealth.share()
    assert.equal(shop.service.midHealth.health(mid.id), 'open')
    const { rows } = await shop.base.pool.query<{ text: string }>(
      `select text from alerts where kind = 'mid-failing' and text like $1`,
      [`%MID ${name} %`],
    )
    assert.equal(rows.length, 1)
    const effects = JSON.parse(await (await fetch(`${services.url}/ledger`)).text())
    assert.deepEqual(effects, [], 'nothing was charged there')
    await services.stop()
  })
}

test('stored credentials that do not fit the connector: payments cascade, and alert, check and panel name the value', async () => {
  const name = 'adyen-unfit'
  // As a release would leave it that asks for one more value.
  const mid = await createMid(shop.base, { mode: 'live', name, connector: 'adyen' }, { api_key: 'x'.repeat(30) })
  await linkMerchant(shop.base, { priority: 0, merchantId, midId: mid.id })
  await shop.service.configuration.refresh()
  for (let sale = 0; sale < limits.breaker.attempts; sale += 1)
    assert.equal((await shop.sale({}, { merchant })).body.result, 'SUCCESS')
  await shop.service.midHealth.share()
  assert.equal(shop.service.midHealth.health(mid.id), 'open')
  const { rows } = await shop.base.pool.query<{ text: string }>(`select text from alerts where kind = 'mid-unusable'`)
  assert.equal(rows.length, 1)
  assert.match(rows[0]?.text ?? '', /MID adyen-unfit, .*merchant_account: This value is required/)

  const owner = await panelOf(shop)
  const { body: check } = await owner.post(`/mids/${mid.id}/check`)
  assert.deepEqual([check.kind, check.field], ['refused', 'merchant_account'])
  assert.equal((await owner.get(`/mids/${mid.id}`)).body.credentialsFault.field, 'merchant_account')
  const reply = await shop.service.app.inject({
    method: 'POST',
    url: `/acquirers/${name}/notifications`,
    payload: '{}',
  })
  assert.equal(reply.statusCode, 503)
})
