/** An acquirer that does not answer: the merchant is answered after 30 s, and the outcome follows later. Chapter 10 §1.1, §6.2. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countRepeatedRequests, readCallbacks, readEffects, statusOf } from '../../payments.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

test('the service waits up to 30 s, answers UNDEFINED, and later finds what was executed, once', async () => {
  const held = await shop.sale({ auth: 'Y' })
  await shop.scenario({ delay_ms: 60_000, ignore_keys: true })
  const begun = performance.now()
  const [sale, capture] = await Promise.all([shop.sale(), shop.followUp('CAPTURE', held.body.trans_id)])
  const waited = performance.now() - begun
  assert.ok(waited >= 29_000 && waited < 50_000, `${waited} ms`)
  assert.deepEqual([sale.http, sale.body.result, sale.body.status], [200, 'UNDEFINED', 'PREPARE'])
  assert.deepEqual([capture.http, capture.body.result, capture.body.status], [200, 'UNDEFINED', 'PENDING'])

  await shop.advance(6_000)
  assert.equal(await statusOf(shop, sale.body.trans_id), 'SETTLED')
  assert.deepEqual(await readCallbacks(shop, sale.body.trans_id, 'SALE'), ['UNDEFINED PREPARE', 'SUCCESS SETTLED'])
  assert.deepEqual(await readCallbacks(shop, held.body.trans_id, 'CAPTURE'), ['UNDEFINED PENDING', 'SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, sale.body.trans_id), ['sale 1000'])
  assert.deepEqual(await readEffects(shop, held.body.trans_id), ['authorize 1000', 'capture 1000'])
  assert.equal(await countRepeatedRequests(shop), 0)
})
