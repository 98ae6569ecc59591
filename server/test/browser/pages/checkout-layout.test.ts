/**
 * The layout of the hosted page in a real browser with the real server: templates, preview, frame, and loading time. Chapter 30 §7.1,
 * chapter 40 §17, "Iframe".
 */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ownColours, templateNames } from '#domain/checkout/branding.ts'
import { loadWebFiles } from '#server/protocols/assets/web-files.ts'
import { previewPage } from '#server/protocols/hosted-page/session/preview.ts'
import { changeBranding, clearBranding } from '#server/setup/branding.ts'
import { buildWeb } from '../../../../tools/build-web.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { startShopFront } from '../../pages/shop-front.ts'
import { openShop } from '../../shop.ts'

await buildWeb()
const shop = await openShop()
const { merchant } = shop.service.configuration.byKey(shop.merchant().key) ?? assert.fail()
const checkout = new CheckoutClient(shop)
const browser = await openBrowser()
after(async () => {
  await browser.close()
  await shop[Symbol.asyncDispose]()
})
afterEach(() => clearBranding(shop.base, merchant.id))

const context = { pool: shop.base.pool, clock: shop.base.clock, by: 'test' }
const darkLook = { heading: '#ffd777', background: '#0b1530', button: '#0b1530' }
const wide = { width: 1280, height: 800 }
const narrow = { width: 320, height: 640 }

interface Places {
  readonly summary: number
  readonly work: number
  readonly beside: boolean
  readonly scrolls: boolean
}

/** The left edges of both parts, whether they share a line, and whether the page is wider than the window. */
const placesOn = (page: Page): Promise<Places> =>
  page.evaluate(`(() => {
    const [summary, work] = ['.summary', '.work'].map((name) => document.querySelector(name).getBoundingClientRect())
    const { scrollWidth, clientWidth } = document.documentElement
    return { summary: summary.left, work: work.left, beside: summary.top < work.bottom && work.top < summary.bottom, scrolls: scrollWidth > clientWidth }
  })()`)

for (const template of templateNames) {
  test(`${template}: the order is beside the form on wide screens and above it on narrow ones, in both writing directions`, async () => {
    await changeBranding(context, merchant.id, { template, ...darkLook })
    for (const language of ['en', 'ar']) {
      const { body } = await checkout.session({ methods: ['card'], billing_address: { language } }, { mode: 'test' })
      const page = await browser.newPage({ viewport: wide })
      page.setDefaultTimeout(10_000)
      await page.goto(body.redirect_url)
      await page.locator('.pay').waitFor()
      const { summary, work, beside } = await placesOn(page)
      assert.ok(beside)
      assert.equal(language === 'ar', work < summary)
      // Colours and sizes do not depend on the language.
      assert.deepEqual(await violationsOn(page, language === 'ar' ? 'again' : 'whole'), [])
      await page.setViewportSize(narrow)
      await page.emulateMedia({ colorScheme: 'dark' })
      const below = await placesOn(page)
      assert.deepEqual([below.beside, below.scrolls], [false, false])
      assert.deepEqual(await violationsOn(page, language === 'ar' ? 'again' : 'whole'), [])
      await page.close()
    }
  })
}

test('a preview shows the page with unsaved branding, requests nothing from the server and pays nothing', async () => {
  const files = await loadWebFiles(shop.base.log)
  const preview = previewPage(
    { files, publicUrl: () => shop.url, clock: shop.base.clock },
    { name: 'Unsaved', logo: null, colours: { ...ownColours, button: '#ffd777' }, template: 'split' },
    'de',
  )
  const page = await browser.newPage({ viewport: wide })
  page.setDefaultTimeout(10_000)
  const requestPaths: string[] = []
  page.on('request', (request) => requestPaths.push(new URL(request.url()).pathname))
  await page.route('**/preview', (route) => route.fulfill({ ...preview, status: 200, headers: { ...preview.headers } }))
  await page.goto(`${shop.url}/preview`)
  await page.locator('.merchant', { hasText: 'Unsaved' }).waitFor()
  assert.deepEqual(await violationsOn(page, 'again'), [])
  await page.locator('[autocomplete="cc-number"]').fill('4111111111111111')
  await page.locator('[autocomplete="cc-exp"]').fill('01/38')
  await page.locator('[autocomplete="cc-csc"]').fill('123')
  await page.locator('[autocomplete="cc-name"]').fill('Jane Roe')
  await page.locator('.pay').click()
  await page.locator('#result').waitFor()
  assert.deepEqual(
    requestPaths.filter((path) => path.startsWith('/page/')),
    [],
  )
  await page.close()
})

/** What a first visit loads until the form is usable. */
async function firstLoad(url: string) {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  const html = await (await page.goto(url))?.text()
  await page.getByLabel('Card number').waitFor()
  const fetched = await page.evaluate<readonly { readonly name: string; readonly bytes: number }[]>(
    `performance.getEntries().filter(({ transferSize }) => transferSize > 0)
       .map(({ name, transferSize }) => ({ name: new URL(name).pathname, bytes: transferSize }))`,
  )
  await page.close()
  return { html: html ?? '', fetched }
}

test('on a connection of 1.6 Mbit/s the form is usable within two seconds', async () => {
  const { body } = await checkout.session({ methods: ['card'] })
  const { html, fetched } = await firstLoad(body.redirect_url)
  const path = new URL(body.redirect_url).pathname
  const own = fetched.filter(({ name }) => name !== path && !name.startsWith('/page/'))
  assert.ok(own.length > 0)
  for (const { name } of own) assert.ok(html.includes(name), `${name} is asked for later than the page itself says.`)
  // Computed and not measured, because a busy machine would distort the time: connection, page, its resources, its session.
  const [roundTrips, latencyMs, bytesPerMs] = [4, 150, 200]
  const bytes = fetched.reduce((sum, one) => sum + one.bytes, 0)
  const spentMs = roundTrips * latencyMs + bytes / bytesPerMs
  assert.ok(spentMs <= 2000, `${bytes} bytes take ${Math.round(spentMs)} ms.`)
})

/** The page's cumulative layout shift on a phone whose connection brings the session and the wallets' scripts late. */
async function layoutShift(url: string, last: string): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  page.setDefaultTimeout(20_000)
  await page.addInitScript(`globalThis.shift = 0
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value
    }).observe({ type: 'layout-shift', buffered: true })`)
  const painted = (): Promise<unknown> =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const after = (pattern: string, selector: string): Promise<unknown> =>
    page.route(pattern, async (route) => {
      await page.locator(selector).first().waitFor()
      await painted()
      await route.continue()
    })
  await after('**/page/v1/session?**', '.page.loading')
  await after('**/simulator/stand-in.js', '.pay')
  await page.goto(url)
  await page.locator(last).first().waitFor()
  await painted()
  const shift = Number(await page.evaluate('globalThis.shift'))
  await page.close()
  return shift
}

// biome-ignore format: a table is read in columns.
const layouts: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  // page                    session                                           the last part to appear
  ['a card form',          { methods: ['card'] },                            '.pay'],
  ['a form with wallets',  { methods: ['walletapay', 'walletbpay', 'card'] }, '.wallet-b button'],
]
for (const [what, request, last] of layouts)
  test(`${what} does not move while it loads`, async () => {
    const { body } = await checkout.session(request)
    const shift = await layoutShift(body.redirect_url, last)
    assert.ok(shift <= 0.05, `The layout shift is ${shift}.`)
  })

test('in a frame of the merchant a wallet has its button only if the frame allows payment', async () => {
  const front = await startShopFront()
  const page = await browser.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(`${front.url}/return`)
  const { body } = await checkout.session({ methods: ['walletapay', 'card'], success_url: `${front.url}/return` })
  for (const allow of ['', 'payment']) {
    await page.evaluate(
      `document.body.innerHTML = '<iframe title="Payment" width="400" height="700" allow="${allow}" src="${body.redirect_url}"></iframe>'`,
    )
    const frame = page.frameLocator('iframe')
    await frame.getByLabel('Card number').waitFor()
    if (allow === '') await page.waitForTimeout(500)
    else await frame.locator('.wallet-a').waitFor()
    assert.equal(await frame.locator('.wallets').count(), allow === '' ? 0 : 1)
  }
  await page.close()
  await front.stop()
})
