/** The page of a payment link in a real browser: accessible, readable at 320 px, in light and dark, and it leads to the hosted page. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { tabsOf } from '../../pages/tabs.ts'
import { merchantId, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

const browser = await openBrowser()
const tabs = tabsOf(browser)
let shop: Shop
before(async () => {
  shop = await openShop()
})
afterEach(() => tabs.clear())
after(async () => {
  await browser.close()
  await shop[Symbol.asyncDispose]()
})

async function linkUrl(changes: object = {}): Promise<string> {
  const owner = await panelOf(shop)
  const wish = {
    amountMinor: '1999',
    currency: 'EUR',
    description: 'Invoice 118 of the Shop of Very Good Shoes',
    ...changes,
  }
  const { body, text } = await owner.post(`/merchants/${await merchantId(shop, 'demo')}/payment-links`, wish)
  assert.ok(body.url, text)
  return body.url
}

async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await tabs.open({ viewport: { width: 320, height: 600 }, locale: 'en', ...options })
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(url)
  assert.deepEqual(complaints, [])
  return page
}

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
async function check(page: Page): Promise<void> {
  assert.deepEqual(await violationsOn(page), [])
  assert.equal(await page.evaluate(overflow), 0)
}

test('a link shows what is paid, and its button leads to the hosted page', async () => {
  const url = await linkUrl()
  await check(await open(url, { colorScheme: 'dark' }))
  const page = await open(url)
  await check(page)
  const pay = page.getByRole('button', { name: 'Pay 19.99 EUR' })
  const onLink = await pay.boundingBox()
  await pay.click()
  await page.waitForURL(/\/auth\//)
  await page.getByLabel('Card number').waitFor()
  const onPage = await page.locator('button.pay').boundingBox()
  assert.equal(onLink?.height, onPage?.height, 'both buttons to pay have one size')
})

test('an open amount is typed, and a wrong one is named beside its field', async () => {
  const page = await open(await linkUrl({ amountMinor: null }), { locale: 'ar' })
  assert.equal(await page.evaluate('document.dir'), 'rtl')
  await check(page)
  await page.locator('#amount').fill('12,345')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  assert.equal(await page.locator('#amount').inputValue(), '12,345')
  await check(page)
  await page.locator('#amount').fill('12,34')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/auth\//)
})

test('if the amount changes while the page is open, nothing is charged, and the page shows the new amount and why', async () => {
  const setVat = (percent: string | null) => shop.configure('update merchants set vat_percent = $1', [percent])
  const checkout = new CheckoutClient(shop)
  await setVat('19')
  const answer = await checkout.session({ vat_calc: true, methods: ['card'], customer: { name: 'Jane Roe' } })
  const page = await open(answer.body.redirect_url, { locale: 'en' })
  await page.getByLabel('Card number').fill('4111111111111111')
  await page.getByLabel('Expiry date').fill('01/38')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay €11.90' }).waitFor()
  await setVat('25')
  await page.getByRole('button', { name: 'Pay €11.90' }).click()
  await page.getByText('The amount has changed, and nothing was charged.').first().waitFor()
  const again = page.getByRole('button', { name: 'Pay €12.50' })
  await again.waitFor()
  assert.match(await page.getByLabel('Card number').inputValue(), /^4111/, 'the payer types nothing again')
  await check(page)
  await again.click()
  await page.getByText('Payment successful').first().waitFor()
  await setVat(null)
  const session = await checkout.byToken(answer.body.redirect_url.split('/auth/')[1])
  const { rows } = await shop.base.pool.query('select amount_minor::text from payments where session_id = $1', [
    session.id,
  ])
  assert.deepEqual(rows, [{ amount_minor: '1250' }])
})
