/** The payer's main stories in Firefox; all of them run in Chromium in the other files of this folder. Chapter 30 §7, chapter 40 §17. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { buildWeb } from '../../../../tools/build-web.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openFirefox, skipsFirefox } from '../../pages/firefox.ts'
import { type ShopFront, startShopFront } from '../../pages/shop-front.ts'
import { openShop, type Shop } from '../../shop.ts'

describe('in Firefox', { skip: skipsFirefox() }, () => {
  let shop: Shop
  let checkout: CheckoutClient
  let front: ShopFront
  let browser: Browser
  before(async () => {
    await buildWeb()
    shop = await openShop()
    checkout = new CheckoutClient(shop)
    front = await startShopFront()
    browser = await openFirefox()
  })
  after(async () => {
    await browser.close()
    await front.stop()
    await shop[Symbol.asyncDispose]()
  })

  async function open(over: object = {}): Promise<Page> {
    const urls = { success_url: `${front.url}/return?as=success`, cancel_url: `${front.url}/return?as=cancel` }
    const answer = await checkout.session({ ...urls, methods: ['card', 'walletapay', 'walletbpay'], ...over })
    assert.equal(answer.http, 200, answer.text)
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(30_000)
    // Wallets are registered for this name of the machine.
    await page.goto(String(answer.body.redirect_url).replace('127.0.0.1', 'localhost'))
    return page
  }

  async function payByCard(page: Page, expiry: string): Promise<void> {
    await page.getByLabel('Card number').pressSequentially('4111111111111111')
    await page.getByLabel('Expiry date').pressSequentially(expiry)
    await page.getByLabel('Security code').fill('123')
    await page.getByLabel('Name on card').fill('Zoë O’Neill-Doe')
    await page.getByRole('button', { name: /^Pay .*\d/ }).click()
  }

  async function assertPaid(page: Page): Promise<void> {
    await page.waitForURL((url) => url.pathname === '/return' && url.searchParams.get('as') === 'success')
    const paymentId = new URL(page.url()).searchParams.get('payment_id') ?? ''
    assert.equal((await shop.readExecuted(paymentId)).length, 1)
  }

  test('a card is paid, after one that was declined', async () => {
    const page = await open({ methods: ['card'] })
    await payByCard(page, '0238')
    await page.getByText('You have 2 attempts left.').waitFor()
    await payByCard(page, '0138')
    await assertPaid(page)
  })

  test('a card whose issuer challenges is confirmed there', async () => {
    const page = await open({ methods: ['card'] })
    await payByCard(page, '0538')
    await page.frameLocator('.challenge iframe').frameLocator('iframe').locator('.approve').click()
    await assertPaid(page)
  })

  for (const wallet of ['A', 'B']) {
    test(`wallet ${wallet} pays by its sheet`, async () => {
      const page = await open()
      await page.getByRole('button', { name: `Pay with Device wallet ${wallet}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
      await assertPaid(page)
    })
  }
})
