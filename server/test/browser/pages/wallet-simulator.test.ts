// The virtual phone and the replacements of the wallet APIs, in a real browser (Chapter 40 §20.4, §20.5).
import assert from 'node:assert/strict'
import { after, afterEach, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Reply } from '#sandbox/kit/reply.ts'
import type { Routes } from '#sandbox/kit/routes.ts'
import { beginScan } from '#sandbox/wallet/phone/scan-routes.ts'
import { openWallet, recipient, type TestWallet } from '#sandbox/wallet/testing/test-wallet.ts'
import type { Wallet } from '#sandbox/wallet/wallet.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { tabsOf } from '../../pages/tabs.ts'

const browser = await openBrowser()
const tabs = tabsOf(browser)
after(() => browser.close())
afterEach(() => tabs.clear())

const page: Reply = {
  status: 200,
  body: `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1><button id="pay">Pay</button></main>
<script src="/wallet/stand-in.js"></script><script src="/shop.js"></script></html>`,
  headers: { 'content-security-policy': "default-src 'self'" },
}

/** What a shop does: validates, receives the token, and completes. `log` records the calls. */
const shop = `
gatehouseWallet.configure({ merchantKey: 'key-1', phoneUrl: location.origin + '/wallet/phone' })
window.log = []
const request = {
  countryCode: 'US', currencyCode: 'USD', merchantCapabilities: ['supports3DS'], supportedNetworks: ['visa'],
  total: { label: 'Example Shop', amount: '1.99' }, applicationData: btoa('session 1'),
}
const session = {
  epochTimestamp: 1, expiresAt: 2, merchantSessionIdentifier: 'x', nonce: 'x', merchantIdentifier: 'x', signature: 'x',
  domainName: location.hostname,
}
try { new ApplePaySession(3, request) } catch (error) { window.withoutGesture = error.name }
document.getElementById('pay').onclick = () => {
  const pay = new ApplePaySession(3, request)
  pay.onvalidatemerchant = ({ validationURL }) => { log.push('validate'); pay.completeMerchantValidation(session) }
  pay.onpaymentmethodselected = () => { log.push('selected'); pay.completePaymentMethodSelection({}) }
  pay.onpaymentauthorized = ({ payment }) => { log.push('authorized'); window.token = payment.token; pay.completePayment(ApplePaySession.STATUS_SUCCESS); log.push('completed') }
  pay.oncancel = () => log.push('cancelled')
  pay.begin()
  window.pay = pay
}
`

/** The simulator as a gateway exposes it: the gateway knows the recipient of a merchant's key. */
function shopRoutes(wallet: Wallet): Routes {
  const known = (body: unknown): object => {
    const { merchant_key: key, ...rest } = Object(body)
    assert.equal(key, 'key-1')
    return { ...rest, recipient }
  }
  const answer = (body: unknown): Reply =>
    typeof body === 'string' ? { status: 400, body: { error: { message: body } } } : { status: 200, body }
  const pass = (path: string) => async (): Promise<Reply> => ({
    status: 307,
    body: '',
    headers: { location: path, 'cache-control': 'no-store' },
  })
  return [
    ['GET /', async () => page],
    ['GET /shop.js', async () => ({ status: 200, body: shop, headers: { 'content-type': 'text/javascript' } })],
    ['GET /simulator/api/cards', pass('/wallet/cards')],
    ['GET /simulator/api/faults', pass('/wallet/faults')],
    ['POST /simulator/api/tokens', async ({ body }) => answer(await wallet.mint(known(body)))],
    ['POST /simulator/api/scan', (call) => beginScan(wallet.scans, { ...call, body: known(call.body) })],
    ['GET /simulator/api/scan/:id/events', async ({ parameters: [id] }) => pass(`/wallet/scan/${id}/events`)()],
  ]
}

async function visit(t: TestContext, path = '/'): Promise<{ readonly provider: TestWallet; readonly shop: Page }> {
  const provider = await openWallet(t, { more: shopRoutes })
  const shopPage = await tabs.open({ viewport: { width: 390, height: 844 } })
  await shopPage.goto(provider.url + path)
  return { provider, shop: shopPage }
}

/** Polls from here, because the page's policy forbids `waitForFunction`. */
async function until(shopPage: Page, fact: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await shopPage.evaluate(`Boolean(${fact})`)) return
    await shopPage.waitForTimeout(50)
  }
  assert.fail(`${fact} did not come true`)
}

const logOf = (shopPage: Page): Promise<readonly string[]> => shopPage.evaluate('window.log')
const tokenOf = (shopPage: Page): Promise<object> => shopPage.evaluate('window.token')

test('the sheet is operated by role and label, and the page gets the calls in their order', async (t) => {
  const { provider, shop: shopPage } = await visit(t)
  await shopPage.getByRole('button', { name: 'Pay' }).click()
  const sheet = shopPage.getByRole('dialog', { name: 'Pay with the wallet' })
  await sheet.getByText('Example Shop').waitFor()
  await sheet.getByLabel('Card').selectOption('decline')
  await sheet.getByLabel('Number').selectOption('FPAN')
  assert.deepEqual(await violationsOn(shopPage), [])
  await sheet.getByLabel('OS version of the phone').fill('17')
  assert.ok(await sheet.getByRole('button', { name: 'Confirm' }).isDisabled())
  await sheet.getByLabel('OS version of the phone').fill('18')
  await sheet.getByRole('button', { name: 'Confirm' }).click()
  await until(shopPage, 'window.token')
  assert.deepEqual(await logOf(shopPage), ['validate', 'selected', 'selected', 'authorized', 'completed'])
  const known = provider.wallet.cardOfToken(JSON.stringify(await tokenOf(shopPage)))
  assert.deepEqual([known?.card, known?.panType], ['decline', 'FPAN'])
  assert.equal(await shopPage.getByRole('dialog').count(), 0)
})

test('a planned answer needs no interaction, and a fault reaches the page uncorrected', async (t) => {
  const { shop: shopPage } = await visit(t)
  await shopPage.evaluate(`gatehouseWallet.next({ card: 'approve-mc', fault: 'duplicate-name' })`)
  await shopPage.getByRole('button', { name: 'Pay' }).click()
  await until(shopPage, 'window.token')
  assert.equal(typeof (await tokenOf(shopPage)), 'string')
})

test('cancel and Escape fire the cancel event, and the page can begin again', async (t) => {
  const { shop: shopPage } = await visit(t)
  await shopPage.getByRole('button', { name: 'Pay' }).click()
  await shopPage.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await until(shopPage, `window.log.includes('cancelled')`)
  await shopPage.getByRole('button', { name: 'Pay' }).click()
  await shopPage.getByRole('dialog').waitFor()
  await shopPage.keyboard.press('Escape')
  await until(shopPage, `window.log.filter((word) => word === 'cancelled').length === 2`)
})

test('misuse throws an error, as with the built-in object', async (t) => {
  const { shop: shopPage } = await visit(t)
  const wrong = await shopPage.evaluate(`[
    () => new ApplePaySession(99, request),
    () => new ApplePaySession(3, { ...request, total: null }),
  ].map((run) => { try { run(); return null } catch (error) { return error.name } })`)
  assert.deepEqual(wrong, ['InvalidAccessError', 'TypeError'])
  assert.equal(await shopPage.evaluate('window.withoutGesture'), 'InvalidAccessError')
  await shopPage.getByRole('button', { name: 'Pay' }).click()
  await shopPage.getByRole('dialog').waitFor()
  const states = await shopPage.evaluate(`[
    () => pay.begin(),
    () => pay.completePayment(0),
    () => pay.completeMerchantValidation(session),
    () => new ApplePaySession(3, request).begin(),
  ].map((run) => { try { run(); return null } catch (error) { return error.name } })`)
  assert.deepEqual(states, ['InvalidStateError', 'InvalidStateError', 'InvalidStateError', 'InvalidStateError'])
})

test('the four kinds of browser report what chapter 40 §20.5 lists', async (t) => {
  const { provider, shop: shopPage } = await visit(t)
  const report = async (kind: string): Promise<unknown> => {
    await shopPage.goto(`${provider.url}/?wallet_browser=${kind}`)
    return shopPage.evaluate(`(async () => {
      const builtIn = Boolean(window.ApplePaySession)
      const card = builtIn ? await ApplePaySession.canMakePaymentsWithActiveCard('merchant.x') : null
      return [builtIn, card, await gatehouseWallet.makerScript()]
    })()`)
  }
  assert.deepEqual(await report('maker'), [true, true, true])
  assert.deepEqual(await report('maker-no-card'), [true, false, true])
  assert.deepEqual(await report('other'), [false, null, true])
  assert.deepEqual(await report('unsupported'), [false, null, false])
})

test('in another browser the code leads to the phone, and the phone’s confirmation to the page', async (t) => {
  const { provider, shop: shopPage } = await visit(t, '/?wallet_browser=other')
  await shopPage.evaluate('gatehouseWallet.makerScript()')
  await shopPage.getByRole('button', { name: 'Pay' }).click()
  const sheet = shopPage.getByRole('dialog', { name: 'Scan with the phone' })
  await sheet.getByRole('img', { name: 'Code to scan with the phone' }).waitFor()
  assert.deepEqual(await violationsOn(shopPage), [])
  const address = await sheet.getByText('/wallet/phone?code=').textContent()

  const phone = await shopPage.context().newPage()
  await phone.goto(address ?? '')
  assert.deepEqual(await violationsOn(phone), [])
  await sheet.getByText('Continue on the phone.').waitFor()
  await phone.getByLabel('OS version of the phone').fill('17')
  await phone.getByText('Not supported').waitFor()
  assert.ok(await phone.getByRole('button', { name: 'Confirm' }).isDisabled())
  await phone.getByLabel('OS version of the phone').fill('18')
  await phone.getByLabel('Card').selectOption('approve-amex')
  await phone.getByRole('button', { name: 'Confirm' }).click()
  await phone.getByRole('heading', { name: 'Confirmed' }).waitFor()
  await until(shopPage, 'window.token')
  assert.equal(provider.wallet.cardOfToken(JSON.stringify(await tokenOf(shopPage)))?.card, 'approve-amex')
})

test('closing the phone’s window cancels', async (t) => {
  const { provider, shop: shopPage } = await visit(t)
  const order = { shop_name: 'Example Shop', domain: 'shop.example.com', amount: '1.99', currency: 'USD', recipient }
  const { code } = (await provider.post('/wallet/scan', { ...order, wallet: 'walletbpay' })).body
  await shopPage.goto(`${provider.url}/wallet/phone?code=${code}`)
  assert.equal((await provider.get(`/wallet/scan/${code}`)).body.state, 'opened')
  await shopPage.goto('about:blank')
  for (let tries = 0; tries < 50; tries += 1) {
    if ((await provider.get(`/wallet/scan/${code}`)).body.state === 'cancelled') return
    await shopPage.waitForTimeout(50)
  }
  assert.fail('the code was not cancelled')
})

const orderB = `({
  apiVersion: 2, apiVersionMinor: 0,
  allowedPaymentMethods: [{ type: 'CARD', parameters: { allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'], allowedCardNetworks: ['VISA'] },
    tokenizationSpecification: { type: 'PAYMENT_GATEWAY', parameters: { gateway: 'gatehouse', gatewayMerchantId: 'key-1' } } }],
  transactionInfo: { totalPrice: '1.99', totalPriceStatus: 'FINAL', currencyCode: 'USD', countryCode: 'US' },
})`

test('wallet B reports ready, shows its button and returns payment data', async (t) => {
  const { provider, shop: shopPage } = await visit(t)
  await provider.wallet.authority.walletB()
  const ready = await shopPage.evaluate(`(async () => {
    window.client = new google.payments.api.PaymentsClient({ environment: 'TEST' })
    const onClick = () => client.loadPaymentData(${orderB}).then((data) => { window.token = data }, (error) => { window.failed = error.statusCode })
    document.querySelector('main').append(client.createButton({ onClick }))
    return client.isReadyToPay(${orderB})
  })()`)
  assert.deepEqual(ready, { result: true })
  await shopPage.getByRole('button', { name: 'Pay with Device wallet B' }).click()
  await shopPage.getByRole('dialog').getByLabel('Card').selectOption('challenge')
  await shopPage.getByRole('dialog').getByLabel('Number').selectOption('FPAN')
  await shopPage.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await until(shopPage, 'window.token')
  const known = provider.wallet.cardOfToken(JSON.stringify(await tokenOf(shopPage)))
  assert.deepEqual([known?.card, known?.panType], ['challenge', 'FPAN'])
  await shopPage.getByRole('button', { name: 'Pay with Device wallet B' }).click()
  await shopPage.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await until(shopPage, `window.failed === 'CANCELED'`)
})
