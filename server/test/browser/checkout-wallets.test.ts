/** Wallets on the hosted page, with the stand-ins of the sandbox in a real browser. Chapter 30 §7.7, chapter 40 §17, §20.5. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { buildWeb } from '../../../tools/build-web.ts'
import { CheckoutClient } from '../checkout.ts'
import { openBrowser, violationsOn } from '../chromium.ts'
import { openShop } from '../shop.ts'
import { startShopFront } from '../shop-front.ts'
import { tabsOf } from '../tabs.ts'

await buildWeb()
const shop = await openShop()
const checkout = new CheckoutClient(shop)
const front = await startShopFront()
const browser = await openBrowser()
const tabs = tabsOf(browser)
after(async () => {
  await browser.close()
  await front.stop()
  await shop[Symbol.asyncDispose]()
})
afterEach(async () => {
  await tabs.clear()
})

async function open(
  browserKind: string,
  methods: readonly string[] = ['card', 'walletapay', 'walletbpay'],
): Promise<Page> {
  const answer = await checkout.session({ methods, success_url: `${front.url}/return` })
  assert.equal(answer.http, 200, answer.text)
  const page = await tabs.open()
  // The maker's session is for the domain that the shop has, which is this machine's name.
  const url = answer.body.redirect_url.replace('127.0.0.1', 'localhost')
  await page.goto(`${url}?wallet_browser=${browserKind}`)
  await page.locator('.work').waitFor()
  return page
}

const buttonA = (page: Page) => page.getByRole('button', { name: 'Pay with Device wallet A' })
const buttonB = (page: Page) => page.getByRole('button', { name: 'Pay with wallet B' })
const sheet = (page: Page) => page.getByRole('dialog')

for (const [what, button, stale] of [
  ['A', buttonA, 'stale'],
  ['B', buttonB, 'b-expired'],
] as const) {
  test(`wallet ${what}: its button stands before the card, and its sheet pays`, async () => {
    const page = await open('maker')
    await button(page).waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await button(page).click()
    await sheet(page).getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL((url) => url.pathname === '/return')
  })

  test(`wallet ${what}: a sheet that is closed is no attempt, and the next one pays`, async () => {
    const page = await open('maker')
    await button(page).click()
    await sheet(page).getByRole('button', { name: 'Cancel' }).click()
    await sheet(page).waitFor({ state: 'detached' })
    await button(page).click()
    await sheet(page).getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL((url) => url.pathname === '/return')
  })

  test(`wallet ${what}: a declined payment counts, a refused token does not`, async () => {
    const page = await open('maker')
    await button(page).waitFor()
    await page.evaluate(`gatehouseWallet.next({ fault: '${stale}' })`)
    await button(page).click()
    await page.getByText('Please confirm again').waitFor()
    await page.evaluate(`gatehouseWallet.next({ card: 'decline' })`)
    await button(page).click()
    await page.getByText('You have 2 attempts left.').waitFor()
  })
}

test('in another browser than the maker’s, the payer scans a code and confirms on the phone', async () => {
  const page = await open('other')
  await buttonA(page).click()
  const address = await sheet(page).getByText('/simulator/phone?code=').textContent()
  const phone = await page.context().newPage()
  await phone.goto(address ?? '')
  await phone.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL((url) => url.pathname === '/return')
})

test('a browser that no wallet supports shows none, and the card stays', async () => {
  const page = await open('unsupported')
  await page.getByLabel('Card number').waitFor()
  await page.waitForTimeout(500)
  assert.equal(await page.locator('.wallets').count(), 0)
})

test('where nothing but a wallet is offered and the browser has none, the page says so', async () => {
  const page = await open('unsupported', ['walletapay'])
  await page.getByRole('heading', { name: 'No payment method works on this device' }).waitFor()
})
