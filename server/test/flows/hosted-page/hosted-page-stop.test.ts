/** A stopping service does not wait for pages that long-poll it. Chapter 30 §7.10. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Payer } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'

test('held requests are answered when the service stops', async () => {
  const shop = await openShop()
  const payer = await Payer.at(shop)
  const held = payer.state('?wait=25&state=ready')
  // The request must have arrived before the service stops listening.
  await payer.session()
  const begun = performance.now()
  await shop[Symbol.asyncDispose]()
  assert.equal((await held).state, 'ready')
  assert.ok(performance.now() - begun < 10_000)
})
