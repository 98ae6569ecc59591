/**
 * Chapter 40 §2 and §16 with the platform setup: the simulated wallet provider issues sessions for registered domains, and the operator's
 * key decrypts the tokens.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signCheckout } from '#domain/signature/signature.ts'
import { sandboxRegistrar } from '#server/wallets/accounts/registrar.ts'
import { addDomains } from '#server/wallets/setup/wallet-domains.ts'
import { savePlatform } from '#server/wallets/setup/wallet-platform.ts'
import { registerAtProvider } from '#server/wallets/setup/wallet-registration.ts'
import { saveWallet } from '#server/wallets/setup/wallets.ts'
import { oneLineKey, type SampleKey } from '#server/wallets/tokens/testing/keys.ts'
import { openShop, type Shop } from '../../shop.ts'
import { disableWallet, newKey, WalletDevice } from '../../wallets/wallet-device.ts'

const merchantIdentifier = 'merchant.example.flows'
const merchant = 'demo'
let shop: Shop
let place: { merchantId: string; mode: 'live'; wallet: 'walletapay' }
const processingKey = newKey()
const context = () =>
  ({ ...shop.base, instanceMode: 'sandbox', trustSource: 'sandbox authority', byUser: 'test' }) as const

before(async () => {
  shop = await openShop()
  const known = shop.service.configuration.byKey(shop.merchant(merchant).key) ?? assert.fail()
  place = { merchantId: known.merchant.id, mode: 'live', wallet: 'walletapay' }
  await disableWallet(shop, { wallet: 'walletapay', merchant })
  const identity = newKey()
  const saved = await savePlatform(context(), {
    merchantIdentifier,
    privateKey: oneLineKey(identity),
    certificate: await certificateOf('identity', identity),
    processingPrivateKey: oneLineKey(processingKey),
    processingCertificate: await certificateOf('processing', processingKey),
  })
  assert.ok(saved.ok)
})
after(() => shop[Symbol.asyncDispose]())

async function certificateOf(kind: string, { spki }: SampleKey): Promise<string> {
  const reply = await fetch(`${shop.sandbox.url}/wallet/certificates`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, merchant_identifier: merchantIdentifier, spki: spki.toString('base64') }),
  })
  const { certificate_pem } = (await reply.json()) as { certificate_pem: string }
  return certificate_pem
}

function askSession(domain: string) {
  const { key, password } = shop.merchant(merchant)
  const hash = signCheckout(['domain', 'wallet'], { domain, wallet: 'walletapay' }, { password, digest: 'md5' })
  const body = JSON.stringify({ merchant_key: key, wallet: 'walletapay', domain, hash })
  return shop.send({ path: '/api/v1/wallet/session', headers: { 'content-type': 'application/json' }, body })
}

test('a merchant without its own certificate is registered, gets sessions for its domains, and takes a payment', async () => {
  assert.ok(
    (await saveWallet(context(), place, { setup: 'platform', shopName: 'Shop', country: 'DE', enabled: true })).ok,
  )
  const wishes = { purpose: 'test', controlledBy: 'operator' } as const
  await addDomains(context(), { merchantId: place.merchantId, wallet: 'walletapay' }, 'localhost', wishes)
  const registrar = sandboxRegistrar(shop.sandbox.url)
  assert.ok((await registerAtProvider(context(), registrar, place)).ok)
  await shop.service.configuration.refresh()
  assert.equal((await askSession('localhost')).body.session.displayName, 'Shop')

  await addDomains(context(), { merchantId: place.merchantId, wallet: 'walletapay' }, 'pay.example', wishes)
  await shop.base.pool.query("update wallet_domains set state = 'verified' where domain = 'pay.example'")
  assert.equal((await askSession('pay.example')).http, 502)
  assert.ok((await registerAtProvider(context(), registrar, place)).ok)
  assert.equal((await askSession('pay.example')).http, 200)

  const device = new WalletDevice(shop, 'walletapay', processingKey, { merchant, mode: 'live' })
  const { body } = await device.pay()
  assert.deepEqual([body.status, body.pan_type], ['SETTLED', 'DPAN'])
})

test('an unreachable sandbox is reported, and nothing changes', async () => {
  const answer = await registerAtProvider(context(), sandboxRegistrar('http://127.0.0.1:9'), place)
  assert.ok(!answer.ok)
  assert.equal(answer.faults[0]?.field, 'registration')
})
