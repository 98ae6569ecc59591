/** Chapter 40 §6 end to end: a token for an unknown key causes mail, and a mail server that is down stops nothing. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startMailHost } from '../../mail-host.ts'
import { openShop, type Shop } from '../../shop.ts'
import { enableWallet, newKey, type WalletDevice } from '../../wallets/wallet-device.ts'

let host: Awaited<ReturnType<typeof startMailHost>>
let shop: Shop
let device: WalletDevice
before(async () => {
  host = await startMailHost()
  shop = await openShop({
    SMTP_URL: host.url,
    MAIL_FROM: 'payments@example.com',
    OPERATOR_EMAIL: 'operator@example.com',
  })
  await shop.configure("update merchants set contact_email = 'contact@shop.example' where name = 'demo'")
  await shop.service.awaitIdle()
  device = await enableWallet(shop, { wallet: 'walletapay' })
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await host.stop()
})

const recipientsOf = (kind: string): readonly string[] =>
  host.received.filter(({ text }) => text.includes(`Subject: ${kind}`)).flatMap(({ to }) => to)

test('an alert is mailed to operator and merchant as soon as the mail server accepts it', async () => {
  host.mood.now = 'refuses'
  for (const _ of [1, 2, 3]) {
    const { body } = await device.sale(await device.mint({ for: newKey() }))
    assert.equal(body.error_code, 250003)
  }
  await shop.service.awaitIdle()
  assert.deepEqual(recipientsOf('processing key mismatch'), [])
  assert.equal((await device.pay()).body.status, 'SETTLED')

  host.mood.now = 'takes'
  await shop.advance(60_000)
  assert.deepEqual(recipientsOf('processing key mismatch').toSorted(), ['contact@shop.example', 'operator@example.com'])
  const metrics = await (await fetch(`${shop.url}/metrics`)).text()
  assert.match(metrics, /gatehouse_wallet_alarms\{kind="processing key mismatch"\} 1/)
  assert.match(metrics, /gatehouse_wallet_alarms\{kind="wallet root expiry"\} 0/)
})
