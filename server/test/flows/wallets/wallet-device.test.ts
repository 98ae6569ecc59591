/** A sandbox instance that trusts the real wallet provider: of a real card only the mask is stored. Chapter 40 §14, §22. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../../payments.ts'
import { openShop } from '../../shop.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'
import { deviceTokenA, deviceTokenB, openProvider } from '../../wallets/wallet-provider.ts'

const provider = await openProvider()
const shop = await openShop(provider.settings)
after(async () => {
  await shop[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})
const device = await enableWallet(shop, { wallet: 'walletapay', trustSource: 'wallet maker' })

const deviceToken = (): string => deviceTokenA(device)

async function readStored(transId: string) {
  const { rows } = await shop.base.pool.query(
    "select card_id, card_mask, pan10, facts -> 'wallet' -> 'checks' -> 'trust' ->> 'source' as source from payments where id = $1",
    [transId],
  )
  return rows[0]
}

test('a device token pays, and only its masked number is stored', async () => {
  const { body } = await device.sale(deviceToken())
  assert.deepEqual([body.result, body.pan_type], ['SUCCESS', 'DPAN'])
  const { source, card_id, card_mask, pan10 } = await readStored(body.trans_id)
  assert.deepEqual([source, card_id, card_mask, pan10], ['wallet maker', null, '400000******0018', '4000000018'])
  const { rows } = await shop.base.pool.query('select from cards')
  assert.equal(rows.length, 0)
})

test('its payment can be looked up and refunded', async () => {
  const { body } = await device.sale(deviceToken())
  const signedBy = { pan10: '4000000018' }
  const { body: refund } = await shop.followUp('CREDITVOID', body.trans_id, {}, { signedBy })
  assert.equal(refund.result, 'ACCEPTED')
  await shop.service.awaitIdle()
  const { body: now } = await shop.followUp('GET_TRANS_STATUS', body.trans_id, {}, { signedBy })
  assert.equal(now.status, 'REFUND')
})

test('a chain on it is refused, because there is no number to charge later', async () => {
  assertRefused(await device.sale(deviceToken(), { recurring_init: 'Y' }), 204005, 'Payment action not supported.')
})

test('a token of the sandbox authority is not trusted there, and raises no alert on a sandbox', async () => {
  assertRefused(await device.pay(), 250003, 'The payment token signature has expired')
  const { rows } = await shop.base.pool.query("select from alerts where kind = 'sandbox token on live'")
  assert.equal(rows.length, 0)
})

test('a device token is not trusted where the sandbox authority is', async () => {
  const sandbox = await enableWallet(shop, { wallet: 'walletapay', merchant: 'demo-no-moto', key: device.key })
  assertRefused(await sandbox.sale(deviceToken()), 250003, 'The payment token signature has expired')
})

test('the assurance details of wallet B are stored with the payment', async () => {
  const device = await enableWallet(shop, { wallet: 'walletbpay', trustSource: 'wallet maker' })
  const assuranceDetails = { cardHolderAuthenticated: true, accountVerified: false }
  for (const [details, expected] of [
    [{ assuranceDetails }, assuranceDetails],
    [{}, null],
  ] as const) {
    const { body } = await device.sale(deviceTokenB(device, 'ECv2', details))
    assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
    const { rows } = await shop.base.pool.query(
      "select facts -> 'wallet' -> 'assurance' as assurance from payments where id = $1",
      [body.trans_id],
    )
    assert.deepEqual(rows[0].assurance, expected)
  }
})
