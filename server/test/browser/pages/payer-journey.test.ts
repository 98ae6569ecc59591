/** A payer's way through 3-D Secure and redirects in a real browser, from the shop and back to it. Chapter 10 §8, §12. */
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { signReturn } from '#domain/signature/payer-return.ts'
import { isFullRun } from '../../../../tools/testing/full-run.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { type Redirect, startShopFront } from '../../pages/shop-front.ts'
import { tabsOf } from '../../pages/tabs.ts'
import { expiryFields, statusOf } from '../../payments.ts'
import { type Fields, openShop } from '../../shop.ts'

const shop = await openShop()
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
  await shop.choose({})
})

interface Begun {
  readonly transId: string
  readonly orderId: string
  readonly redirect: Redirect
}

async function beginPayment(expiry: string, over: Fields = {}): Promise<Begun> {
  const { body } = await shop.sale({ ...expiryFields(expiry), term_url_3ds: front.termUrl, ...over })
  assert.equal(body.result, 'REDIRECT', JSON.stringify(body))
  const { redirect_url: url, redirect_method: method, redirect_params: params = {} } = body
  return { transId: body.trans_id, orderId: body.order_id, redirect: { url, method, params } }
}

async function visit(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await tabs.open(options)
  await page.goto(url)
  return page
}

const press = (page: Pick<Page, 'locator'>, name: 'approve' | 'decline' | 'leave') => page.locator(`.${name}`).click()

/** Waits for the return and checks everything that chapter 10 §8.3 requires of it. */
async function assertReturned(page: Page, { transId, orderId }: Begun): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/return')
  const { searchParams, hash } = new URL(page.url())
  const named = { trans_id: transId, order_id: orderId }
  const outcome = (await statusOf(shop, transId)) === 'SETTLED' ? 'success' : 'failure'
  const values = { ...named, order_amount: '10.00', order_currency: 'EUR', outcome }
  assert.deepEqual(Object.fromEntries(searchParams), {
    basket: '7',
    ...named,
    hash: signReturn(values, shop.merchant().password),
  })
  assert.equal(hash, '#thanks')
}

const charges = async (transId: string): Promise<number> => (await shop.readExecuted(transId)).length

for (const [what, expiry] of [
  ['3-D Secure', '05/2038'],
  ['a redirect', '12/2038'],
] as const) {
  describe(what, () => {
    test('approved: the payer is back at the shop and the payment is settled', async () => {
      const sale = await beginPayment(expiry)
      const page = await visit(front.begin(sale.redirect))
      assert.deepEqual(await violationsOn(page), [])
      await press(page, 'approve')
      await assertReturned(page, sale)
      assert.equal(await statusOf(shop, sale.transId), 'SETTLED')
      const results = (await shop.callbacks(sale.transId)).map(({ fields }) => fields['result'])
      assert.deepEqual(results, ['REDIRECT', 'SUCCESS'])
    })

    test('declined: the payer is back at the same address', async () => {
      const sale = await beginPayment(expiry)
      const page = await visit(front.begin(sale.redirect))
      await press(page, 'decline')
      await assertReturned(page, sale)
      assert.equal(await statusOf(shop, sale.transId), 'DECLINED')
      assert.equal(await charges(sale.transId), 0)
    })

    test('left: no return arrives, and after half an hour the payment expires', async () => {
      const sale = await beginPayment(expiry)
      const page = await visit(front.begin(sale.redirect))
      await press(page, 'leave')
      await page.locator('[role=status]').waitFor()
      await shop.advance(29 * 60_000)
      assert.match(await statusOf(shop, sale.transId), /^(?:3DS|REDIRECT)$/)
      await shop.advance(2 * 60_000)
      const { body } = await shop.followUp('GET_TRANS_STATUS', sale.transId)
      assert.deepEqual([body.status, body.decline_reason], ['DECLINED', 'Expired'])
    })

    test('going back and reloading afterwards charges nothing more', async () => {
      const sale = await beginPayment(expiry)
      const page = await visit(front.begin(sale.redirect))
      const addresses: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/verify/')) addresses.push(request.url())
      })
      await press(page, 'approve')
      await assertReturned(page, sale)
      const [address = ''] = addresses
      await page.goto(address)
      await assertReturned(page, sale)
      await page.reload()
      assert.equal(await charges(sale.transId), 1)
    })

    test('two returns at the same moment charge once', async () => {
      const sale = await beginPayment(expiry)
      const page = await visit(front.begin(sale.redirect))
      const held = Promise.withResolvers<{ url: string; fields: Fields }>()
      await page.route('**/verify/**', async (route) => {
        const { searchParams } = new URL(`?${route.request().postData() ?? ''}`, shop.url)
        held.resolve({ url: route.request().url(), fields: Object.fromEntries(searchParams) })
        await route.abort()
      })
      await press(page, 'approve')
      const { url, fields } = await held.promise
      const send = () => fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
      for (const { status } of await Promise.all([send(), send(), send()])) assert.equal(status, 303)
      assert.equal(await charges(sale.transId), 1)
    })

    test('the ten browser attributes are collected on the way', async () => {
      const names = ['color_depth', 'screen_height', 'screen_width', 'java_enabled', 'javascript_enabled', 'language']
      const all = [...names, 'timezone_offset', 'user_agent', 'accept_headers', 'platform'].map(
        (name) => `browser_${name}`,
      )
      await shop.choose({ addToStatus: all })
      const sale = await beginPayment(expiry)
      const page = await visit(front.begin(sale.redirect), {
        locale: 'fr-CA',
        timezoneId: 'Asia/Tokyo',
        userAgent: 'Browser of a test',
        screen: { width: 1234, height: 777 },
      })
      await press(page, 'approve')
      await assertReturned(page, sale)
      const { body } = await shop.followUp('GET_TRANS_STATUS', sale.transId)
      const { browser_accept_headers: accepted, browser_platform: platform, ...told } = body
      assert.match(accepted, /text\/html/)
      assert.notEqual(platform, '')
      assert.deepEqual(Object.fromEntries(Object.entries(told).filter(([name]) => name.startsWith('browser_'))), {
        browser_color_depth: '24',
        browser_screen_height: '777',
        browser_screen_width: '1234',
        browser_java_enabled: 'false',
        browser_javascript_enabled: 'true',
        browser_language: 'fr-CA',
        browser_timezone_offset: '-540',
        browser_user_agent: 'Browser of a test',
      })
    })

    // What follows concerns pages that both share.
    if (what === 'a redirect' && !isFullRun) return

    test('without scripts everything works by its buttons', async () => {
      const sale = await beginPayment(expiry)
      const page = await visit(front.begin(sale.redirect), { javaScriptEnabled: false })
      await page.getByRole('button', { name: 'Pay' }).click()
      await press(page, 'approve')
      await page.getByRole('button', { name: 'Continue' }).click()
      await assertReturned(page, sale)
      assert.equal(await statusOf(shop, sale.transId), 'SETTLED')
    })

    test('inside a frame, a target outside of it opens a window when the payer presses', async () => {
      const sale = await beginPayment(expiry, { term_url_target: '_top' })
      const page = await visit(front.begin(sale.redirect, true))
      const frame = page.frameLocator('iframe')
      await press(frame, 'approve')
      const opened = page.context().waitForEvent('page')
      await frame.getByRole('link', { name: 'Continue' }).click()
      await assertReturned(await opened, sale)
      assert.equal(await frame.getByRole('status').textContent(), 'Please continue in the new window.')
      assert.equal(new URL(page.url()).pathname, '/frame')
    })

    test('inside a frame with _self the shop appears in the frame', async () => {
      const sale = await beginPayment(expiry, { term_url_target: '_self' })
      const page = await visit(front.begin(sale.redirect, true))
      await press(page.frameLocator('iframe'), 'approve')
      await page.frameLocator('iframe').getByRole('heading', { name: 'Welcome back' }).waitFor()
      assert.equal(await statusOf(shop, sale.transId), 'SETTLED')
    })

    test('memory storage: a plain link leads there once', async () => {
      await shop.choose({ redirectMode: 'memory_storage' })
      const sale = await beginPayment(expiry)
      assert.deepEqual([sale.redirect.method, sale.redirect.params], ['GET', {}])
      const page = await visit(sale.redirect.url)
      await page.locator('.approve').waitFor()

      const again = await visit(sale.redirect.url)
      assert.equal(await again.getByRole('heading').textContent(), 'This link is no longer valid')
      assert.deepEqual(await violationsOn(again, 'again'), [])

      await press(page, 'approve')
      await assertReturned(page, sale)
      await again.reload()
      await assertReturned(again, sale)
      assert.equal(await charges(sale.transId), 1)
    })

    test('memory storage: after ten minutes the link no longer works', async () => {
      await shop.choose({ redirectMode: 'memory_storage' })
      const sale = await beginPayment(expiry)
      await shop.advance(10 * 60_000 + 1_000)
      const page = await visit(sale.redirect.url)
      assert.equal(await page.getByRole('heading').textContent(), 'This link is no longer valid')
      assert.equal(await page.getByRole('link').textContent(), 'Return to the shop')
    })
  })
}

test('in Arabic the pages are written from right to left', async () => {
  const sale = await beginPayment('05/2038', { payer_language: 'AR' })
  const page = await visit(front.begin(sale.redirect, true))
  await press(page.frameLocator('iframe'), 'approve')
  const link = page.frameLocator('iframe').getByRole('link', { name: 'متابعة' })
  await link.waitFor()
  const frame = page.frames()[1]
  assert.deepEqual(await frame?.evaluate('[document.documentElement.lang, document.dir]'), ['ar', 'rtl'])
  assert.deepEqual(frame && (await violationsOn(frame, 'again')), [])
  const opened = page.context().waitForEvent('page')
  await link.click()
  await assertReturned(await opened, sale)
})

test('Override Link Target of the MID is always used', async () => {
  await shop.configure(`update mids set override_link_target = '_self'`)
  const sale = await beginPayment('05/2038', { term_url_target: '_top' })
  const page = await visit(front.begin(sale.redirect, true))
  await press(page.frameLocator('iframe'), 'approve')
  await page.frameLocator('iframe').getByRole('heading', { name: 'Welcome back' }).waitFor()
  await shop.configure('update mids set override_link_target = null')
})
