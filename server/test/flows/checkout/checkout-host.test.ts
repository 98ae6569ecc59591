/** A merchant's own checkout host, below the operator's checkout domain. Chapter 40 §8, §16, §17. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { payerStepStore } from '#server/store/payments/payer-steps.ts'
import { addDomains, uploadFile } from '#server/wallets/setup/wallet-domains.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { Payer, visaCard } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'

const checkoutDomain = 'checkout.example'
const host = `demo.${checkoutDomain}`
const shop = await openShop({ BASE_URL: 'https://gate.example', CHECKOUT_DOMAIN: checkoutDomain })
after(() => shop[Symbol.asyncDispose]())
const checkout = new CheckoutClient(shop)
const { merchant } = shop.service.configuration.byKey(shop.merchant().key) ?? assert.fail()
const context = {
  ...shop.base,
  instanceMode: 'sandbox',
  trustSource: 'sandbox authority',
  checkoutDomain,
  byUser: 'test',
} as const

const setOwnHost = (ownHost: boolean): Promise<void> =>
  shop.configure(`update protocol_mappings set options = $1 where protocol = 'CHECKOUT' and merchant_id = $2`, [
    JSON.stringify({ ownHost }),
    merchant.id,
  ])

const addressOf = async (as = {}): Promise<string> => {
  const { body } = await checkout.session({}, as)
  return String(body.redirect_url).split('/auth/')[0] ?? ''
}

/** As a browser on that host asks. */
const at = (of: string, url: string, token: string, body?: object) =>
  shop.service.app.inject({
    url,
    headers: { host: of, token, origin: `https://${of}`, 'content-type': 'application/json' },
    ...(body === undefined ? { method: 'GET' } : { method: 'POST', payload: body }),
  })

test('redirect_url has the merchant’s own host if there is one, and otherwise the service’s', async () => {
  assert.equal(await addressOf(), 'https://gate.example')
  await setOwnHost(true)
  assert.equal(await addressOf(), `https://${host}`)
  assert.equal(await addressOf({ merchant: 'demo-sha256', digest: 'sha256' }), 'https://gate.example')
})

test('the page is served there, and a declined payer comes back to it', async () => {
  await setOwnHost(true)
  const payer = await Payer.at(shop)
  assert.equal((await at(host, `/auth/${payer.token}`, payer.token)).statusCode, 200)
  const { payment_id } = await payer.payAndExpectSuccess({ card: visaCard('06/38') })
  const step = await payerStepStore(shop.base.pool).findNewestById(payment_id)
  const { pathname } = new URL(step?.params['TermUrl'] ?? '')
  const body = new URLSearchParams({ PaRes: 'approve' })
  const reply = await fetch(`${shop.url}${pathname}`, { method: 'POST', body, redirect: 'manual' })
  assert.match(reply.headers.get('location') ?? '', new RegExp(`^https://${host}/auth/`))
})

test('the host serves only the association file of its merchant', async () => {
  const wishes = { purpose: 'production', controlledBy: 'operator' } as const
  await addDomains(context, { merchantId: merchant.id, wallet: 'walletapay' }, host, wishes)
  const file = Buffer.from('the merchant’s file')
  assert.ok((await uploadFile(context, { merchantId: merchant.id, wallet: 'walletapay' }, host, file)).ok)
  const path = '/.well-known/apple-developer-merchantid-domain-association'
  const served = await shop.service.app.inject({ url: path, headers: { host } })
  assert.ok(served.rawPayload.equals(file))
  const other = await shop.service.app.inject({ url: path, headers: { host: `other.${checkoutDomain}` } })
  assert.equal(other.statusCode, 404)
})

test('wallet button and session are for the host that the payer visits', async () => {
  const payer = await Payer.at(shop, { methods: ['walletapay'] })
  const methods = async (of: string) => (await at(of, '/page/v1/session', payer.token)).json().methods
  assert.deepEqual(await methods(host), [], 'not yet verified')
  await shop.base.pool.query(`update wallet_domains set state = 'verified' where domain = $1`, [host])
  const [method] = await methods(host)
  assert.equal(method.code, 'walletapay')
  assert.equal(method.wallet.script.url, `https://${host}/simulator/stand-in.js`, 'from the page’s own origin')
  assert.deepEqual(await methods('gate.example'), [], 'the service’s host is none of the merchant’s')
  const session = await at(host, '/page/v1/wallet-session', payer.token, { wallet: 'walletapay' })
  assert.equal(session.json().domainName, host)
})
