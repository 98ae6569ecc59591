/** Payers who never return: the step expires. Chapter 10 §6, "Redirect expires". */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { expiryFields, readCallbacks, readEffects, statusOf } from '../../payments.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const minute = 60_000

// biome-ignore format: a table is read in columns.
const steps = [
  // expiry    the payment waits in
  ['05/2038', '3DS'],
  ['12/2038', 'REDIRECT'],
] as const

for (const [expiry, status] of steps) {
  test(`${expiry}: after 30 minutes in ${status} without a return the payment is DECLINED, Expired`, async () => {
    const { body } = await shop.sale(expiryFields(expiry))
    assert.deepEqual([body.result, body.status], ['REDIRECT', status])
    await shop.advance(29 * minute)
    assert.equal(await statusOf(shop, body.trans_id), status)
    await shop.advance(minute)
    assert.deepEqual(await readCallbacks(shop, body.trans_id, 'SALE'), [`REDIRECT ${status}`, 'DECLINED DECLINED'])
    const { body: looked } = await shop.followUp('GET_TRANS_STATUS', body.trans_id)
    assert.deepEqual([looked.status, looked.decline_reason], ['DECLINED', 'Expired'])
    assert.deepEqual(await readEffects(shop, body.trans_id), [])
  })
}

test('if the acquirer does not answer then, the payment stays PREPARE', async () => {
  const { body } = await shop.sale(expiryFields('12/2038'))
  await shop.scenario({ down: true })
  await shop.advance(30 * minute)
  assert.equal(await statusOf(shop, body.trans_id), 'PREPARE')
})
