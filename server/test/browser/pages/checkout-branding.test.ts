/** A merchant's logo and colours in a real browser, with the real server behind it. Chapter 30 §7.1, §7.9. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrandingWishes, changeBranding, clearBranding } from '#server/setup/branding.ts'
import { buildWeb } from '../../../../tools/build-web.ts'
import { isFullRun } from '../../../../tools/testing/full-run.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { tabsOf } from '../../pages/tabs.ts'
import { openShop } from '../../shop.ts'

await buildWeb()
const shop = await openShop()
const { merchant } = shop.service.configuration.byKey(shop.merchant().key) ?? assert.fail()
const checkout = new CheckoutClient(shop)
const browser = await openBrowser()
const tabs = tabsOf(browser)
after(async () => {
  await browser.close()
  await shop[Symbol.asyncDispose]()
})
afterEach(async () => {
  await tabs.clear()
  await clearBranding(shop.base, merchant.id)
})

const schemes = ['light', 'dark'] as const
const logo = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path fill="#c00" d="M0 0h40v20H0z"/></svg>',
)

async function open(wishes: BrandingWishes, colorScheme: (typeof schemes)[number]): Promise<Page> {
  const context = { pool: shop.base.pool, clock: shop.base.clock, by: 'test' }
  assert.ok((await changeBranding(context, merchant.id, wishes)).ok)
  const { body } = await checkout.session({ methods: ['card'] })
  const page = await tabs.open({ colorScheme })
  await page.goto(body.redirect_url)
  await page.getByLabel('Card number').pressSequentially('4111111111111111')
  return page
}

const styleOf = (page: Page, selector: string, property: string): Promise<unknown> =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)

for (const scheme of schemes) {
  test(`the merchant’s colours are applied on a ${scheme} device, and all text is readable`, async () => {
    const page = await open({ heading: '#7a1f1f', background: '#fff3e0', button: '#ffd777' }, scheme)
    assert.equal(await styleOf(page, 'body', 'backgroundColor'), 'rgb(255, 243, 224)')
    assert.equal(await styleOf(page, '.merchant', 'color'), 'rgb(122, 31, 31)')
    assert.equal(await styleOf(page, '.pay', 'backgroundColor'), 'rgb(255, 215, 119)')
    assert.equal(await styleOf(page, '.pay', 'color'), 'rgb(0, 0, 0)')
    assert.deepEqual(await violationsOn(page, isFullRun ? 'whole' : 'colours'), [])
  })

  test(`a dark background of the merchant leaves all text readable on a ${scheme} device`, async () => {
    const page = await open({ heading: '#ffd777', background: '#0b1530', button: '#0b1530' }, scheme)
    assert.equal(await styleOf(page, 'footer', 'color'), 'rgb(255, 255, 255)')
    assert.equal(await styleOf(page, '.pay', 'color'), 'rgb(255, 255, 255)')
    const isEdged = (await styleOf(page, '.pay', 'borderColor')) !== 'rgb(11, 21, 48)'
    assert.equal(isEdged, scheme === 'dark', 'a dark button on dark paper has an edge')
    assert.deepEqual(await violationsOn(page, isFullRun ? 'whole' : 'colours'), [])
  })
}

test('the logo replaces the name and has it as alternative text', async () => {
  const page = await open({ logo }, 'light')
  const image = page.getByRole('img', { name: merchant.title })
  await image.waitFor()
  assert.equal(await page.evaluate(`document.querySelector('.logo').naturalWidth`), 40)
  assert.equal(await page.locator('.merchant').count(), 0)
  assert.deepEqual(await violationsOn(page), [])
})
