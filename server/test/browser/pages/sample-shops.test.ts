/** The sample shops of examples/ in a real browser; the rest of their ways to pay is in sample-shops.full.test.ts. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, afterEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '../../pages/chromium.ts'
import { cannotRun, type SampleName, samples, startSampleShop } from '../../pages/sample-shop.ts'
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
    test('has about 300 lines in all', () => {
      const folder = fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url))
      const lines = globSync('**/*.*', { cwd: folder }).map(
        (file) => readFileSync(`${folder}/${file}`, 'utf8').trimEnd().split('\n').length,
      )
      const all = lines.reduce((sum, count) => sum + count, 0)
      assert.ok(all > 0 && all < 310, String(all))
    })

    test('takes a payment on the hosted page, learns of it by callback and refunds it', async () => {
      const sample = await startSampleShop(shop, name)
      try {
        const page = await tabs.open()
        await page.goto(sample.url)
        await page.getByRole('button', { name: 'Pay on the hosted page' }).click()
        await payOnHostedPage(page)
        await waitForOrder(page, shop, 'settled')
        await page.getByRole('button', { name: 'Refund' }).click()
        await waitForOrder(page, shop, 'refund')

        const forged = await fetch(`${sample.url}/callbacks`, { method: 'POST', body: 'id=1&order_number=1&hash=0' })
        assert.equal(forged.status, 400)
      } finally {
        await sample.stop()
      }
    })
  })
}
