/**
 * Wallets in a merchant's own form. They need an origin, which a form has on a host below FORMS_DOMAIN; nothing sensitive is served there.
 * Chapter 30 §9.2, §9.3.
 */
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openBrowser } from '../../pages/chromium.ts'
import { askSession, formScene, paymentIn, waitUntilBack } from '../../pages/form-scene.ts'
import { startShopFront } from '../../pages/shop-front.ts'
import { tabsOf } from '../../pages/tabs.ts'
import { readEffects } from '../../payments.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop({ FORMS_DOMAIN: 'forms.localhost' })
const checkout = new CheckoutClient(shop)
const front = await startShopFront()
const browser = await openBrowser()
const tabs = tabsOf(browser)
const { link, open, form } = formScene({ checkout, front, tabs })
const host = 'demo.forms.localhost'
after(async () => {
  await browser.close()
  await front.stop()
  await shop[Symbol.asyncDispose]()
})
afterEach(async () => {
  await tabs.clear()
  await checkout.choose({})
})

describe('wallets', () => {
  const methods = ['walletbpay', 'walletapay', 'card']
  const confirm = (page: Page): Promise<void> =>
    page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()

  test('the wallets that work here are listed in the order of the methods, and wallet A pays', async () => {
    const { page, complaints } = await form({ methods })
    assert.deepEqual(await askSession(page, 'session.getAvailableBrands()'), ['walletbpay', 'walletapay'])
    await page.getByRole('button', { name: 'Pay with the wallet of this device' }).click()
    await confirm(page)
    await waitUntilBack(page, 'success')
    const { fields } = await checkout.lastCallback(paymentIn(page))
    assert.equal(fields['digital_wallet'], 'walletapay')
    assert.deepEqual(complaints, [])
  })

  // Chapter 40 §13, §18: same events as for other methods.
  test('a session update closes the sheet of wallet A, the form is notified, and the next sheet pays the new amount', async () => {
    const { page } = await form({ methods })
    const session = await checkout.byToken(new URL(page.url()).pathname.split('/auth/')[1] ?? '')
    const button = page.getByRole('button', { name: 'Pay with the wallet of this device' })
    await button.click()
    await page.getByRole('dialog').getByText('10.00 EUR').waitFor()
    const request = { ...session.request, order: { ...session.request.order, amount: '12.50' } }
    assert.equal(await shop.service.operations.payerSessions.update(session, request), 'changed')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('#notice', { hasText: 'Payment token does not match the order.' }).waitFor()
    await button.click()
    await page.getByRole('dialog').getByText('12.50 EUR').waitFor()
    await confirm(page)
    await waitUntilBack(page, 'success')
    assert.deepEqual(await readEffects(shop, paymentIn(page)), ['sale 1250'])
  })

  test('wallet B’s button is the wallet provider’s own, in the style that the form chose, and pays', async () => {
    const { page } = await form({ methods })
    await page.getByRole('button', { name: 'Pay with Device wallet B' }).click()
    await confirm(page)
    await waitUntilBack(page, 'success')
    const { fields } = await checkout.lastCallback(paymentIn(page))
    assert.equal(fields['digital_wallet'], 'walletbpay')
  })

  test('the style of wallet B’s button can be changed at any time', async () => {
    const { page } = await form({ methods })
    await askSession(page, `session.setGooglePayButtonConfiguration({ buttonLocale: 'de' })`)
    assert.equal(await page.locator('#walletbpay-container > div').getAttribute('lang'), 'de')
    await page.getByRole('button', { name: 'Mit Geräte-Wallet B bezahlen' }).waitFor()
  })

  test('a declined wallet payment is reported, and a closed sheet is not an attempt', async () => {
    const { page } = await form({ methods })
    const button = page.getByRole('button', { name: 'Pay with the wallet of this device' })
    await button.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await page.locator('#notice').textContent(), '')
    await page.evaluate(`gatehouseWallet.next({ card: 'decline' })`)
    await button.click()
    await page.locator('#notice:not(:empty)').waitFor()
    assert.equal(await askSession(page, 'session.getSessionState()'), 'decline')
  })

  test('a refused token is reported with its code, and nothing is paid', async () => {
    const { page } = await form({ methods })
    await page.evaluate(`gatehouseWallet.next({ card: 'approve', fault: 'stale' })`)
    await page.getByRole('button', { name: 'Pay with the wallet of this device' }).click()
    await page.getByText('The payment token signature has expired').waitFor()
    assert.equal(await askSession(page, 'session.getSessionState()'), '')
  })

  for (const wallet_browser of ['other', 'unsupported', 'maker-no-card']) {
    test(`in a browser that is ${wallet_browser} there is no wallet A, and beginWallet reports unsupported`, async () => {
      const address = await link({ methods })
      const { page } = await open(`${address}?wallet_browser=${wallet_browser}`)
      await page.locator('#order:not(:empty)').waitFor()
      assert.ok(await page.getByRole('button', { name: 'Pay with the wallet of this device' }).isHidden())
      const question = `(() => {
        const told = []
        session.handleError = ({ code }) => told.push(code)
        session.beginWallet('walletapay')
        return [session.getAvailableBrands().includes('walletapay'), told]
      })()`
      assert.deepEqual(await askSession(page, question), [false, ['unsupported']])
    })
  }
})

describe('the host of a merchant’s forms', () => {
  const at = (url: string, of = host) => shop.service.app.inject({ url, headers: { host: of } })
  const tokenOf = async (over = {}, as = {}) =>
    String((await checkout.session(over, as)).body.redirect_url).split('/auth/')[1] ?? ''

  test('has the form of the link, with its own origin, apart from the panel’s and every other merchant’s', async () => {
    const { page } = await form()
    const { hostname, port } = new URL(page.url())
    assert.equal(hostname, host)
    assert.equal(await page.evaluate('self.origin'), `http://${host}:${port}`)
  })

  test('serves forms and their resources, and neither the panel nor any API or page of others', async () => {
    for (const path of [
      '/admin',
      '/admin/api/session',
      '/api/v1/session',
      '/post',
      '/metrics',
      '/service/health',
      '/hosted-fields/card',
    ])
      assert.equal((await at(path)).statusCode, 404, path)
    assert.equal((await at('/sdk/pay-session.js')).statusCode, 200)
  })

  test('shows no form of another merchant, no standard page, and answers no session of another merchant', async () => {
    const own = await tokenOf({ form_id: 'sample-form' })
    const plain = await tokenOf()
    const others = await tokenOf({}, { merchant: 'demo-sha256', digest: 'sha256' })
    assert.equal((await at(`/auth/${own}`)).statusCode, 200)
    assert.equal(
      (await at(`/auth/${own}`, 'demo-sha256.forms.localhost')).headers['location'],
      `http://${host}:${new URL(shop.url).port}/auth/${own}`,
    )
    assert.equal((await at(`/auth/${plain}`)).headers['location'], `${shop.url}/auth/${plain}`)
    const readSession = (token: string) =>
      shop.service.app.inject({ url: '/page/v1/session', headers: { host, token, origin: `http://${host}` } })
    assert.equal((await readSession(own)).statusCode, 200)
    assert.equal((await readSession(others)).statusCode, 403)
  })

  test('the policy allows only the paths of the form, and nothing may be sent or framed elsewhere', async () => {
    const { headers } = await at(`/auth/${await tokenOf({ form_id: 'sample-form' })}`, host)
    const policy = String(headers['content-security-policy'])
    assert.doesNotMatch(policy, /'self'|sandbox allow|https: |http: /)
    assert.match(
      policy,
      /connect-src http:\/\/demo\.forms\.localhost\/page\/v1\/( http:\/\/demo\.forms\.localhost\/simulator\/api\/)?;/,
    )
    assert.match(policy, /frame-src 'none'.*form-action 'none'/)
  })
})
