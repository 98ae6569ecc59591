/** Every way to pay of the sample shops, in a real browser. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { cannotRun, type SampleName, type SampleShop, samples, startSampleShop } from '../../pages/sample-shop.ts'
import { payOnHostedPage, waitForOrder } from '../../pages/sample-shop-visit.ts'
import { tabsOf } from '../../pages/tabs.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
const browser = await openBrowser()
const tabs = tabsOf(browser, { hurries: true })
after(async () => {
  await browser.close()
  await shop[Symbol.asyncDispose]()
})
afterEach(() => tabs.clear())

for (const name of Object.keys(samples) as SampleName[]) {
  describe(`the shop in ${name}`, { skip: cannotRun(name) }, () => {
    let sample: SampleShop
    before(async () => {
      sample = await startSampleShop(shop, name)
    })
    after(() => sample.stop())

    const visit = async (path: string): Promise<Page> => {
      const page = await tabs.open()
      await page.goto(`${sample.url}${path}`)
      return page
    }

    async function payWithFields(page: Page, expiry: string): Promise<void> {
      for (const [field, value] of [
        ['card', '4111111111111111'],
        ['expiry', expiry],
        ['cvv', '123'],
      ] as const)
        await page.frameLocator(`#${field} iframe`).locator('input').fill(value)
      await page.getByRole('button', { name: 'Pay 10.00 EUR' }).click()
    }

    test('takes a payment with hosted fields, and says why a card was declined', async () => {
      const page = await visit('/fields')
      await payWithFields(page, '02/38')
      await page.locator('#message:not(:empty)').waitFor()
      await payWithFields(page, '01/38')
      await waitForOrder(page, shop, 'settled')
    })

    test('takes hosted fields and its own form through 3-D Secure', async () => {
      const fields = await visit('/fields')
      await payWithFields(fields, '05/38')
      await approve(fields)
      await waitForOrder(fields, shop, 'settled')

      const own = await visit('/card')
      await own.getByLabel('Expiry date').fill('05/38')
      await own.getByRole('button', { name: 'Pay 10.00 EUR' }).click()
      await approve(own)
      await waitForOrder(own, shop, 'settled')
      await own.getByRole('button', { name: 'Refund' }).click()
      await waitForOrder(own, shop, 'refund')
    })

    test('shows a declined card of its own form', async () => {
      const page = await visit('/card')
      await page.getByLabel('Expiry date').fill('02/38')
      await page.getByRole('button', { name: 'Pay 10.00 EUR' }).click()
      await waitForOrder(page, shop, 'declined')
    })

    test('starts a subscription and charges its next month without the customer', async () => {
      const page = await visit('/')
      await page.getByRole('button', { name: /^Subscribe/ }).click()
      await payOnHostedPage(page)
      await waitForOrder(page, shop, 'settled')
      const first = page.url()
      await page.getByRole('button', { name: 'Charge the next month' }).click()
      await page.waitForURL((url) => !first.startsWith(url.href))
      await waitForOrder(page, shop, 'settled')
    })

    test('has accessible pages', async () => {
      for (const path of ['/', '/card', '/fields']) {
        const page = await visit(path)
        assert.deepEqual(await violationsOn(page), [], path)
      }
    })
  })
}

/** On the page that plays the bank; behind the hosted fields and after a form it is a page of its own. */
async function approve(page: Page): Promise<void> {
  await page.waitForURL((url) => !['/fields', '/card'].includes(url.pathname))
  await page.locator('.approve').click()
}
