/** Every page of the documentation on a phone, in light and dark, and printed. Some of them are in demo-shop.test.ts, too. */
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sitePages } from '../../../../tools/site/page-table.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { tabsOf } from '../../pages/tabs.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
const browser = await openBrowser()
const tabs = tabsOf(browser)
after(async () => {
  await browser.close()
  await shop[Symbol.asyncDispose]()
})
afterEach(() => tabs.clear())

const viewport = { width: 360, height: 740 }
/** A4 between margins of two centimetres. */
const paper = { width: 642, height: 970 }

async function visit(slug: string): Promise<Page> {
  const page = await tabs.open({ viewport })
  await page.goto(`${shop.url}/docs${slug === '' ? '' : `/${slug}`}`)
  await page.getByText('copy and run them').waitFor()
  return page
}

const fits = (page: Page): Promise<boolean> => page.evaluate('document.documentElement.scrollWidth <= innerWidth')

/** Code and tables whose end is cut off on paper, which cannot scroll. */
const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('pre, .table')]
    .filter((one) => one.offsetParent !== null && one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.textContent.slice(0, 80))`)

for (const { slug, title } of sitePages) {
  describe(`the page ${title}`, () => {
    test('has no accessibility violations, in light and dark, and fits a phone', async () => {
      const page = await visit(slug)
      assert.deepEqual(await violationsOn(page), [])
      assert.ok(await fits(page))
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await violationsOn(page, 'colours'), [])
    })

    test('is printed dark on light, whole and without what only a screen can use', async () => {
      const page = await visit(slug)
      await page.setViewportSize(paper)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      try {
        assert.deepEqual(await violationsOn(page, 'colours'), [])
        assert.deepEqual(await cutOff(page), [])
        for (const part of ['nav', '.top', '.copy', '.languages'])
          assert.equal(await page.locator(part).filter({ visible: true }).count(), 0, part)
      } finally {
        await page.emulateMedia({ media: 'screen' })
        await page.setViewportSize(viewport)
      }
    })
  })
}
